// `sitepub learn --proxy` as people meet it: what it says while they click, what Ctrl-C writes, and what it refuses.
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { callOperations, typedWords } from '../../contract-tests/learn/testing/call-operations.ts';
import { loadProfile } from '../../openapi/profile.ts';
import { credentialsOf, openCommand, openMock, requestsOf } from '../testing.ts';
import { startLearnProxy } from './testing/start-learn-proxy.ts';

const { folder, start, runHere, remove } = openCommand();
afterAll(remove);

const startProxy = (args: readonly string[], baseUrl: string, environment = {}) =>
  startLearnProxy(args, { start: (all) => start(all, environment), baseUrl });

async function use(origin: string, { tenants }: Awaited<ReturnType<typeof openMock>>) {
  const [tenant] = tenants;
  const [user] = tenant?.users ?? [];
  if (!tenant || !user) throw new Error('the world has no user');
  const siteId = Number(tenant.sites[0]?.id);
  await callOperations({ baseUrl: `${origin}/api/v1`, profile: loadProfile('default'), user, siteId });
  return user;
}

async function listSites(origin: string, { tenants }: Awaited<ReturnType<typeof openMock>>) {
  const [user] = tenants[0]?.users ?? [];
  const body = JSON.stringify({ username: user?.username, password: user?.password });
  const headers = { 'Content-Type': 'application/json' };
  const login = await fetch(`${origin}/api/v1/auth/tenant/login`, { method: 'POST', headers, body });
  const { data } = (await login.json()) as { data: { token: string } };
  const authorization = `Bearer ${data.token}`;
  await (await fetch(`${origin}/api/v1/tenant/sites`, { headers: { authorization } })).text();
}

test('says what is learnt while somebody clicks, and Ctrl-C writes the profile, which keeps what was known', async () => {
  await using mock = await openMock();
  const [known, out] = [join(folder, 'known.yaml'), join(folder, 'seen.yaml')];
  writeFileSync(known, 'operation.ai: not-offered\n');
  const proxy = await startProxy(['--profile', known, '--out', out], mock.baseUrl);
  expect(proxy.shown.stderr).toContain('\n  delete a content item to learn operation.delete-content\n');
  expect(proxy.shown.stderr).not.toContain('operation.ai');
  await listSites(proxy.origin, mock);
  const wants = /^learnt: operation\.list-sites.*\nstill want a click: .+ to learn operation\./m;
  await expect.poll(() => proxy.shown.stderr, { timeout: 30_000 }).toMatch(wants);
  const user = await use(proxy.origin, mock);
  await expect.poll(() => proxy.shown.stderr, { timeout: 30_000 }).toContain('all operations are learnt');
  const { code, stdout, stderr } = await proxy.end('SIGINT');
  expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
  expect(stderr).toContain('learnt: operation.delete-key, DELETE /tenant/keys/{keyID}\n');
  expect(stderr).toMatch(/of which 24 are certain, 0 doubtful; 0 not found/);
  const profile = readFileSync(out, 'utf8');
  expect(profile).toContain('operation.ai: not-offered  # given\n');
  expect(loadProfile(out).values['operation.publish-site']).toMatchObject({ version: '/data/version' });
  const secrets = [user.password, typedWords.secret, typedWords.author, typedWords.url];
  expect(secrets.filter((secret) => (profile + stderr).includes(secret))).toEqual([]);
});

test('a second Ctrl-C ends the trying, and what was learnt is written', async () => {
  await using mock = await openMock();
  const out = join(folder, 'tried.yaml');
  const proxy = await startProxy(['--try', '--out', out], mock.baseUrl, credentialsOf(mock));
  await use(proxy.origin, mock);
  const before = requestsOf(mock).length;
  void proxy.end('SIGINT');
  const count = () => requestsOf(mock).length;
  await expect.poll(count, { interval: 5, timeout: 30_000 }).toBeGreaterThan(before);
  // The same signal within half a second would be the same press.
  const { code, stderr } = await proxy.end('SIGTERM');
  expect(code).toBe(130);
  expect(stderr).toContain('interrupted; cleaning up');
  expect(Object.keys(loadProfile(out).values)).toContain('operation.publish-site');
});

test.for(['SIGTERM', 'SIGHUP'] as const)(
  '%s: nothing that was learnt is lost where --out can no longer be written',
  async (signal) => {
    await using mock = await openMock();
    const gone = mkdtempSync(join(folder, 'gone-'));
    const proxy = await startProxy(['--out', join(gone, 'out.yaml')], mock.baseUrl);
    await use(proxy.origin, mock);
    rmSync(gone, { recursive: true });
    const { code, stdout, stderr } = await proxy.end(signal);
    expect(code).toBe(4);
    expect(stderr).toContain('the profile is on standard output');
    expect(stdout).toMatch(/^operation\.delete-key: {2}# call \d+ of the recording/m);
  },
);

test('with nothing recorded it writes nothing, says why, and ends with 3', async () => {
  await using mock = await openMock();
  const proxy = await startProxy([], mock.baseUrl);
  const { code, stdout, stderr } = await proxy.end('SIGINT');
  expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
  expect(stderr).toContain(`proxy: the recording has no call of ${mock.baseUrl}\n`);
});

test.for<[string, string[], number, RegExp]>([
  ['no base address', ['--proxy', '8080'], 2, /--base-url is missing/],
  [
    'no port',
    ['--proxy', 'x', '--base-url', 'http://127.0.0.1:9/api/v1'],
    2,
    /--proxy is "x"; expected a port/,
  ],
  ['a host alone', ['--proxy-host', '0.0.0.0'], 2, /--proxy-host is given and --proxy is not/],
  [
    'a deployment that is not there',
    ['--proxy', '0', '--base-url', 'http://127.0.0.1:9/api/v1'],
    3,
    /--base-url can't be reached: .*127\.0\.0\.1:9/,
  ],
])('with %s it ends with a sentence', async ([, args, want, message]) => {
  const { status: code, stdout, stderr } = await runHere(['learn', ...args]);
  expect({ code, stdout }).toEqual({ code: want, stdout: '' });
  expect(stderr).toMatch(message);
  expect(stderr).not.toMatch(/\n\s+at /);
});

test('waits for the deployment no longer than it is told', async () => {
  const server = createServer(() => {});
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1`;
  const args = ['learn', '--proxy', '0', '--base-url', baseUrl, '--request-timeout', '0.1s'];
  const { status, stderr } = await runHere(args);
  server.close();
  server.closeAllConnections();
  expect({ status, stderr }).toEqual({ status: 3, stderr: expect.stringMatching(/within 0\.1 s/) });
});

test('a port that is taken is named', async () => {
  const server = createServer((_incoming, outgoing) => outgoing.end());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const { status: code, stderr } = await runHere([
    'learn',
    '--proxy',
    `${port}`,
    '--base-url',
    `http://127.0.0.1:${port}/api/v1`,
  ]);
  server.close();
  expect(code).toBe(2);
  expect(stderr).toContain(`--proxy: can't listen on 127.0.0.1:${port} (EADDRINUSE); choose another port`);
});
