// Node itself would refuse or drop these requests, or answer without the envelope.
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadProfile } from '../../openapi/profile.ts';
import { createWorld } from '../testing/open-control.ts';
import { exchangeAt, exchangeRaw, listen, openMock } from '../testing/open-mock.ts';
import { startTestMock } from '../testing/started-mock.ts';

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
