import { describe, expect, test } from 'vitest';
import { codeOf } from '../../openapi/error-codes.ts';
import { loadProfile } from '../../openapi/profile.ts';
import { basePath } from '../http/paths.ts';
import { openMock, profileNames, subscriptionRequest, type TestMock } from '../testing/open-mock.ts';

const loginUrl = '/api/v1/auth/tenant/login';

function post(
  { app }: TestMock,
  payload: string | Buffer,
  headers: Record<string, string> = { 'content-type': 'application/json' },
) {
  return app.inject({ method: 'POST', url: loginUrl, payload, headers });
}

describe('a login whose body is refused', () => {
  test.each([
    ['', 40002, 'the request is not valid: the body: expected a JSON object; it is empty'],
    ['{"password":["hunter2"', 40001, 'the body is not JSON: syntax error at position 22 (line 1 column 23)'],
    ['{"username":', 40001, 'the body is not JSON: it ends too early'],
    [
      '{"username":"a" "password":"hunter2"}',
      40001,
      'the body is not JSON: syntax error at position 16 (line 1 column 17)',
    ],
    ['hunter2', 40001, 'the body is not JSON: syntax error near its beginning'],
    ['\ufeff{}', 40001, 'the body is not JSON: syntax error near its beginning'],
    [Buffer.from([0x22, 0xc3, 0x28, 0x22]), 40001, 'the body is not JSON: it is not UTF-8'],
    ['[]', 40002, 'the request is not valid: the body: expected type object'],
    ['null', 40002, 'the request is not valid: the body: expected type object'],
    [
      '{"__proto__":{"username":"a","password":"b"}}',
      40002,
      'the request is not valid: /username: expected a property "username"; /password: expected a property "password"',
    ],
    [
      '{"username":7,"password":["hunter2"]}',
      40002,
      'the request is not valid: /username: expected type string; /password: expected type string',
    ],
  ])('%s', async (body, code, message) => {
    const response = await post(openMock(), body);
    expect(response.json()).toMatchObject({ code, message });
    expect(response.body).not.toContain('hunter2');
  });
});

test.each<[type: string, encoding?: string | undefined, refused?: string]>([
  ['application/json'],
  ['application/json; charset=utf-8'],
  ['Application/JSON ;charset="utf-8"'],
  ['application/vnd.acme+json'],
  ['', undefined, ''],
  ['application/json', 'gzip', 'application/json in the encoding gzip'],
  ['text/plain', undefined, 'text/plain'],
  ['application/json5', undefined, 'application/json5'],
  ['application/xml', undefined, 'application/xml'],
  ['nonsense', undefined, 'nonsense'],
  ['multipart/form-data; boundary=x', undefined, 'multipart/form-data; boundary=x'],
])('a body of the media type "%s" in the encoding %s', async (type, encoding, refused) => {
  const mock = openMock();
  const headers = { 'content-type': type, ...(encoding !== undefined && { 'content-encoding': encoding }) };
  const { code, message } = (await post(mock, JSON.stringify(mock.mei), headers)).json();
  expect([code, message]).toEqual(
    refused === undefined
      ? [0, 'success']
      : [41500, `the body is declared as "${refused}"; expected application/json`],
  );
});

test.each(['', 'application/json', 'text/plain', 'nonsense'])(
  'an operation without a body ignores one of the type "%s"',
  async (type) => {
    const { app, harbourKey } = openMock();
    const headers = { authorization: `Bearer ${harbourKey}`, 'content-type': type };
    for (const payload of ['', '{"a":', 'x'.repeat(2_000_000)]) {
      const response = await app.inject({
        method: 'POST',
        url: '/api/v1/tenant/sites/101/webhooks/7/test?x=%zz',
        headers,
        payload,
      });
      expect(response.json().code).toBe(40401);
    }
  },
);

test('a body over 1 MiB is refused, one of exactly 1 MiB is accepted', async () => {
  const mock = openMock();
  const pad = (length: number) => JSON.stringify(mock.mei).padEnd(length);
  expect((await post(mock, pad(1_048_576))).json().code).toBe(0);
  const refused = await post(mock, pad(1_048_577));
  expect([refused.statusCode, refused.json()]).toMatchObject([
    413,
    { code: 41300, message: 'the body is larger than 1048576 bytes' },
  ]);
});

test('authentication comes before the body, the limit before validation', async () => {
  const mock = openMock();
  const unauthenticated = await mock.app.inject({
    method: 'POST',
    url: '/api/v1/tenant/sites/101/webhooks',
    payload: '{',
  });
  expect(unauthenticated.json().code).toBe(40100);
  for (let count = 0; count < 10; count++) await mock.perform('login', { ...mock.mei });
  expect((await mock.perform('login', { username: mock.mei.username })).envelope.code).toBe(42900);
});

