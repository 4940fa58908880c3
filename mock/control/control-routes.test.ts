import { expect, test } from 'vitest';
import { basePath } from '../http/paths.ts';
import { callerOf, examplePathOf, listenControl, openControl } from '../testing/open-control.ts';
import { openMock, sendLines } from '../testing/open-mock.ts';
import { toSnapshot } from '../world/snapshot.ts';
import { controlCalls } from './control-contract.ts';

const calls = controlCalls();
const token = 'correct-horse-battery';

test.each([
  ['GET', '', 'known'],
  ['DELETE', '/', 'known'],
  ['OPTIONS', '/world', 'did you mean GET /_mock/world? Known'],
  ['POST', '/inbox/', 'did you mean GET /_mock/inboxes? Known'],
  ['GET', '/helth', 'did you mean GET /_mock/health? Known'],
  ['POST', '/clok', 'did you mean POST /_mock/clock? Known'],
  ['PUT', '/deliveries/7/redelive', 'did you mean POST /_mock/deliveries/{id}/redeliver? Known'],
  ['POST', '/nope', 'known'],
])('%s /_mock%s answers 404 with a suggestion, if any, and the list of calls', async (method, path, hint) => {
  const { status, body } = await openControl().call(`${method} ${path}`);
  const names = calls.map(({ name }) => name).join(', ');
  expect([status, body.error]).toEqual([404, `there is no ${method} /_mock${path}; ${hint} calls: ${names}`]);
});

test.each([
  ['POST', '/health', 'GET'],
  ['PATCH', '/world', 'GET, PUT'],
])('%s /_mock%s answers 405 and allows %s', async (method, path, allow) => {
  const error = `/_mock${path} does not support ${method}; use ${allow}`;
  const answer = await openControl().call(`${method} ${path}`);
  expect(answer).toMatchObject({ status: 405, headers: { allow }, body: { error } });
});

const reading = calls.filter(({ method }) => method === 'GET');

test.for(reading)('answers HEAD like $name, without the body', async (call) => {
  const { app, service } = openControl();
  const url = `/_mock${examplePathOf(call)}`;
  const asked = url.endsWith('/stream') ? undefined : await app.inject({ method: 'GET', url });
  const { statusCode, headers, payload } = await app.inject({ method: 'HEAD', url });
  expect([statusCode, payload]).toEqual([asked?.statusCode ?? 200, '']);
  expect(headers['content-type']).toBe(asked?.headers['content-type'] ?? 'text/event-stream');
  expect(service.world.inboxes.size).toBe(0);
});

test('answers 405 to HEAD if the path has no GET', async () => {
  const { statusCode, headers } = await openMock().app.inject({ method: 'HEAD', url: '/_mock/reset' });
  expect([statusCode, headers.allow]).toEqual([405, 'POST']);
});

test.each(['/_mockery', `${basePath}/_mock/health`, '//_mock/world', '/_MOCK/health'])(
  '%s is not part of the control API',
  async (url) => {
    expect((await openMock().app.inject({ url })).json().code).toBe(40403);
  },
);

test('refuses a body whose content type is not JSON', async () => {
  const answer = await openControl().call('POST /clock', '{}', { 'content-type': 'text/plain' });
  const error = 'the body is declared as "text/plain"; expected application/json';
  expect(answer).toMatchObject({ status: 415, body: { error: expect.stringContaining(error) } });
});

test('writes exceptions only to the log', async () => {
  const { call, service, logged } = openControl();
  service.journal.entries = () => {
    throw new Error('a detail');
  };
  const { status, text } = await call('GET /requests');
  expect([status, text.includes('a detail')]).toEqual([500, false]);
  expect(logged).toEqual([expect.stringContaining('a detail')]);
});

