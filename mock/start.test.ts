import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { MockError, type StartedMock, type StartOptions, startMock } from './start.ts';
import { openReceiver } from './testing/open-mock.ts';

async function start(options?: StartOptions): Promise<StartedMock> {
  const mock = await startMock(options);
  onTestFinished(() => mock.close());
  return mock;
}

test('returns the addresses and the credentials of the tenants', async () => {
  const mock = await start({ seed: 7 });
  const [harbour] = mock.tenants;
  expect(harbour).toEqual({
    id: 1,
    name: 'Harbour Café',
    users: [
      { username: 'mei@harbour-cafe.example', password: 'demo-password-mei' },
      { username: 'tom@harbour-cafe.example', password: 'demo-password-tom' },
    ],
    apiKey: expect.stringMatching(/^sp_[A-Za-z0-9]{32}$/),
    apiKeys: [harbour?.apiKey],
    sites: [
      { id: 101, name: '海港咖啡馆' },
      { id: 102, name: 'Harbour Roastery' },
    ],
  });
  const health = await (await fetch(`${mock.controlUrl}/health`)).json();
  expect(health).toMatchObject({ ready: true, base_url: mock.baseUrl });
  const listed = await fetch(`${mock.baseUrl}/tenant/sites`, {
    headers: { authorization: `Bearer ${harbour?.apiKey}` },
  });
  expect(await listed.json()).toMatchObject({ code: 0, data: { total: 2 } });
});

test('the addresses of an IPv6 mock can be called', async () => {
  const mock = await start({ host: '::1' });
  expect(mock.baseUrl).toMatch(/^http:\/\/\[::1\]:\d+\/api\/v1$/);
  expect((await fetch(`${mock.controlUrl}/health`)).status).toBe(200);
});

test('each address of localhost leads to the mock', async () => {
  const { controlUrl } = await start({ host: 'localhost' });
  const { port } = new URL(controlUrl);
  for (const { address, family } of await lookup('localhost', { all: true })) {
    const host = family === 6 ? `[${address}]` : address;
    expect((await fetch(`http://${host}:${port}/_mock/health`)).status).toBe(200);
  }
});

test('a port in use is reported with what to do', async () => {
  const { baseUrl } = await start();
  const port = Number(new URL(baseUrl).port);
  await expect(startMock({ port })).rejects.toStrictEqual(
    new MockError(
      `port ${port} on 127.0.0.1 is in use; choose another with --port, or --port 0 for any free one`,
    ),
  );
});

test('an invalid address is reported with what to do', async () => {
  await expect(startMock({ host: 'host.invalid' })).rejects.toThrow(
    /^can't listen on port 0 of host\.invalid: .*(ENOTFOUND|EAI_AGAIN)/,
  );
});

test('any host but a loopback address needs a control token, by default a random one', async () => {
  const open = await start({ host: '0.0.0.0' });
  const given = await start({ host: '0.0.0.0', controlToken: 'known' });
  const loopback = await start();
  expect([open.controlToken, given.controlToken, loopback.controlToken]).toEqual([
    expect.stringMatching(/^[0-9a-f]{48}$/),
    'known',
    undefined,
  ]);
});

test.for([
  ['0.0.0.0', 'http://127.0.0.1:'],
  ['::', 'http://[::1]:'],
  ['::1', 'http://[::1]:'],
] as const)('a mock that listens on %s is called at %s', async ([host, origin]) => {
  const mock = await start({ host, controlPort: 0, controlToken: 'known' });
  const world = await mock.worlds.create({ name: 'one' });
  const addresses = [mock.baseUrl, mock.controlUrl, world.baseUrl, world.controlUrl];
  const answers = await Promise.all(addresses.map((url) => fetch(url)));
  expect(addresses.filter((url) => !url.startsWith(origin))).toEqual([]);
  expect(answers.map(({ status }) => status)).toEqual([404, 401, 404, 401]);
});

test('the control API can have a separate port', async () => {
  const { baseUrl, controlUrl } = await start({ controlPort: 0 });
  expect(new URL(controlUrl).port).not.toBe(new URL(baseUrl).port);
  const health = (origin: string) => fetch(`${origin}/_mock/health`);
  expect((await health(new URL(controlUrl).origin)).status).toBe(200);
  expect((await health(new URL(baseUrl).origin)).status).toBe(404);
});

test('with browsers allowed, a control API with a port of its own is not', async () => {
  const mock = await start({ cors: true, controlPort: 0 });
  const { origin } = new URL(mock.baseUrl);
  const headers = { origin: 'http://evil.example', 'access-control-request-method': 'GET' };
  for (const base of [mock.controlUrl, `${origin}/_mock`])
    for (const method of ['OPTIONS', 'GET']) {
      const answer = await fetch(`${base}/health`, { method, headers });
      const names = [...answer.headers.keys()].filter((name) => name.startsWith('access-control'));
      expect([answer.ok, names]).toEqual([false, []]);
    }
});

