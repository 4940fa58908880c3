import { expect, test } from 'vitest';
import { listenControl, openControl } from '../testing/open-control.ts';
import { exchangeRaw, openMock } from '../testing/open-mock.ts';

const token = 'correct-horse-battery';

/** Sends a control call line by line, so that any header can be in it. */
async function sendRaw(lines: readonly string[], options: Parameters<typeof openMock>[1] = {}) {
  const mock = openMock(undefined, options);
  const answer = await exchangeRaw(mock, [`${[...lines, 'connection: close'].join('\r\n')}\r\n\r\n`]);
  await mock.app.close();
  return { ...answer, error: (answer.envelope as unknown as { error?: string }).error };
}

test.each([
  'localhost',
  'a.b.localhost.:80',
  '127.0.0.1.',
  '192.168.1.20:4010',
  '[::1]',
  '[2001:DB8::1]:4010',
  'MOCK.test.:4010',
])('the host %s is its own', async (host) => {
  const { status } = await sendRaw(['GET /_mock/health HTTP/1.1', `host: ${host}`], {
    hostNames: ['Mock.Test'],
  });
  expect(status).toBe(200);
});

test.each([
  'evil.example:4010',
  'localhost..',
  'x.mock.test',
  'localhost@evil.example',
  'localhost:4010@evil.example',
  'evil.example#localhost',
  'localhost, evil.example',
  '127.1',
  '::1',
  '[::1]x',
  '[evil.example]',
  'localhost:4010:80',
  'localhost:x',
  '',
])('the host "%s" is refused, with what to do', async (host) => {
  const { status, error } = await sendRaw(['POST /_mock/reset HTTP/1.1', `host: ${host}`], {
    hostNames: ['mock.test'],
  });
  expect(status).toBe(403);
  expect(error).toBe(
    `the control API is not reached by the host ${JSON.stringify(host)}; call it by localhost or an IP address, start the mock with --host-name NAME, or start it with --control-token and send "Authorization: Bearer <control token>"`,
  );
});

test.each([
  ['two hosts', ['GET /_mock/world HTTP/1.1', 'host: localhost', 'Host: localhost']],
  ['no host', ['GET /_mock/world HTTP/1.0']],
  [
    'another scheme and host in its address',
    ['GET HTTPS://evil.example/_mock/world HTTP/1.1', 'host: localhost'],
  ],
  ['a user in its address', ['GET http://localhost@evil.example/_mock/world HTTP/1.1', 'host: localhost']],
  ['a foreign Host beside its address', ['GET http://localhost/_mock/world HTTP/1.1', 'host: evil.example']],
  ['X-Forwarded-Host', ['GET /_mock/world HTTP/1.1', 'host: evil.example', 'x-forwarded-host: localhost']],
  ['an encoded path', ['GET /%5fmock/world HTTP/1.1', 'host: evil.example']],
  ['the messages of an inbox', ['GET /_mock/inbox/ci/%6dessages HTTP/1.1', 'host: evil.example']],
  ['nothing that exists', ['GET /_mock/nothing HTTP/1.1', 'host: evil.example']],
  ['a preflight', ['OPTIONS /_mock/world HTTP/1.1', 'host: evil.example']],
  [
    'a WebSocket',
    [
      'GET /_mock/stream HTTP/1.1',
      'host: localhost',
      'upgrade: websocket',
      'connection: upgrade',
      'origin: http://evil.example',
    ],
  ],
])('a call with %s is refused', async (_case, lines) => {
  const { status, error, received } = await sendRaw(lines);
  expect([status, received.includes('sessions')]).toEqual([error === undefined ? 404 : 403, false]);
});

