// `sitepub mock` as a process, and the commands that find it.
import { once } from 'node:events';
import { existsSync, globSync, mkdtempSync, readdirSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, test, vi } from 'vitest';
import { linesOf, openCommand, sendJson } from '../testing.ts';

const { folder, start, startMockProcess, run, runHere } = openCommand();

type MockProcess = Awaited<ReturnType<typeof startMockProcess>>;

test('prints its settings and its log, is found by other commands, and ends on `mock stop`', async () => {
  const here = { TMPDIR: folder };
  const child = start(['mock', '--port', '0', '--clock', 'manual', '--fault', 'third-retry-missing'], here);
  const [stdout, stderr, ended] = [text(child.stdout), text(child.stderr), once(child, 'exit')];
  // The first line on standard output means that it is ready.
  await linesOf(child.stdout)();
  const advanced = await run(['mock', 'advance', 'PT1M'], here);
  expect(advanced).toEqual({
    status: 0,
    stderr: '',
    stdout: '00:01:00.000  clock at 2026-01-01T00:01:00.000Z  stopped\n',
  });
  const { status, stdout: said } = await run(['mock', 'stop'], here);
  expect([status, said]).toEqual([0, expect.stringMatching(/^the mock at http:\S+\/_mock has ended\n$/)]);
  expect(await ended).toEqual([0, null]);
  expect(await stdout).toContain(
    'Set by flags or variables:\n\n  clock         manual\n  fault         third-retry-missing\n\n',
  );
  expect(await stderr).toBe(advanced.stdout);
});

test('prints the public URL; commands on this machine use the local one', async () => {
  await using mock = await startMockProcess(['--clock', 'manual', '--public-url', 'https://mock.example']);
  const { base_url: base, control_url: control, listens_at: origin } = mock.ready;
  expect([base, control]).toEqual(['https://mock.example/api/v1', 'https://mock.example/_mock']);
  expect((await fetch(`${origin}/_mock/live`)).status).toBe(200);
  expect((await run(['mock', 'stop'], mock.here)).stdout).toBe(`the mock at ${origin}/_mock has ended\n`);
});

test('exits with 3 if its database is unreachable, and hides the password', async () => {
  const here = { SITEPUB_STORE: 'postgres://shop:s3cr3t@127.0.0.1:1/shop' };
  const { status, stderr } = await runHere(['mock', '--port', '0', '--store-wait', '0'], here);
  expect([status, stderr]).toEqual([
    3,
    "sitepub: store postgres://shop@127.0.0.1:1/shop can't be opened: nothing listens at this address\n",
  ]);
});

