import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { MockError, startMock } from './start.ts';
import { openReceiver } from './testing/open-mock.ts';
import { hook, send, startTestMock as start } from './testing/started-mock.ts';

test('returns the addresses and the credentials of the tenants', async () => {
  const mock = await start({ seed: 7 });
  const [harbour] = mock.tenants;
  expect(harbour).toMatchObject({
    id: 1,
    name: 'Harbour Café',
    apiKeys: [harbour?.apiKey],
    users: [{ username: 'mei@harbour-cafe.example', password: 'demo-password-mei' }, {}],
    apiKey: expect.stringMatching(/^sp_[A-Za-z0-9]{32}$/),
    sites: [{ id: 101, name: '海港咖啡馆' }, { id: 102 }],
  });
  const listed = await send(`${mock.baseUrl}/tenant/sites`, { token: harbour?.apiKey });
  expect(listed.body).toMatchObject({ code: 0, data: { total: 2 } });
});

test('reports a port in use with advice', async () => {
  const { baseUrl } = await start();
  const port = Number(new URL(baseUrl).port);
  await expect(startMock({ port })).rejects.toStrictEqual(
    new MockError(
      `port ${port} on 127.0.0.1 is in use; choose another with --port, or use --port 0 for any free port`,
    ),
  );
  await expect(startMock({ controlPort: port })).rejects.toThrow(
    'choose another with --control-port, or use',
  );
});

const wrongHost = 'expected only a host name';
const wrongAddress = 'expected the http or https URL by which others reach the mock';

