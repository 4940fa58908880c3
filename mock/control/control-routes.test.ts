import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { basePath } from '../http/paths.ts';
import { callerOf, examplePathOf, openControl } from '../testing/open-control.ts';
import { exchangeRaw, openMock } from '../testing/open-mock.ts';
import { toSnapshot } from '../world/snapshot.ts';
import { controlCalls } from './control-contract.ts';

const calls = controlCalls();
const token = 'correct-horse-battery';

test.each([
  ['GET', '', 'there'],
  ['DELETE', '/', 'there'],
  ['OPTIONS', '/world', 'did you mean GET /_mock/world? There'],
  ['POST', '/inbox/', 'did you mean GET /_mock/inboxes? There'],
  ['GET', '/helth', 'did you mean GET /_mock/health? There'],
  ['POST', '/clok', 'did you mean POST /_mock/clock? There'],
  ['PUT', '/deliveries/7/redelive', 'did you mean POST /_mock/deliveries/{id}/redeliver? There'],
  ['POST', '/nope', 'there'],
])('%s /_mock%s is answered with a guess, if any, and the list of calls', async (method, path, hint) => {
  const { status, body } = await openControl().call(`${method} ${path}`);
  const names = calls.map(({ name }) => name).join(', ');
  expect([status, body.error]).toEqual([404, `there is no ${method} /_mock${path}; ${hint} is ${names}`]);
});

test.each([
  ['POST', '/health', 'GET'],
  ['PATCH', '/world', 'GET, PUT'],
])('%s /_mock%s is answered with 405 and %s', async (method, path, allow) => {
  const { status, headers, body } = await openControl().call(`${method} ${path}`);
  expect([status, headers.allow, body.error]).toEqual([
    405,
    allow,
    `/_mock${path} does not take ${method}, only ${allow}`,
  ]);
});

test.each(calls.filter(({ method }) => method === 'GET').map((call) => [call.name, call] as const))(
  'HEAD is answered as %s, without a body',
  async (_name, call) => {
    const { app, service } = openControl();
    const url = `/_mock${examplePathOf(call)}`;
    const asked = url.endsWith('/stream') ? undefined : await app.inject({ method: 'GET', url });
    const { statusCode, headers, payload } = await app.inject({ method: 'HEAD', url });
    expect([statusCode, payload]).toEqual([asked?.statusCode ?? 200, '']);
    expect(headers['content-type']).toBe(asked?.headers['content-type'] ?? 'text/event-stream');
    expect(service.world.inboxes.size).toBe(0);
  },
);

test('HEAD of what only takes others is answered with 405', async () => {
  const { statusCode, headers } = await openMock().app.inject({ method: 'HEAD', url: '/_mock/reset' });
  expect([statusCode, headers.allow]).toEqual([405, 'POST']);
});

test.each(['/_mockery', `${basePath}/_mock/health`, '//_mock/world', '/_MOCK/health'])(
  '%s is not part of the control API',
  async (url) => {
    expect((await openMock().app.inject({ url })).json().code).toBe(40403);
  },
);

test.each([
  ['text/plain', '{}', 415, 'the body is declared as "text/plain"; expected application/json'],
  ['application/json', '', 400, 'a JSON body is needed; it is empty'],
  ['application/json', '{"advance":', 400, 'the body is not JSON'],
  ['application/json', '[]', 400, 'the body: expected a map with at least one of mode, to, advance'],
  ['application/json', '{"advance":"PT1M","__proto__":{}}', 400, 'the body: there is no member'],
  [
    'application/json',
    `{"advance":"${' '.repeat(1_048_576)}"}`,
    413,
    'the body is larger than 1048576 bytes',
  ],
  ['application/json', `${'['.repeat(1001)}${']'.repeat(1001)}`, 413, 'the body is larger than 1000 levels'],
])('POST /_mock/clock as %s with %.20s is refused', async (type, body, status, error) => {
  const { call, service } = openControl();
  const before = toSnapshot(service.world);
  const answer = await call('POST /clock', body, { 'content-type': type });
  expect([answer.status, answer.body.error]).toEqual([status, expect.stringContaining(error)]);
  expect(toSnapshot(service.world)).toEqual(before);
});

test('an exception is reported to the log only', async () => {
  const { call, service, logged } = openControl();
  service.journal.entries = () => {
    throw new Error('a detail');
  };
  const { status, text } = await call('GET /requests');
  expect([status, text.includes('a detail')]).toEqual([500, false]);
  expect(logged).toEqual([expect.stringContaining('a detail')]);
});

test('does not count as traffic of the service', async () => {
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

const withoutToken = ['sendMessage', 'getLive', 'getReady'];

test.each(calls.filter(({ id }) => !withoutToken.includes(id)).map((call) => [call.name, call] as const))(
  '%s needs the control token',
  async (_name, described) => {
    const { service, call } = openControl(undefined, { controlToken: token });
    const before = toSnapshot(service.world);
    const line = `${described.method} ${examplePathOf(described)}`;
    for (const authorization of ['', token, `Basic ${token}`, `Bearer ${token}x`, 'Bearer']) {
      const answer = await call(line, undefined, authorization ? { authorization } : {});
      expect([answer.status, answer.headers['www-authenticate']]).toEqual([401, 'Bearer']);
      expect(answer.text).not.toContain(token);
    }
    expect(toSnapshot(service.world)).toEqual(before);
  },
);

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
] as const)('without the token, %s %s shows nothing', async (method, url) => {
  const { app, service } = openMock(undefined, { controlToken: token });
  const before = toSnapshot(service.world);
  const { status, body } = await exchangeRaw({ app }, [
    `${method} ${url} HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n`,
  ]);
  expect([401, 404]).toContain(status);
  expect(body).not.toContain('tenants');
  expect({ ...toSnapshot(service.world), random: 0 }).toEqual({ ...before, random: 0 });
  await app.close();
});

test.each(['Bearer ', 'bearer ', 'Bearer   '])('the token is accepted after %j', async (scheme) => {
  const { app } = openMock(undefined, { controlToken: token });
  const answer = await callerOf(app)('GET /health', undefined, { authorization: scheme + token });
  expect(answer.status).toBe(200);
});

test.each([
  ['GET', '/_mock/inbox/ci?x'],
  ['POST', '/_mock/inbox/ci/messages'],
] as const)('%s %s is a message and needs no token, as the service needs none', async (method, url) => {
  const { app, service, codeOf, mei } = openMock(undefined, { controlToken: token });
  expect((await app.inject({ method, url })).statusCode).toBe(200);
  expect(service.world.messages.of('ci').size).toBe(1);
  expect(await codeOf('login', mei)).toBe(0);
});

test('a client that disconnects while it sends is no error', async () => {
  const { app, logged } = openMock();
  await app.listen({ port: 0, host: '127.0.0.1' });
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  await once(socket, 'connect');
  socket.write(
    'POST /_mock/clock HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 10\r\n\r\n{',
  );
  socket.destroy();
  await once(socket, 'close');
  expect((await app.inject({ url: '/_mock/health' })).statusCode).toBe(200);
  await app.close();
  expect(logged).toEqual([]);
});
