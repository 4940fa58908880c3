// `sitepub mock` and the commands that find it, run as people run them.

import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { globSync, mkdtempSync, readdirSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { openCommand } from '../testing.ts';

const { folder, start, run, remove } = openCommand();
afterAll(remove);

test('the mock tells what is unusual and what happens, is found by other commands, and ends when it is told to', async () => {
  const here = { TMPDIR: folder };
  const child = start(['mock', '--port', '0', '--clock', 'manual', '--fault', 'third-retry-missing'], here);
  const [stdout, stderr, ended] = [text(child.stdout), text(child.stderr), once(child, 'exit')];
  // Its first line on standard output means that it is ready.
  await once(createInterface(child.stdout), 'line');
  const advanced = await run(['mock', 'advance', 'PT1M'], here);
  expect(advanced).toEqual({
    status: 0,
    stderr: '',
    stdout: '00:01:00.000  clock at 2026-01-01T00:01:00.000Z  stands still\n',
  });
  const { status, stdout: said } = await run(['mock', 'stop'], here);
  expect([status, said]).toEqual([0, expect.stringMatching(/^the mock at http:\S+\/_mock has ended\n$/)]);
  expect(await ended).toEqual([0, null]);
  expect(await stdout).toContain(
    'Set by flags or variables:\n\n  clock         manual\n  fault         third-retry-missing\n\n',
  );
  expect(await stderr).toBe(advanced.stdout);
});

test('the mock shows the address under which others reach it, and commands here find it where it listens', async () => {
  const here = { TMPDIR: folder };
  const named = ['--public-url', 'https://mock.example'];
  const child = start(['mock', '--port', '0', '--clock', 'manual', '--json', ...named], here);
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  const { base_url: base, control_url: control, listens_at: origin } = JSON.parse(line);
  expect([base, control]).toEqual(['https://mock.example/api/v1', 'https://mock.example/_mock']);
  expect((await fetch(`${origin}/_mock/live`)).status).toBe(200);
  expect((await run(['mock', 'stop'], here)).stdout).toBe(`the mock at ${origin}/_mock has ended\n`);
});

test('the mock ends with a status of its own where its database is not there, and names the address without the password', async () => {
  const here = { SITEPUB_STORE: 'postgres://shop:s3cr3t@127.0.0.1:1/shop' };
  const { status, stderr } = await run(['mock', '--port', '0', '--store-wait', '0'], here);
  expect([status, stderr]).toEqual([
    3,
    "sitepub: store postgres://shop@127.0.0.1:1/shop can't be opened: nothing listens there\n",
  ]);
});

// What `sitepub mock` tells on standard error, and the commands that follow it, in processes of their own.
describe('as a process', { tags: ['ci'] }, () => {
  const { folder, start, run, remove } = openCommand();
  afterAll(remove);

  interface Ready {
    base_url: string;
    control_url: string;
    tenants: { users: { username: string; password: string }[]; api_key: string }[];
  }

  /** `sitepub mock --json` with a temporary folder of its own, killed when its scope ends. */
  async function openMockCommand(args: readonly string[] = [], environment: Record<string, string> = {}) {
    const here = { TMPDIR: mkdtempSync(join(folder, 'here-')) };
    const child = start(['mock', '--json', '--port', '0', ...args], { ...here, ...environment });
    const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
    const ready = JSON.parse(String((await lines.next()).value)) as Ready;
    return {
      child,
      here,
      ready,
      logIn: (password = ready.tenants[0]?.users[0]?.password) =>
        fetch(`${ready.base_url}/auth/tenant/login`, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify({ ...ready.tenants[0]?.users[0], password }),
        }),
      async [Symbol.asyncDispose]() {
        if (child.exitCode === null && child.signalCode === null) {
          child.kill('SIGKILL');
          await once(child, 'exit');
        }
      },
    };
  }

  /** The next lines of a stream. */
  function linesOf(stream: NodeJS.ReadableStream) {
    const lines = createInterface(stream)[Symbol.asyncIterator]();
    return async () => String((await lines.next()).value);
  }

  async function interrupt(child: ChildProcess, signal: NodeJS.Signals = 'SIGINT') {
    child.kill(signal);
    return once(child, 'exit');
  }

  test('--log json tells each request in a line of JSON, without its secrets', async () => {
    await using mock = await openMockCommand(['--log', 'json']);
    const next = linesOf(mock.child.stderr as NodeJS.ReadableStream);
    await mock.logIn('wrong-password');
    const line = await next();
    expect(JSON.parse(line)).toMatchObject({
      type: 'request',
      method: 'POST',
      path: '/api/v1/auth/tenant/login',
      operation: 'login',
      who: mock.ready.tenants[0]?.users[0]?.username,
      status: 401,
      refusal: expect.any(String),
    });
    expect(line).not.toContain('wrong-password');
  });

  test('--json tells nothing by itself, and the mock leaves no record when it ends', async () => {
    await using mock = await openMockCommand();
    const stderr = text(mock.child.stderr as NodeJS.ReadableStream);
    const records = () => readdirSync(join(mock.here.TMPDIR, `sitepub-${userInfo().username}`, 'mocks'));
    await mock.logIn();
    expect(records()).toEqual([`${mock.child.pid}.json`]);
    expect(await interrupt(mock.child, 'SIGTERM')).toEqual([0, null]);
    expect([await stderr, records()]).toEqual(['', []]);
  });

  test('colours come where they are forced, and only then where there is no terminal', async () => {
    await using plain = await openMockCommand(['--log', 'text'], { NO_COLOR: '' });
    await using coloured = await openMockCommand(['--log', 'text'], { NO_COLOR: '', FORCE_COLOR: '1' });
    const nextOf = async ({ child, logIn }: typeof plain) => {
      await logIn();
      return linesOf(child.stderr as NodeJS.ReadableStream)();
    };
    expect(await nextOf(plain)).toMatch(/^[\d:.]+ {2}POST \S+ {2}200 code 0 {2}\S+ {2}[\d.]+ ms$/);
    expect(await nextOf(coloured)).toContain('\u001b[32m200 code 0\u001b[39m');
    const { stdout } = await run(['mock', 'requests'], { ...coloured.here, NO_COLOR: '', FORCE_COLOR: '1' });
    expect(stdout).toContain('\u001b[32m200 code 0\u001b[39m');
  });

  test('a mock whose standard error nobody reads, or was closed, goes on answering', async () => {
    await using unread = await openMockCommand(['--log', 'json', '--latency', '0']);
    await using closed = await openMockCommand(['--log', 'json']);
    closed.child.stderr?.destroy();
    const path = `/tenant/${'x'.repeat(8000)}`;
    // Far more than a pipe holds.
    for (let count = 0; count < 300; count++)
      for (const { ready } of [unread, closed]) expect((await fetch(ready.base_url + path)).status).toBe(404);
    for (const { child } of [unread, closed]) expect(await interrupt(child)).toEqual([0, null]);
  });

  test('exec is silent', async () => {
    const call = "await fetch(process.env.SITEPUB_BASE_URL + '/tenant/sites')";
    const script = ['--input-type=module', '-e', call];
    expect(await run(['exec', '--', process.execPath, ...script])).toEqual({
      status: 0,
      stdout: '',
      stderr: '',
    });
  });

  test('a mock that was killed is not found any more', async () => {
    await using mock = await openMockCommand();
    expect((await run(['mock', 'deliveries'], mock.here)).status).toBe(0);
    await interrupt(mock.child, 'SIGKILL');
    const { status, stderr } = await run(['mock', 'deliveries'], mock.here);
    expect([status, stderr]).toEqual([3, expect.stringContaining('no mock is running here')]);
  });

  test('requests --follow shows what was and what comes, each once, and ends with 0 by Ctrl-C', async () => {
    await using mock = await openMockCommand();
    await mock.logIn();
    const follower = start(['mock', 'requests', '--follow', '--json'], mock.here);
    const next = linesOf(follower.stdout as NodeJS.ReadableStream);
    expect(JSON.parse(await next())).toMatchObject({ id: 1, operation: 'login' });
    await mock.logIn();
    expect(JSON.parse(await next())).toMatchObject({ id: 2, operation: 'login' });
    expect(await interrupt(follower)).toEqual([0, null]);
  });

  test('inbox --follow shows the messages of this inbox, deliveries --follow each attempt, and both end with the mock', async () => {
    await using mock = await openMockCommand(['--clock', 'manual']);
    const { ready, here } = mock;
    const url = `${ready.control_url}/inbox/shop`;
    const send = (address: string, body: object, method = 'POST') =>
      fetch(address, {
        method,
        headers: { Authorization: `Bearer ${ready.tenants[0]?.api_key}`, 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      });
    await send(`${ready.base_url}/tenant/sites/101/webhooks`, {
      url,
      events: ['form.submit'],
      channel: 'custom',
    });
    await send(url, { respond: [500, 200, 500] }, 'PUT');
    await run(['mock', 'trigger', 'form.submit'], here);
    const inbox = start(['mock', 'inbox', 'shop', '--follow', '--json'], here);
    const deliveries = start(['mock', 'deliveries', '--follow', '--json'], here);
    const nextMessage = linesOf(inbox.stdout as NodeJS.ReadableStream);
    const nextDelivery = linesOf(deliveries.stdout as NodeJS.ReadableStream);
    const ends = Promise.all([once(inbox, 'exit'), once(deliveries, 'exit')]);
    const told = Promise.all([inbox, deliveries].map(({ stderr }) => text(stderr as NodeJS.ReadableStream)));
    expect(JSON.parse(await nextMessage())).toMatchObject({ id: 1, answer: { status: 500 } });
    expect(JSON.parse(await nextDelivery())).toMatchObject({ id: 1, state: 'pending' });
    await send(`${ready.control_url}/inbox/other`, {});
    await run(['mock', 'advance', 'PT1M'], here);
    expect(JSON.parse(await nextMessage())).toMatchObject({ id: 2, answer: { status: 200 } });
    expect(JSON.parse(await nextDelivery())).toMatchObject({ id: 1, state: 'delivered', attempts: [{}, {}] });
    // After a reset the same numbers are those of other pushes.
    await run(['mock', 'reset'], here);
    await send(`${ready.base_url}/tenant/sites/101/webhooks`, {
      url,
      events: ['form.submit'],
      channel: 'custom',
    });
    await run(['mock', 'trigger', 'form.submit'], here);
    expect(JSON.parse(await nextDelivery())).toMatchObject({ id: 1, attempts: [{ status: 200 }] });
    expect((await run(['mock', 'stop'], here)).status).toBe(0);
    expect(await ends).toEqual([
      [0, null],
      [0, null],
    ]);
    expect(await told).toEqual(['sitepub: the mock has ended\n', 'sitepub: the mock has ended\n']);
  });

  test('a mock that is killed while one follows it is told of, with exit code 3', async () => {
    await using mock = await openMockCommand();
    await mock.logIn();
    const follower = start(['mock', 'requests', '--follow'], mock.here);
    const stderr = text(follower.stderr as NodeJS.ReadableStream);
    await linesOf(follower.stdout as NodeJS.ReadableStream)();
    const ended = once(follower, 'exit');
    mock.child.kill('SIGKILL');
    expect(await ended).toEqual([3, null]);
    expect(await stderr).toMatch(/^sitepub: the mock at \S+ was cut off/);
  });

  test('leaves compiled code for the next start, even where it is killed', async () => {
    const compiled = mkdtempSync(join(folder, 'compiled-'));
    await using mock = await openMockCommand([], { NODE_COMPILE_CACHE: compiled });
    await vi.waitFor(() => expect(globSync('*/*', { cwd: compiled })).not.toEqual([]), { timeout: 10_000 });
    expect(mock.child.exitCode).toBeNull();
  });
});
