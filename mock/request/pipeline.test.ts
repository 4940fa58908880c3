import { expect, test } from 'vitest';
import { loadProfile } from '../../openapi/profile.ts';
import { openMock, profileWith, type TestMock } from '../testing/open-mock.ts';
import { forcedAnswerFor } from './forced-answers.ts';

function post(
  { app }: TestMock,
  payload: string | Buffer,
  headers: Record<string, string> = { 'content-type': 'application/json' },
) {
  return app.inject({ method: 'POST', url: '/api/v1/auth/tenant/login', payload, headers });
}

const noJson = (problem: string) => [40001, `the body is not JSON: ${problem}`] as const;
const invalid = (problem: string) => [40002, `the request is not valid: ${problem}`] as const;

test.each([
  ['', invalid('the body: expected a JSON object; it is empty')],
  ['{"password":["hunter2"', noJson('syntax error at position 22 (line 1 column 23)')],
  ['{"username":', noJson('it ends too early')],
  ['{"username":"a" "password":"hunter2"}', noJson('syntax error at position 16 (line 1 column 17)')],
  ['hunter2', noJson('syntax error near its beginning')],
  ['\ufeff{}', noJson('syntax error near its beginning')],
  [Buffer.from([0x22, 0xc3, 0x28, 0x22]), noJson('it is not UTF-8')],
  ['null', invalid('the body: expected type object')],
  [
    '{"__proto__":{"username":"a","password":"b"}}',
    invalid('/username: expected a property "username"; /password: expected a property "password"'),
  ],
  [
    '{"username":7,"password":["hunter2"]}',
    invalid('/username: expected type string; /password: expected type string'),
  ],
])('refuses a login with the body %s', async (body, [code, message]) => {
  const response = await post(openMock(), body);
  expect(response.json()).toMatchObject({ code, message });
  expect(response.body).not.toContain('hunter2');
});

test.each<[type: string, encoding?: string, refused?: string]>([
  ['application/json'],
  ['application/json; charset=utf-8'],
  ['Application/JSON ;charset="utf-8"'],
  ['application/vnd.acme+json'],
  ['', '', ''],
  ['application/json', 'gzip', 'application/json in the encoding gzip'],
  ['text/plain', '', 'text/plain'],
  ['application/json5', '', 'application/json5'],
  ['nonsense', '', 'nonsense'],
  ['multipart/form-data; boundary=x', '', 'multipart/form-data; boundary=x'],
])('checks the media type "%s" and the encoding "%s"', async (type, encoding, refused) => {
  const mock = openMock();
  const headers = { 'content-type': type, ...(encoding && { 'content-encoding': encoding }) };
  const { code, message } = (await post(mock, JSON.stringify(mock.mei), headers)).json();
  expect([code, message]).toEqual(
    refused === undefined
      ? [0, 'success']
      : [41500, `the body is declared as "${refused}"; expected application/json`],
  );
});

test.each(['', 'application/json', 'text/plain', 'nonsense'])(
  'an operation without a body ignores a body of the type "%s"',
  async (type) => {
    const { app, harbourKey } = openMock();
    const headers = { authorization: `Bearer ${harbourKey}`, 'content-type': type };
    const url = '/api/v1/tenant/sites/101/webhooks/7/test?x=%zz';
    for (const payload of ['', '{"a":', 'x'.repeat(2_000_000)])
      expect((await app.inject({ method: 'POST', url, headers, payload })).json().code).toBe(40401);
  },
);

test.each([
  [1_048_576, 200, { code: 0 }],
  [1_048_577, 413, { code: 41300, message: 'the body is larger than 1048576 bytes' }],
])('a body of %i bytes gets %i', async (length, status, answer) => {
  const mock = openMock();
  const response = await post(mock, JSON.stringify(mock.mei).padEnd(length));
  expect([response.statusCode, response.json()]).toMatchObject([status, answer]);
});

const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
const listOf = (values: number) => JSON.stringify(Array(values).fill(1));

