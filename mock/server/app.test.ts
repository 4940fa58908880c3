import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadProfile, makeProfile, statedValues } from '../../openapi/profile.ts';
import { createWorld } from '../testing/open-control.ts';
import { exchangeAt, exchangeRaw, listen, openMock, profileWith, sendLines } from '../testing/open-mock.ts';
import { startTestMock } from '../testing/started-mock.ts';
import { speak } from './create-core.ts';

async function ask(line: string) {
  const answer = await sendLines(openMock(), [`${line} HTTP/1.1`, 'Host: x']);
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
  return answer;
}

test.each([
  ['POST', '/', '/'],
  ['GET', '/api/v1', '/api/v1'],
  ['POST', '/api/v1/auth/tenant/login/', '/api/v1/auth/tenant/login/'],
  ['POST', '/api/v1/Auth/tenant/login', '/api/v1/Auth/tenant/login'],
  ['POST', '/api/v2/auth/tenant/login', '/api/v2/auth/tenant/login'],
  ['DELETE', '/api/v1/nothing?token=secret', '/api/v1/nothing'],
  ['PROPFIND', '/nothing', '/nothing'],
])('%s %s gets 404 for an unknown path', async (method, path, shown) => {
  const { status, envelope } = await ask(`${method} ${path}`);
  const message = `there is no operation at ${method} "${shown}"`;
  expect([status, envelope]).toMatchObject([404, { code: 40403, message }]);
});

test.each([
  ['GET', '/auth/refresh', 'POST'],
  ['OPTIONS', '/auth/refresh', 'POST'],
  ['TRACE', '/auth/refresh', 'POST'],
  ['QUERY', '/auth/refresh', 'POST'],
  ['PROPFIND', '/auth/refresh', 'POST'],
  ['PATCH', '/tenant/sites', 'GET, POST'],
  ['PUT', '/tenant/sites/101/webhooks?x', 'GET, POST'],
])('%s %s gets 405 and allows %s', async (method, path, allow) => {
  const { status, headers, envelope } = await ask(`${method} /api/v1${path}`);
  const message = `"/api/v1${path.replace('?x', '')}" does not support ${method}; use ${allow}`;
  expect([status, headers.allow, envelope.message]).toEqual([405, allow, message]);
});

test('refuses HEAD without a body', async () => {
  const { status, headers, body } = await ask('HEAD /api/v1/tenant/sites');
  expect([status, headers.allow, body]).toEqual([405, 'GET, POST', '']);
});

test.each(['/api/v1/%zz', '/api/v1/tenant/sites/%E0%A4', '/%'])(
  'refuses the malformed path %s',
  async (url) => {
    const response = await openMock().app.inject({ url });
    expect([response.statusCode, response.json().code]).toEqual([400, 40000]);
  },
);

test('treats a very long identifier in the path as unknown', async () => {
  const { perform, harbourKey } = openMock();
  const { envelope } = await perform('getSite', { siteID: 'a'.repeat(10_000) }, harbourKey);
  expect(envelope).toMatchObject({ code: 40400, message: `there is no site "${'a'.repeat(80)}…" here` });
});

test.each(['/sites/{siteID}:read', '/s-{siteID}.json', '/{siteID}_x/y'])(
  'serves a profile with the path %s',
  async (path) => {
    const call = { method: 'GET', path, id: '/data/id' };
    const { perform, harbourKey, app } = openMock(profileWith({ 'operation.get-site': call }));
    expect((await perform('getSite', { siteID: 101 }, harbourKey)).values).toEqual({ id: 101 });
    const url = `/api/v1${path.replace('{siteID}', '7')}`;
    expect((await app.inject({ method: 'PUT', url })).statusCode).toBe(405);
  },
);

test('answers an exception outside the pipeline in the envelope', async () => {
  const mock = openMock();
  mock.app.addHook('onRequest', () => {
    throw new Error('a broken hook');
  });
  const response = await mock.app.inject({ url: '/api/v1/tenant/sites' });
  expect([response.statusCode, response.json().code]).toEqual([500, 50000]);
  expect(response.headers['content-type']).toBe('application/json; charset=utf-8');
  expect(mock.logged).toEqual([expect.stringContaining('a broken hook')]);
});