test('a host name that is none is refused', async () => {
  for (const name of ['http://mock.test', 'mock.test:4010', '*.test', 'a b', '[::1]', '', 'a/b'])
    await expect(startMock({ hostNames: [name] })).rejects.toThrow('expected a host name alone');
});

test.each(['https://mock.example', 'https://mock.example:8443/', 'http://shop.example/mocks/'])(
  'what is answered names the public address %s',
  async (publicUrl) => {
    const mock = await start({ publicUrl, clock: 'manual' });
    const root = publicUrl.replace(/\/$/, '');
    const ask = async (path: string) => (await fetch(new URL(path, mock.baseUrl))).json();
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

test('a control API with a port of its own is not at the public address', async () => {
  const mock = await start({ publicUrl: 'https://mock.example', controlPort: 0 });
  const health = await (await fetch(`${mock.controlUrl}/health`)).json();
  expect([health, mock.control.inbox('ci').url]).toEqual([
    expect.objectContaining({ base_url: 'https://mock.example/api/v1' }),
    `${mock.controlUrl}/inbox/ci`,
  ]);
});

test('the console at the public address may call the control API, and no other page', async () => {
  const mock = await start({ publicUrl: 'https://mock.example', clock: 'manual' });
  const post = async (host: string, origin: string) => {
    const { promise, resolve } = Promise.withResolvers<number | undefined>();
    const sent = request(`${mock.controlUrl}/reset`, { method: 'POST', headers: { host, origin } });
    sent.on('response', (answer) => resolve(answer.resume().statusCode)).end();
    return promise;
  };
  expect(await post('mock.example', 'https://mock.example')).toBe(200);
  expect(await post('evil.example', 'https://mock.example')).toBe(403);
  expect(await post('mock.example', 'https://evil.example')).toBe(403);
});

test('a public address that is none is refused', async () => {
  const wrong = [
    'mock.example',
    'ftp://mock.example',
    'https://',
    'https://a:b@c.example',
    'https://c/?x',
    '',
  ];
  for (const publicUrl of wrong)
    await expect(startMock({ publicUrl })).rejects.toThrow(
      'expected the http or https address under which others reach the mock',
    );
});

test('latency delays every answer', async () => {
  const { baseUrl } = await start({ latency: { least: 60, most: 80 } });
  const before = performance.now();
  await fetch(`${baseUrl}/tenant/sites`);
  expect(performance.now() - before).toBeGreaterThan(55);
});

test('draining waits for a request and a push in progress, and accepts no new connections', async () => {
  const receiver = await openReceiver(() => ({ status: 200 }));
  const mock = await start({ latency: { least: 150, most: 150 } });
  const headers = { authorization: `Bearer ${mock.tenants[0]?.apiKey}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ url: receiver.url, events: ['form.submit'], channel: 'custom' });
  const slow = fetch(`${mock.baseUrl}/tenant/sites/101/webhooks`, { method: 'POST', headers, body });
  await new Promise((resolve) => setTimeout(resolve, 50));
  const draining = mock.drain();
  expect((await slow).status).toBe(200);
  await draining;
  await expect(fetch(mock.baseUrl)).rejects.toThrow();
  receiver.close();
});

test('private targets are refused on request', async () => {
  const mock = await start({ refusePrivateTargets: true });
  const subscribe = async (url: string) => {
    const answer = await fetch(`${mock.baseUrl}/tenant/sites/101/webhooks`, {
      method: 'POST',
      headers: { authorization: `Bearer ${mock.tenants[0]?.apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ url, events: ['form.submit'], channel: 'custom' }),
    });
    return ((await answer.json()) as { code: number }).code;
  };
  expect(await subscribe('http://127.0.0.1:9000/')).toBe(40002);
  expect(await subscribe('https://hooks.example/x')).toBe(0);
});

test('closes at once, with an open connection and a push in progress', async () => {
  const receiver = await openReceiver(() => undefined);
  const { baseUrl, tenants, close } = await startMock();
  const headers = { authorization: `Bearer ${tenants[0]?.apiKey}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ url: receiver.url, events: ['form.submit'], channel: 'custom' });
  await fetch(`${baseUrl}/tenant/sites/101/webhooks`, { method: 'POST', headers, body });
  await fetch(`${baseUrl}/tenant/sites/101/webhooks/1/test`, { method: 'POST', headers });
  const idle = connect(Number(new URL(baseUrl).port), '127.0.0.1');
  await once(idle, 'connect');
  const ended = once(idle, 'close');
  await waitFor(async () => receiver.received.length === 1);
  const before = performance.now();
  await close();
  await ended;
  await waitFor(async () => (await receiver.countConnections()) === 0);
  expect(performance.now() - before).toBeLessThan(4000);
  receiver.close();
});

async function waitFor(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 5));
}