test.each([
  [{ host: 'host.invalid' }, /^can't listen on port 0 of host\.invalid: .*(ENOTFOUND|EAI_AGAIN)/],
  [{ hostNames: ['mock.test:4010'] }, wrongHost],
  [{ hostNames: ['*.test'] }, wrongHost],
  [{ hostNames: ['[::1]'] }, wrongHost],
  [{ hostNames: [''] }, wrongHost],
  [{ publicUrl: 'mock.example' }, wrongAddress],
  [{ publicUrl: 'ftp://mock.example' }, wrongAddress],
  [{ publicUrl: 'https://a:b@c.example' }, `--public-url is "…@c.example"; ${wrongAddress}`],
  [{ publicUrl: 'https://c/?x' }, wrongAddress],
])('refuses %j', async (options, problem) => {
  await expect(startMock(options)).rejects.toThrow(problem);
});

test.each([
  ['0.0.0.0', undefined, expect.stringMatching(/^[0-9a-f]{48}$/)],
  ['0.0.0.0', 'known', 'known'],
  ['127.0.0.1', undefined, undefined],
])('on the host %s with the control token %s, requires the token %s', async (host, given, want) => {
  const { controlToken } = await start({ host, ...(given && { controlToken: given }) });
  expect(controlToken).toEqual(want);
});

test.each([
  ['0.0.0.0', 'http://127.0.0.1:'],
  ['::', 'http://[::1]:'],
  ['::1', 'http://[::1]:'],
])('a mock that listens on %s has addresses with %s', async (host, origin) => {
  const mock = await start({ host, controlPort: 0, controlToken: 'known' });
  const world = await mock.worlds.create({ name: 'one' });
  const addresses = [mock.baseUrl, mock.controlUrl, world.baseUrl, world.controlUrl];
  const answers = await Promise.all(addresses.map((url) => fetch(url)));
  expect(addresses.filter((url) => !url.startsWith(origin))).toEqual([]);
  expect(answers.map(({ status }) => status)).toEqual([404, 401, 404, 401]);
});

test.each(['https://mock.example', 'https://mock.example:8443/', 'http://shop.example/mocks/'])(
  'answers contain the public address %s',
  async (publicUrl) => {
    const mock = await start({ publicUrl, clock: 'manual' });
    const root = publicUrl.replace(/\/$/, '');
    const ask = async (path: string) => (await send(new URL(path, mock.baseUrl).href)).body;
    expect(new URL(mock.baseUrl).hostname).toBe('127.0.0.1');
    expect(await ask('/_mock/health')).toMatchObject({ base_url: `${root}/api/v1` });
    expect(await ask('/')).toMatchObject({ control_url: `${root}/_mock`, docs_url: `${root}/docs` });
    expect(mock.control.inbox('ci').url).toBe(`${root}/_mock/inbox/ci`);
    await mock.worlds.create({ name: 'a' });
    expect(await ask('/_mock/worlds')).toMatchObject({
      worlds: [{ base_url: `${root}/api/v1` }, { control_url: `${root}/w/a/_mock` }],
    });
    expect(await ask('/w/a/_mock/health')).toMatchObject({ base_url: `${root}/w/a/api/v1` });
  },
);

test('serves the control API only on its separate port, outside the public address', async () => {
  const mock = await start({ publicUrl: 'https://mock.example', controlPort: 0 });
  expect((await fetch(new URL('/_mock/health', mock.baseUrl))).status).toBe(404);
  const health = await send(`${mock.controlUrl}/health`);
  expect(health.body).toMatchObject({ base_url: 'https://mock.example/api/v1' });
  expect(mock.control.inbox('ci').url).toBe(`${mock.controlUrl}/inbox/ci`);
});

test.each([
  ['mock.example', 'https://mock.example', 200],
  ['evil.example', 'https://mock.example', 403],
  ['mock.example', 'https://evil.example', 403],
])('with a public address, answers the host %s and the origin %s with %i', async (host, origin, want) => {
  const mock = await start({ publicUrl: 'https://mock.example', clock: 'manual' });
  const sent = request(`${mock.controlUrl}/reset`, { method: 'POST', headers: { host, origin } }).end();
  const [answer] = await once(sent, 'response');
  answer.resume();
  expect(answer.statusCode).toBe(want);
});

test('latency delays answers; draining waits for a request, and refuses new connections', async () => {
  const receiver = await openReceiver(() => ({ status: 200 }));
  const { baseUrl, tenants, drain } = await start({ latency: { least: 150, most: 150 } });
  const body = hook(receiver.url, 'form.submit');
  const before = performance.now();
  const slow = send(`${baseUrl}/tenant/sites/101/webhooks`, { token: tenants[0]?.apiKey, body });
  await sleep(50);
  const draining = drain();
  expect((await slow).status).toBe(200);
  expect(performance.now() - before).toBeGreaterThan(145);
  await draining;
  await expect(fetch(baseUrl)).rejects.toThrow();
});

test.each([
  ['http://127.0.0.1:9000/', 40002],
  ['https://hooks.example/x', 0],
])('with refusePrivateTargets, the target %s gets %i', async (url, code) => {
  const { baseUrl, tenants } = await start({ refusePrivateTargets: true });
  const call = { token: tenants[0]?.apiKey, body: hook(url) };
  expect((await send(`${baseUrl}/tenant/sites/101/webhooks`, call)).body).toMatchObject({ code });
});

test('closes at once despite an open connection and a push in progress', async () => {
  const receiver = await openReceiver(() => undefined);
  const { baseUrl, tenants, close } = await startMock();
  const token = tenants[0]?.apiKey;
  await send(`${baseUrl}/tenant/sites/101/webhooks`, { token, body: hook(receiver.url) });
  await send(`${baseUrl}/tenant/sites/101/webhooks/1/test`, { token, method: 'POST' });
  const idle = connect(Number(new URL(baseUrl).port), '127.0.0.1');
  await once(idle, 'connect');
  const ended = once(idle, 'close');
  await expect.poll(() => receiver.received.length, { timeout: 5000 }).toBe(1);
  const before = performance.now();
  await close();
  await ended;
  await expect.poll(() => receiver.countConnections(), { timeout: 5000 }).toBe(0);
  expect(performance.now() - before).toBeLessThan(4000);
});