test('answers a request during shutdown in the envelope', async () => {
  const mock = openMock();
  const answered = Promise.withResolvers<void>();
  mock.app.addHook('preClose', () => answered.promise);
  await listen(mock.app);
  const closed = mock.app.close();
  const sent = 'GET /api/v1/nothing HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
  const { envelope } = await exchangeRaw(mock, [sent]);
  answered.resolve();
  await closed;
  expect(envelope.code).toBe(40403);
});

test('answers a malformed control path in plain JSON, outside the journal', async () => {
  const { app, service } = openMock();
  const response = await app.inject({ url: '/_mock/%zz' });
  const error = 'the path has an invalid percent-encoding';
  expect([response.statusCode, response.json()]).toEqual([400, { error }]);
  expect(service.journal.entries()).toEqual([]);
});

test('shares what it derives from equal profiles only', () => {
  const profile = loadProfile('nested-201-uuid');
  const read = (values: object, name = profile.name) =>
    makeProfile({ ...statedValues(profile), ...values }, { name, source: 'a store' });
  const same = read({});
  expect(same).not.toBe(profile);
  expect(speak(same)).toBe(speak(profile));
  expect(new Set([profile, read({ 'login.status': 200 }), read({}, 'other')].map(speak)).size).toBe(3);
});

// Node itself would refuse or drop these requests, or answer without the envelope.
const mock = openMock(loadProfile('default'), { requestTimeout: 2_000 });
beforeAll(() => listen(mock.app));
afterAll(() => mock.app.close());

const key = `Authorization: Bearer ${mock.harbourKey}\r\n`;
const host = 'Host: x\r\n';
const login = 'POST /api/v1/auth/tenant/login HTTP/1.1\r\n';
const json = 'Content-Type: application/json\r\n';
const close = 'Connection: close\r\n';
const head = `${login}${host}${close}${json}`;
const get = `GET /api/v1/tenant/sites HTTP/1.1\r\n`;
const two = 'Content-Length: 2\r\n\r\n';
const large = 'a'.repeat(5_000_000);
const chunked = 'Transfer-Encoding: chunked\r\n\r\n';
const chunk = `10000\r\n${'a'.repeat(0x10000)}\r\n`;

const malformed = [400, 40000] as const;
const tooLarge = [413, 41300] as const;
const headerTooLarge = [431, 43100] as const;
const timedOut = [408, 40800] as const;

describe('refuses in the envelope', () => {
  test.each([
    ['no HTTP', malformed, ['hello\r\n\r\n']],
    ['TLS', malformed, [Buffer.from([0x16, 3, 1, 0, 5, 1, 2, 3, 4, 5])]],
    ['HTTP/2', malformed, ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n']],
    ['an invented method', malformed, [`FOO / HTTP/1.1\r\n${host}\r\n`]],
    ['an invented version', malformed, ['GET / HTTP/3.7\r\n\r\n']],
    ['CONNECT', [405, 40500], [`CONNECT example.com:80 HTTP/1.1\r\n${host}\r\n`]],
    ['OPTIONS *', [404, 40403], [`OPTIONS * HTTP/1.1\r\n${host}${close}\r\n`]],
    ['a broken chunk', malformed, [`${login}${host}${json}${chunked}zz\r\n{}`]],
    ['two declarations of the length', malformed, [`${login}${host}Content-Length: 2\r\n${chunked}{}`]],
    ['a URI that is too long', headerTooLarge, [`GET /${'a'.repeat(20_000)} HTTP/1.1\r\n${host}\r\n`]],
    // The mock reads all of it.
    ['a header that is too large', headerTooLarge, [`${get}${host}X: ${large}\r\n\r\n`]],
    ['a body that is too large', tooLarge, [`${head}Content-Length: ${large.length}\r\n\r\n`, large]],
    ['a chunked body that is too large', tooLarge, [head + chunked, chunk.repeat(40), '0\r\n\r\n']],
    ['a header that never ends', timedOut, [`${login}${host}`]],
    ['a body that never ends', timedOut, [`${login}${host}${json}Content-Length: 10\r\n\r\n{`]],
  ] as const)('%s', async (_case, [status, code], parts) => {
    const answer = await exchangeRaw(mock, parts);
    expect([answer.status, answer.envelope.code]).toEqual([status, code]);
    expect(answer.envelope).toEqual({
      code,
      message: expect.stringMatching(/\w/),
      trace_id: expect.stringMatching(/^[0-9a-f]{16}$/),
    });
    expect(answer.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(Buffer.byteLength(answer.body)),
      connection: 'close',
    });
  });
});