test('control calls do not count as traffic of the service', async () => {
  const { call, service } = openControl(undefined, { latency: { least: 200, most: 200 } });
  const before = toSnapshot(service.world);
  const startedAt = performance.now();
  for (let count = 0; count < 5; count++) {
    await call('GET /health');
    await call('GET /nothing');
    await call('POST /clock', { speed: 2 });
  }
  expect(performance.now() - startedAt).toBeLessThan(2500);
  expect(toSnapshot(service.world)).toEqual(before);
  expect(service.journal.entries()).toEqual([]);
});

const withToken = calls.filter(({ id }) => !['sendMessage', 'getLive', 'getReady'].includes(id));

test.for(withToken)('$name requires the control token', async (described) => {
  const { service, call } = openControl(undefined, { controlToken: token });
  const before = toSnapshot(service.world);
  const line = `${described.method} ${examplePathOf(described)}`;
  for (const authorization of ['', token, `Basic ${token}`, `Bearer ${token}x`, 'Bearer']) {
    const answer = await call(line, undefined, authorization ? { authorization } : {});
    expect([answer.status, answer.headers['www-authenticate']]).toEqual([401, 'Bearer']);
    expect(answer.text).not.toContain(token);
  }
  expect(toSnapshot(service.world)).toEqual(before);
});

test.each([
  ['GET', '/_mock'],
  ['GET', '/_mock/nothing'],
  ['HEAD', '/_mock/health'],
  ['OPTIONS', '/_mock/world'],
  ['GET', '/_mock/world?x=/_mock/inbox/ci'],
  ['GET', '/_mock/world#/inbox/ci'],
  ['GET', '/%5fmock/world'],
  ['GET', '/_mock/../_mock/world'],
  ['GET', '/_mock//world'],
  ['GET', '//_mock/world'],
  ['GET', 'http://mock.example/_mock/world'],
  ['GET', '/_mock/inbox/'],
  ['GET', '/_mock/inbox/ci/%6Dessages'],
  ['PUT', '/_mock/inbox/ci'],
] as const)('%s %s reveals nothing without the token', async (method, url) => {
  const { app, service } = openMock(undefined, { controlToken: token });
  const before = toSnapshot(service.world);
  const { status, body } = await sendLines({ app }, [`${method} ${url} HTTP/1.1`, 'host: a']);
  expect([401, 404]).toContain(status);
  expect(body).not.toContain('tenants');
  expect({ ...toSnapshot(service.world), random: 0 }).toEqual({ ...before, random: 0 });
});

test.each(['Bearer ', 'bearer ', 'Bearer   '])('accepts the token after %j', async (scheme) => {
  const { app } = openMock(undefined, { controlToken: token });
  const answer = await callerOf(app)('GET /health', undefined, { authorization: scheme + token });
  expect(answer.status).toBe(200);
});

test.each([
  ['GET', '/_mock/inbox/ci?x'],
  ['POST', '/_mock/inbox/ci/messages'],
] as const)('%s %s is a message, which needs no token', async (method, url) => {
  const { app, service, codeOf, mei } = openMock(undefined, { controlToken: token });
  expect((await app.inject({ method, url })).statusCode).toBe(200);
  expect(service.world.messages.of('ci').size).toBe(1);
  expect(await codeOf('login', mei)).toBe(0);
});

/** Sends a control call line by line, so that it can have any header. */
async function sendRaw(lines: readonly string[], options: Parameters<typeof openMock>[1] = {}) {
  const answer = await sendLines(openMock(undefined, options), lines);
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
])('accepts the host %s', async (host) => {
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
])('refuses the host "%s" with advice', async (host) => {
  const { status, error } = await sendRaw(['POST /_mock/reset HTTP/1.1', `host: ${host}`], {
    hostNames: ['mock.test'],
  });
  expect(status).toBe(403);
  expect(error).toBe(
    `the control API does not accept the host ${JSON.stringify(host)}; use localhost or an IP address, start the mock with --host-name NAME, or start the mock with --control-token and send "Authorization: Bearer <control token>"`,
  );
});

const webSocket = ['upgrade: websocket', 'connection: upgrade', 'origin: http://evil.example'];