test.each([
  ['998 levels', nested(998), 200, { code: 0 }],
  ['999 levels', nested(999), 413, { code: 41300, message: 'the body is larger than 1000 levels' }],
  ['200,000 levels', nested(200_000), 413, { code: 41300, message: 'the body is larger than 50000 values' }],
  ['49,998 values', listOf(49_998), 200, { code: 0 }],
  ['49,999 values', listOf(49_999), 413, { code: 41300, message: 'the body is larger than 50000 values' }],
])('a body with %s in a field gets status $2', async (_what, field, status, answer) => {
  const mock = openMock();
  const payload = `{"fields":{"a":${field}}}`;
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${mock.harbourKey}` };
  const url = '/api/v1/sites/101/forms/contact/submissions';
  const response = await mock.app.inject({ method: 'POST', url, headers, payload });
  expect([response.statusCode, response.json()]).toMatchObject([status, answer]);
  expect((await mock.app.inject('/_mock/world')).statusCode).toBe(200);
});

test('answers an exception in the envelope, with details only in the log', async () => {
  const mock = openMock();
  mock.service.world.sessions.set = () => {
    throw new TypeError('it is broken');
  };
  await mock.perform('login', { username: 'x', password: 'y' });
  const { status, envelope } = await mock.perform('login', { ...mock.mei });
  const { trace_id } = envelope;
  const message = 'internal error; quote the trace_id when you report it';
  expect([status, envelope]).toEqual([500, { code: 50000, message, trace_id }]);
  expect(mock.logged).toEqual([expect.stringMatching(new RegExp(`^${trace_id} TypeError: [^]*at .*mock/`))]);
});

test.each(['Bearer', 'bearer', 'BEARER', 'Bearer '])('accepts the scheme as "%s"', async (scheme) => {
  const { perform, harbourKey } = openMock();
  const headers = { authorization: `${scheme} ${harbourKey}` };
  expect((await perform('listSites', {}, undefined, headers)).envelope.code).toBe(0);
});

const malformed = 'the Authorization header does not have the form "Bearer <token>"';
const unknown = 'the token is unknown or has ended';

test.each([
  [undefined, 'the Authorization header is missing; expected "Authorization: Bearer <token>"'],
  ['Basic bWVpOnB3', malformed],
  ['Bearer', malformed],
  ['Bearer a b', malformed],
  ['Bearer st_0123', unknown],
  ['Bearer sp_0123', unknown],
  ['Bearer __proto__', unknown],
])('refuses the Authorization header "%s" without repeating it', async (header, message) => {
  const given = { ...(header && { authorization: header }) };
  const { status, headers, envelope } = await openMock().perform('listSites', {}, undefined, given);
  const trace_id = expect.stringMatching(/^[0-9a-f]{16}$/);
  expect(envelope).toEqual({ code: 40100, message, trace_id });
  expect([status, headers['www-authenticate']]).toEqual([401, 'Bearer']);
});

const expired = 'the session token expired at 2026-01-02T05:04:05.000Z; renew it with POST /auth/refresh';

test.each([
  ['session token', 7_199_999, { code: 0 }],
  ['session token', 7_200_000, { code: 40101, message: expired }],
  ['API key', 10 * 365 * 86_400_000, { code: 0 }],
])('checks the expiry of a %s after %i ms', async (kind, elapsed, answer) => {
  const { perform, logIn, harbourKey, clock } = openMock();
  const token = kind === 'API key' ? harbourKey : await logIn();
  clock.time += elapsed;
  expect((await perform('listSites', {}, token)).envelope).toMatchObject(answer);
});

const asked = expect.stringMatching(/^this answer \([a-z-]+\) was forced by the Prefer header$/);

test.each([
  ['code=42900', 429, 42900, asked],
  ['code=429', 429, 42900, asked],
  ['code="404"', 404, 40400, asked],
  ['code=503', 503, 50000, asked],
  ['code=77001', 500, 77001, asked],
  ['respond-async, code=401; delay=1', 401, 40100, asked],
  ['code=0', 200, 0, 'success'],
  ['code=202', 202, 0, 'success'],
  ['code=204', 200, 0, 'success'],
  ['code=none', 200, 0, 'success'],
  ['delay=1', 200, 0, 'success'],
  ['', 200, 0, 'success'],
])('the header "Prefer: %s" gets the status %i', async (prefer, status, code, message) => {
  const { perform, harbourKey } = openMock();
  const answer = await perform('listSites', {}, harbourKey, { prefer });
  expect(answer).toMatchObject({ status, envelope: { code, message } });
});

test.each([
  // A business code that looks like a status.
  ['always-200-camel-case', 'code=1001', { code: 1001, by: 'prefer' }],
  // Delays are limited.
  ['default', 'delay=999999999', { delayMs: 300_000, by: 'prefer' }],
])('%s: the header "Prefer: %s" forces %j', (profile, prefer, want) => {
  expect(forcedAnswerFor(openMock(loadProfile(profile)).service, 'listSites', prefer)).toEqual(want);
});

test('an override without `times` stays, and takes precedence over the header', async () => {
  const mock = openMock();
  mock.service.world.overrides.set(1, { operation: 'listSites', code: 40100 });
  const call = ['listSites', {}, mock.harbourKey, { prefer: 'code=42900' }] as const;
  expect(await mock.codesOf(call, call, call)).toEqual([40100, 40100, 40100]);
});

test('an override with a status below 400 changes only the status', async () => {
  const mock = openMock();
  mock.service.world.overrides.set(1, { operation: 'createSite', status: 202 });
  const { status, values } = await mock.perform('createSite', { name: 'x' }, mock.harbourKey);
  expect([status, values.id, mock.service.world.sites.size]).toEqual([202, 1001, 4]);
});

const publish = { method: 'POST', path: '/sites/{siteID}/publish', version: '/data/version' };

function openSharedBy(fail: object, own: object): () => TestMock {
  const calls = {
    'operation.publish-site': { ...publish, ...own },
    'operation.fail-publish': { ...publish, ...fail },
  };
  return () => openMock(profileWith(calls));
}

async function callPublish(mock: TestMock, body: unknown, query = '') {
  const response = await mock.app.inject({
    method: 'POST',
    url: `/api/v1/sites/101/publish${query}`,
    headers: { authorization: `Bearer ${mock.harbourKey}`, 'content-type': 'application/json' },
    payload: typeof body === 'string' ? body : JSON.stringify(body),
  });
  const operation = mock.service.journal.entries().at(-1)?.exchange.operation;
  return { code: response.json<{ code: number }>().code, operation };
}

const note = { note: '{note}' };
const flag = openSharedBy({ body: { ...note, fail: true } }, { body: note });
const mode = openSharedBy({ body: { ...note, mode: 'fail' } }, { body: { ...note, mode: 'live' } });
const noBody = openSharedBy({ body: { fail: [1] } }, {});
const query = openSharedBy(
  { body: note, query: { action: 'fail' } },
  { body: note, path: `${publish.path}?action=publish` },
);

test.for([
  ['a flag', flag, { note: 'a', fail: true }, 0, 'failPublish'],
  ['a flag', flag, { note: 'a' }, 0, 'publishSite'],
  ['a flag', flag, { note: 'a', fail: false }, 0, 'publishSite'],
  ['a flag', flag, { note: 'a', other: 1 }, 0, 'publishSite'],
  ['a mode', mode, { note: 'a', mode: 'fail' }, 0, 'failPublish'],
  ['a mode', mode, { note: 'a', mode: 'live' }, 0, 'publishSite'],
  ['a mode', mode, { note: 'a', mode: 'other' }, 40002, 'publishSite'],
  ['a mode', mode, { note: 'a' }, 40002, 'publishSite'],
  ['a mode', mode, { note: 1, mode: 'fail' }, 40002, 'failPublish'],
  ['a mode', mode, '{', 40001, 'publishSite'],
  ['a mode', mode, '', 40002, 'publishSite'],
  ['having no body', noBody, '', 0, 'publishSite'],
  ['having no body', noBody, { fail: [1] }, 0, 'failPublish'],
  ['a query', query, { note: 'a' }, 0, 'failPublish', '?action=fail'],
  ['a query', query, { note: 'a' }, 0, 'publishSite', '?action=publish'],
  ['a query', query, { note: 'a' }, 40002, 'publishSite', '?action=x'],
  ['a query', query, { note: 'a' }, 40002, 'publishSite'],
] as const)('distinguished by %s, $2 gets $3 from $4', async ([, open, body, code, operation, search]) => {
  expect(await callPublish(open(), body, search)).toEqual({ code, operation });
});

test('both operations count towards one limit, each with its own repetitions', async () => {
  const mock = flag();
  const codes: number[] = [];
  for (let count = 0; count < 11; count++)
    codes.push((await callPublish(mock, { note: `${count}`, fail: count % 2 === 1 })).code);
  expect(codes).toEqual([...Array<number>(10).fill(0), 42900]);
});

test.for([
  ['session', 'session', 0],
  ['session', 'api-key', 40100],
  ['api-key', 'session', 40100],
  ['api-key', 'api-key', 0],
] as const)('with auth %s, a token of the kind %s gets %i', async ([auth, kind, code]) => {
  const call = { method: 'GET', path: '/s', auth };
  const { codeOf, logIn, harbourKey } = openMock(profileWith({ 'operation.list-sites': call }));
  expect(await codeOf('listSites', {}, kind === 'session' ? await logIn() : harbourKey)).toBe(code);
});

test.for([
  ['webhookId={id}&scope=all', 0],
  ['scope=all&webhookId={id}&more=1', 0],
  ['webhookId={id}', 40002],
  ['webhookId={id}&scope=some', 40002],
  ['scope=all', 40002],
  ['', 40002],
] as const)('the push log called with the query "%s" gets %i', async ([search, want]) => {
  const mock = openMock(loadProfile('flags-and-cursors'));
  const { values } = await mock.subscribe();
  const url = `/api/v1/tenant/push-log?${search.replace('{id}', encodeURIComponent(String(values.id)))}`;
  const response = await mock.app.inject({ url, headers: { authorization: `Bearer ${mock.harbourKey}` } });
  expect(response.json<{ code: number }>().code).toBe(want);
});