test.each([
  ['http://localhost:4010', 'LOCALHOST:4010', 200],
  ['http://localhost', 'localhost:80', 200],
  ['http://[::1]:4010', '[::1]:4010', 200],
  // Behind a tunnel, which speaks https at its own port, and may write another Host.
  ['https://mock.test', 'localhost:4010', 200],
  ['https://mock.test:8443', 'mock.test', 200],
  ['https://mock.test.evil.example', 'mock.test', 403],
  ['https://x.mock.test', 'mock.test', 403],
  ['https://mock.test@evil.example', 'mock.test', 403],
  ['https://evil.example/mock.test', 'mock.test', 403],
  ['ftp://mock.test', 'mock.test', 403],
  ['https://mock.test, https://evil.example', 'mock.test', 403],
  ['http://localhost:3000', 'localhost:4010', 403],
  ['http://127.0.0.1:4010', 'localhost:4010', 403],
  ['https://localhost:4010', 'localhost:4010', 403],
  ['http://evil.example:4010', 'evil.example:4010', 403],
  ['http://localhost:4010.evil.example', 'localhost:4010', 403],
  ['null', 'localhost:4010', 403],
  ['', 'localhost:4010', 403],
  ['chrome-extension://abc', 'localhost:4010', 403],
  ['http://localhost:4010, http://evil.example', 'localhost:4010', 403],
])('a page of %s that calls %s is answered with %i', async (origin, host, want) => {
  const { status, error = 'web page' } = await sendRaw(
    ['POST /_mock/reset HTTP/1.1', `host: ${host}`, `origin: ${origin}`],
    { hostNames: ['mock.test'] },
  );
  expect(status).toBe(want);
  expect(error).toMatch(host.startsWith('evil') ? '--host-name' : 'web page');
});

test.each([
  ['cross-site', 403],
  ['same-site', 403],
  ['same-origin', 200],
  ['none', 200],
])('a browser’s request without Origin, %s, is answered with %i', async (site, want) => {
  const lines = ['GET /_mock/world HTTP/1.1', 'host: localhost', `sec-fetch-site: ${site}`];
  expect((await sendRaw(lines)).status).toBe(want);
});

test('who has the control token may call by any name and from any page; the token must be right', async () => {
  const lines = ['POST /_mock/reset HTTP/1.1', 'host: sitepub:4010', 'origin: http://evil.example'];
  const options = { controlToken: token };
  const right = await sendRaw([...lines, `authorization: Bearer ${token}`], options);
  const wrong = await sendRaw([...lines, `authorization: Bearer ${token}x`], options);
  expect([right.status, wrong.status, (await sendRaw(lines, options)).status]).toEqual([200, 401, 401]);
});

test('a preflight is refused, and no message to an inbox', async () => {
  const lines = ['OPTIONS /_mock/inbox/ci HTTP/1.1', 'host: localhost', 'origin: http://evil.example'];
  const { status, error } = await sendRaw([...lines, 'access-control-request-method: PUT']);
  expect([status, error]).toEqual([403, expect.stringContaining('allow none to')]);
  expect((await sendRaw(lines)).status).toBe(200);
});

test('an inbox takes messages from any page and by any name', async () => {
  const lines = ['POST /_mock/inbox/ci HTTP/1.1', 'host: evil.example', 'origin: http://evil.example'];
  expect((await sendRaw([...lines, 'sec-fetch-site: cross-site'])).status).toBe(200);
});

test.each(['POST /reset', 'POST /drain', 'DELETE /limits', 'DELETE /inbox/ci'])(
  '%s takes no body but an empty one',
  async (line) => {
    const { call } = openControl();
    const send = async (body: string) => (await call(line, body)).status;
    for (const body of ['', '{}', ' {\n} ']) expect(await send(body)).toBe(200);
    for (const body of ['{"event":"x"}', 'null', 'a=b', ' '.repeat(2_000_000)])
      expect(await send(body)).toBe(400);
  },
);

test('a webhook that is subscribed to a control call does not make it', async () => {
  const { subscribe, origin, control } = await listenControl();
  const { now } = await control.advance('PT1H');
  for (const path of ['reset', 'drain', 'clock', 'events', 'overrides', 'tokens/expire', 'world'])
    for (const channel of ['custom', 'wecom', 'dingtalk', 'feishu'])
      expect((await subscribe({ url: `${origin}/_mock/${path}`, channel })).status).toBe(200);
  control.causeEvent({ event: 'publish.complete', site_id: 101 });
  await control.drain();
  const statuses = control.deliveries().deliveries.map(({ attempts: [first] }) => first?.status);
  expect(statuses).toHaveLength(28);
  expect(new Set(statuses)).toEqual(new Set([400, 405]));
  expect([control.clock().now, control.overrides().overrides]).toEqual([now, []]);
});