test.each([
  ['two hosts', ['GET /_mock/world HTTP/1.1', 'host: localhost', 'Host: localhost']],
  ['no host', ['GET /_mock/world HTTP/1.0']],
  ['another scheme and host', ['GET HTTPS://evil.example/_mock/world HTTP/1.1', 'host: localhost']],
  ['a user in its address', ['GET http://localhost@evil.example/_mock/world HTTP/1.1', 'host: localhost']],
  ['a foreign Host beside its address', ['GET http://localhost/_mock/world HTTP/1.1', 'host: evil.example']],
  ['X-Forwarded-Host', ['GET /_mock/world HTTP/1.1', 'host: evil.example', 'x-forwarded-host: localhost']],
  ['an encoded path', ['GET /%5fmock/world HTTP/1.1', 'host: evil.example']],
  ['the messages of an inbox', ['GET /_mock/inbox/ci/%6dessages HTTP/1.1', 'host: evil.example']],
  ['nothing that exists', ['GET /_mock/nothing HTTP/1.1', 'host: evil.example']],
  ['a preflight', ['OPTIONS /_mock/world HTTP/1.1', 'host: evil.example']],
  ['a WebSocket', ['GET /_mock/stream HTTP/1.1', 'host: localhost', ...webSocket]],
])('refuses a call with %s', async (_case, lines) => {
  const { status, error, received } = await sendRaw(lines);
  expect([status, received.includes('sessions')]).toEqual([error === undefined ? 404 : 403, false]);
});

test.each([
  ['http://localhost:4010', 'LOCALHOST:4010', 200],
  ['http://localhost', 'localhost:80', 200],
  ['http://[::1]:4010', '[::1]:4010', 200],
  // A tunnel uses https on its own port, and may change Host.
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
])('a page of %s that calls %s gets %i', async (origin, host, want) => {
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
])('a browser request without Origin and with Sec-Fetch-Site %s gets %i', async (site, want) => {
  const lines = ['GET /_mock/world HTTP/1.1', 'host: localhost', `sec-fetch-site: ${site}`];
  expect((await sendRaw(lines)).status).toBe(want);
});

test('with the right control token, accepts any host and any origin', async () => {
  const lines = ['POST /_mock/reset HTTP/1.1', 'host: sitepub:4010', 'origin: http://evil.example'];
  const options = { controlToken: token };
  const right = await sendRaw([...lines, `authorization: Bearer ${token}`], options);
  const wrong = await sendRaw([...lines, `authorization: Bearer ${token}x`], options);
  expect([right.status, wrong.status, (await sendRaw(lines, options)).status]).toEqual([200, 401, 401]);
});

test('refuses a preflight instead of recording it in an inbox', async () => {
  const lines = ['OPTIONS /_mock/inbox/ci HTTP/1.1', 'host: localhost', 'origin: http://evil.example'];
  const { status, error } = await sendRaw([...lines, 'access-control-request-method: PUT']);
  expect([status, error]).toEqual([403, expect.stringContaining('web pages of other origins')]);
  expect((await sendRaw(lines)).status).toBe(200);
});

test('an inbox accepts messages from any page and any host', async () => {
  const lines = ['POST /_mock/inbox/ci HTTP/1.1', 'host: evil.example', 'origin: http://evil.example'];
  expect((await sendRaw([...lines, 'sec-fetch-site: cross-site'])).status).toBe(200);
});

test.each(['POST /reset', 'POST /drain', 'DELETE /inbox/ci'])('%s refuses a non-empty body', async (line) => {
  const { call } = openControl();
  const send = async (body: string) => (await call(line, body)).status;
  for (const body of ['', '{}', ' {\n} ']) expect(await send(body)).toBe(200);
  for (const body of ['{"event":"x"}', 'null', 'a=b', ' '.repeat(2_000_000)])
    expect(await send(body)).toBe(400);
});

test('a webhook that targets a control call does not make the call', async () => {
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