describe('as a process', { tags: ['ci'] }, () => {
  function logIn({ ready }: MockProcess, password = ready.tenants[0]?.users[0]?.password) {
    return sendJson(`${ready.base_url}/auth/tenant/login`, { ...ready.tenants[0]?.users[0], password });
  }

  test('--log json logs each request without secrets, and the record of the mock is removed at its end', async () => {
    await using mock = await startMockProcess(['--log', 'json']);
    await logIn(mock, 'wrong-password');
    const line = String(await linesOf(mock.child.stderr)());
    expect(JSON.parse(line)).toMatchObject({
      ...{ type: 'request', method: 'POST', path: '/api/v1/auth/tenant/login', operation: 'login' },
      who: mock.ready.tenants[0]?.users[0]?.username,
      status: 401,
      refusal: expect.any(String),
    });
    expect(line).not.toContain('wrong-password');
    const records = () => readdirSync(join(mock.here.TMPDIR, `sitepub-${userInfo().username}`, 'mocks'));
    expect(records()).toEqual([`${mock.child.pid}.json`]);
    expect([await mock.end('SIGTERM'), records()]).toEqual([0, []]);
  });

  test('the mock keeps answering if nothing reads its standard error', async () => {
    await using unread = await startMockProcess(['--log', 'json', '--latency', '0']);
    await using closed = await startMockProcess(['--log', 'json']);
    closed.child.stderr.destroy();
    const path = `/tenant/${'x'.repeat(8000)}`;
    // More than a pipe and the log hold.
    for (let count = 0; count < 150; count++)
      for (const { ready } of [unread, closed]) expect((await fetch(ready.base_url + path)).status).toBe(404);
    for (const mock of [unread, closed]) expect(await mock.end('SIGINT')).toBe(0);
  });

  function follow({ here }: MockProcess, ...words: string[]) {
    const child = start(['mock', ...words, '--follow', '--json'], here);
    const line = linesOf(child.stdout);
    const next = async () => JSON.parse(`${await line()}`);
    return { child, next, ended: once(child, 'exit'), said: text(child.stderr) };
  }

  test('requests --follow shows each request once, exits with 0 on Ctrl-C, and with 3 if the mock is killed', async () => {
    await using mock = await startMockProcess();
    await logIn(mock);
    const [one, other] = [follow(mock, 'requests'), follow(mock, 'requests')];
    for (const { next } of [one, other]) expect(await next()).toMatchObject({ id: 1, operation: 'login' });
    await logIn(mock);
    for (const { next } of [one, other]) expect(await next()).toMatchObject({ id: 2, operation: 'login' });
    one.child.kill('SIGINT');
    expect([await one.ended, await one.said]).toEqual([[0, null], '']);
    await mock.end('SIGKILL');
    expect(await other.ended).toEqual([3, null]);
    expect(await other.said).toMatch(/^sitepub: the connection to the mock at \S+ was lost/);
  });

  test('inbox --follow shows messages, deliveries --follow attempts, and both end with the mock', async () => {
    await using mock = await startMockProcess(['--clock', 'manual']);
    const { ready } = mock;
    const steer = (...words: string[]) =>
      runHere(['mock', ...words], { SITEPUB_CONTROL_URL: ready.control_url });
    const url = `${ready.control_url}/inbox/shop`;
    const subscribe = () =>
      sendJson(
        `${ready.base_url}/tenant/sites/101/webhooks`,
        { url, events: ['form.submit'], channel: 'custom' },
        { token: `${ready.tenants[0]?.api_key}` },
      );
    await subscribe();
    await sendJson(url, { respond: [500, 200, 500] }, { method: 'PUT' });
    await steer('trigger', 'form.submit');
    const [messages, deliveries] = [follow(mock, 'inbox', 'shop'), follow(mock, 'deliveries')];
    expect(await messages.next()).toMatchObject({ id: 1, answer: { status: 500 } });
    expect(await deliveries.next()).toMatchObject({ id: 1, state: 'pending' });
    await sendJson(`${ready.control_url}/inbox/other`, {});
    await steer('advance', 'PT1M');
    expect(await messages.next()).toMatchObject({ id: 2, answer: { status: 200 } });
    expect(await deliveries.next()).toMatchObject({ id: 1, state: 'delivered', attempts: [{}, {}] });
    // After a reset, the same numbers mean other pushes.
    await steer('reset');
    await subscribe();
    await steer('trigger', 'form.submit');
    expect(await deliveries.next()).toMatchObject({ id: 1, attempts: [{ status: 200 }] });
    expect((await steer('stop')).status).toBe(0);
    for (const { ended, said } of [messages, deliveries])
      expect([await ended, await said]).toEqual([[0, null], 'sitepub: the mock has ended\n']);
  });

  test('caches compiled code for the next start, even if it is killed', async () => {
    const compiled = mkdtempSync(join(folder, 'compiled-'));
    await using mock = await startMockProcess([], { NODE_COMPILE_CACHE: compiled });
    await vi.waitFor(() => expect(globSync('*/*', { cwd: compiled })).not.toEqual([]), { timeout: 10_000 });
    expect(mock.child.exitCode).toBeNull();
  });
});

describe('https', { tags: ['ci'] }, () => {
  test('commands trust the mock that they find; others use its certificate file, which is deleted at its end', async () => {
    await using mock = await startMockProcess(['--https', '--clock', 'manual']);
    const { ready, here } = mock;
    expect(ready.control_url).toMatch(/^https:/);
    expect((await run(['mock', 'advance', 'PT1M'], here)).stdout).toContain('2026-01-01T00:01:00.000Z');
    const named = ['--control-url', ready.control_url];
    expect(await runHere(['mock', 'advance', 'PT1M', ...named])).toEqual({
      status: 3,
      stdout: '',
      stderr: expect.stringMatching(
        /^sitepub: the certificate of https:\S+ is not trusted \(DEPTH_ZERO_SELF_SIGNED_CERT\); pass it, or the CA that signed it, with --ca FILE\n$/,
      ),
    });
    expect(
      (await run(['mock', 'advance', 'PT1M', ...named, '--ca', `${ready.certificate_file}`])).status,
    ).toBe(0);
    const script =
      "fetch(process.env.SITEPUB_CONTROL_URL + '/clock').then(({ status }) => console.log(status))";
    const inWorld = ['exec', '--in-running-mock', '--', process.execPath, '-e', script];
    expect(await run(inWorld, here)).toEqual({ status: 0, stdout: '200\n', stderr: '' });
    expect(existsSync(`${ready.certificate_file}`)).toBe(true);
    await mock.end('SIGTERM');
    expect(existsSync(`${ready.certificate_file}`)).toBe(false);
  });

  test('the contract suite passes', async () => {
    const script = `${process.execPath} cli/sitepub.mjs test --suite smoke --only LOGIN-1,HOOK-1`;
    const { status, stdout } = await run(['exec', '--https', '--', 'sh', '-c', script]);
    expect([status, stdout]).toEqual([0, expect.stringContaining(' 0 failed')]);
  });
});