describe('accepts', () => {
  test.each([
    ['a request without Host', 40100, [`${get}${close}\r\n`]],
    ['an absolute address', 40100, [`GET http://x/api/v1/tenant/sites HTTP/1.1\r\n${host}${close}\r\n`]],
    ['an unknown expectation', 40002, [`${head}Expect: dance\r\n${two}{}`]],
    ['an offer to wait for 100', 40002, [`${head}Expect: 100-continue\r\n${two}`, 50, '{}']],
    ['an offer of HTTP/2', 40100, [`${get}${host}Upgrade: h2c\r\nConnection: close, Upgrade\r\n\r\n`]],
    ['thousands of header fields', 0, [`${get}${'a:\r\n'.repeat(3000)}${key}${close}\r\n`]],
  ])('%s', async (_case, code, parts) => {
    expect((await exchangeRaw(mock, parts)).envelope.code).toBe(code);
  });
});

test('the connection works after a refusal that leaves a body unread', async () => {
  const first = `POST /api/v1/tenant/sites HTTP/1.1\r\n${host}Content-Length: 3000000\r\n\r\n`;
  const second = `GET /api/v1/nothing HTTP/1.1\r\n${host}${close}\r\n`;
  const { received } = await exchangeRaw(mock, [first, 'a'.repeat(3_000_000), 100, second]);
  expect(received.match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 401', 'HTTP/1.1 404']);
});

const late = `${login}${host}${json}Content-Length: 2\r\n\r\n{}`;

test.each([
  ['no HTTP', 'hello\r\n\r\n'],
  ['a broken chunk', `${login}${host}${json}${chunked}zz\r\n{}`],
])('a client that reads late gets complete answers before the refusal of %s', async (_case, unreadable) => {
  const body = { text: 'a'.repeat(900_000) };
  mock.control.override({ operation: 'login', body, times: 5 });
  const socket = connect(Number(new URL(mock.app.listeningOrigin).port), '127.0.0.1');
  socket.write(`${late.repeat(5)}${unreadable}`);
  await setTimeout(1500);
  const received = await text(socket);
  expect(received.length).toBeGreaterThan(5 * body.text.length);
  expect(received.slice(5 * body.text.length)).toMatch(/HTTP\/1.1 400 .*\}$/s);
});

test('refuses a broken chunk in a named world', async () => {
  const { controlUrl } = await startTestMock();
  await createWorld({ controlUrl }, { name: 'a' });
  const parts = [login.replace('/api', '/w/a/api'), host, json, chunked, 'zz\r\n{}'];
  const { status, envelope } = await exchangeAt(Number(new URL(controlUrl).port), [parts.join('')]);
  expect([status, envelope.code]).toEqual([...malformed]);
});

test('a delayed answer comes before the refusal of a later request', async () => {
  mock.control.override({ operation: 'login', status: 503, delay_ms: 300 });
  const { received } = await exchangeRaw(mock, [late, 'hello\r\n\r\n', 50, 'hello again']);
  expect(received.match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 503', 'HTTP/1.1 400']);
});

test.each([
  ['in the middle of a body', `${login}${host}${json}Content-Length: 10\r\n\r\n{`],
  [
    'in a control call',
    `POST /_mock/clock HTTP/1.1\r\nHost: localhost\r\n${json}Content-Length: 10\r\n\r\n{`,
  ],
  ['after a CONNECT', `CONNECT example.com:80 HTTP/1.1\r\n${host}\r\n`],
])('logs no error if a client resets its connection %s', async (_case, sent) => {
  const socket = connect(Number(new URL(mock.app.listeningOrigin).port), '127.0.0.1');
  socket.write(sent);
  await setTimeout(50);
  socket.resetAndDestroy();
  await setTimeout(50);
  expect((await exchangeRaw(mock, [`GET /api/v1/nothing HTTP/1.1\r\n${host}${close}\r\n`])).status).toBe(404);
  expect(mock.logged).toEqual([]);
});