test.each(profileNames)(
  '%s: every refusal has the envelope, the status and the code of its kind',
  async (name) => {
    const profile = loadProfile(name);
    const mock = openMock(profile);
    const { status, envelope } = await mock.perform('createSubscription', subscriptionRequest());
    expect(status).toBe(name.startsWith('always-200') ? 200 : 401);
    const data = { absent: {}, 'null-value': { data: null }, 'empty-object': { data: {} } }[
      profile.values['errors.data']
    ];
    expect(envelope).toEqual({
      code: codeOf(profile, 'unauthenticated'),
      message: envelope.message,
      ...data,
      trace_id: envelope.trace_id,
    });
  },
);

test('no two answers share a trace_id', async () => {
  const { perform } = openMock();
  const traces = new Set<string>();
  for (let count = 0; count < 500; count++) traces.add((await perform('refresh')).envelope.trace_id);
  expect(traces.size).toBe(500);
});

test('an exception is answered in the envelope, and reported to the log only', async () => {
  const mock = openMock();
  Object.assign(mock.service.world.sessions, {
    set() {
      throw new TypeError('it is broken');
    },
  });
  const { status, envelope } = await mock.perform('login', { ...mock.mei });
  expect([status, envelope]).toEqual([
    500,
    {
      code: 50000,
      message: 'the service made a mistake; quote the trace_id when reporting it',
      trace_id: envelope.trace_id,
    },
  ]);
  expect(mock.logged).toEqual([
    expect.stringMatching(new RegExp(`^${envelope.trace_id} TypeError: [^]*at .*mock/`)),
  ]);
});

test('refusals are not logged', async () => {
  const mock = openMock();
  await mock.perform('login', { username: 'x', password: 'y' });
  expect(mock.logged).toEqual([]);
});

function listSites({ app }: ReturnType<typeof openMock>, authorization: string | undefined) {
  return app.inject({
    url: `${basePath}/tenant/sites`,
    headers: authorization === undefined ? {} : { authorization },
  });
}

test.each(['Bearer', 'bearer', 'BEARER', 'Bearer '])('accepts the scheme as "%s"', async (scheme) => {
  const mock = openMock();
  expect((await listSites(mock, `${scheme} ${mock.harbourKey}`)).json().code).toBe(0);
});

describe('refuses', () => {
  test.each([
    ['no header', undefined, 'the Authorization header is missing; expected "Authorization: Bearer <token>"'],
    ['another scheme', 'Basic bWVpOnB3', 'the Authorization header is not of the form "Bearer <token>"'],
    ['no token', 'Bearer', 'the Authorization header is not of the form "Bearer <token>"'],
    ['two tokens', 'Bearer a b', 'the Authorization header is not of the form "Bearer <token>"'],
    ['an invented token', 'Bearer st_0123', 'the token is not known here, or it was ended'],
    ['an invented key', 'Bearer sp_0123', 'the token is not known here, or it was ended'],
    ['the name of a property of objects', 'Bearer __proto__', 'the token is not known here, or it was ended'],
  ])('%s', async (_case, header, message) => {
    const response = await listSites(openMock(), header);
    expect(response.json()).toEqual({
      code: 40100,
      message,
      trace_id: expect.stringMatching(/^[0-9a-f]{16}$/),
    });
    expect([response.statusCode, response.headers['www-authenticate']]).toEqual([401, 'Bearer']);
  });
});

test('a session token expires after its lifetime, to the millisecond', async () => {
  const mock = openMock();
  const { values } = await mock.perform('login', { ...mock.mei });
  const codes = [];
  for (const elapsed of [7_199_999, 7_200_000]) {
    mock.clock.time = Date.parse('2026-01-02T03:04:05Z') + elapsed;
    codes.push((await mock.perform('listSites', {}, String(values.token))).envelope);
  }
  expect(codes).toMatchObject([
    { code: 0 },
    {
      code: 40101,
      message: 'the session token expired at 2026-01-02T05:04:05.000Z; renew it with POST /auth/refresh',
    },
  ]);
});

test('an API key does not expire', async () => {
  const mock = openMock();
  mock.clock.time += 10 * 365 * 86_400_000;
  expect((await mock.perform('listSites', {}, mock.harbourKey)).envelope.code).toBe(0);
});

test('a refusal does not repeat the token', async () => {
  const response = await listSites(openMock(), 'Bearer sp_leaked-secret');
  expect(response.body).not.toContain('leaked-secret');
});
