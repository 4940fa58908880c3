import { expect, test } from 'vitest';
import type { Schemas } from '../../openapi/generated/control-types.ts';
import { openControl } from '../testing/open-control.ts';
import { profileWith, start } from '../testing/open-mock.ts';
import type { Answer } from './controlled-mock.ts';

test('an override answers the next calls of its operation, and is then used up', async () => {
  const { call, perform, harbourKey } = openControl();
  const wanted = { operation: 'listSites', status: 503, times: 2 };
  expect((await call('POST /overrides', wanted)).body).toEqual({ overrides: [wanted] });
  expect((await perform('listSites', {}, harbourKey)).status).toBe(503);
  expect((await call('GET /overrides')).body).toEqual({ overrides: [{ ...wanted, times: 1 }] });
  expect((await perform('listSites', {}, harbourKey)).status).toBe(503);
  expect((await perform('listSites', {}, harbourKey)).status).toBe(200);
  expect((await call('GET /overrides')).body).toEqual({ overrides: [] });
});

test('overrides can be deleted, all or those of one operation', async () => {
  const { call } = openControl();
  const [one, other] = [
    { operation: 'login', code: 40101 },
    { operation: 'listSites', delay_ms: 5 },
  ];
  await call('POST /overrides', one);
  await call('POST /overrides', other);
  expect((await call('DELETE /overrides?operation=login')).body).toEqual({ overrides: [other] });
  expect((await call('DELETE /overrides')).body).toEqual({ overrides: [] });
});

test.each([
  [{ operation: 'logn', status: 500 }, 'there is no operation "logn"; did you mean "login"?'],
  [{ operation: 'login' }, 'say what to answer: "status", "code", "body" or "delay_ms"'],
  [{ operation: 'login', code: 1, body: {} }, '"code" and "body" exclude each other'],
  [{ operation: 'login', status: 204, body: {} }, 'an answer of status 204 has no body'],
  [{ operation: 'login', times: 1 }, 'say what to answer'],
  [{ status: 500 }, '/operation: is missing; expected a text'],
  [{ operation: 'login', status: 99 }, '/status: expected a whole number from 200 to 599'],
  [{ operation: 'login', delay_ms: 300_001 }, '/delay_ms: expected a whole number from 0 to 300000'],
  [{ operation: 'login', status: 500, times: 0 }, '/times: expected a whole number from 1 to 1000000'],
  [{ operation: 'login', delayMs: 5 }, 'the body: there is no member "delayMs"; did you mean "delay_ms"?'],
])('refuses the override %j', async (wanted, error) => {
  const { call } = openControl();
  const answer = await call('POST /overrides', wanted);
  expect([answer.status, answer.body.error]).toEqual([400, expect.stringContaining(error)]);
  expect((await call('GET /overrides')).body).toEqual({ overrides: [] });
});

test('answers a body of its own as it is, and does nothing else', async () => {
  const { call, app, perform, mei } = openControl();
  const body = { code: 0, data: { items: [null] } };
  await call('POST /overrides', { operation: 'login', status: 418, body, times: 1 });
  const { statusCode, payload, headers } = await app.inject({
    method: 'POST',
    url: '/api/v1/auth/tenant/login',
  });
  expect([statusCode, payload, headers['content-type']]).toEqual([
    418,
    JSON.stringify(body),
    'application/json; charset=utf-8',
  ]);
  expect((await call('GET /requests')).body).toMatchObject({
    requests: [{ forced_by: 'override', status: 418 }],
  });
  await call('POST /overrides', { operation: 'login', body: null, times: 1 });
  expect((await app.inject({ method: 'POST', url: '/api/v1/auth/tenant/login' })).payload).toBe('null');
  expect((await perform('login', mei)).status).toBe(200);
});

test('accepts a thousand overrides and no more', async () => {
  const { control, call } = openControl();
  for (let count = 0; count < 1000; count++) control.override({ operation: 'login', status: 500 });
  expect((await call('POST /overrides', { operation: 'login', status: 500 })).status).toBe(409);
  expect(control.overrides().overrides).toHaveLength(1000);
});

test('lists all faults, turns the named ones on and all others off', async () => {
  const { call, control } = openControl();
  const { body } = await call<Answer<'getFaults'>>('GET /faults');
  expect(body.on).toEqual([]);
  expect(body.faults).toContainEqual({
    id: 'third-retry-missing',
    title: 'There are two retries.',
    requirement: 'RETRY-4',
  });
  const on = async (ids: readonly string[]) =>
    (await call<Answer<'getFaults'>>('PUT /faults', { on: ids })).body.on;
  expect(await on(['third-retry-missing', 'no-trace-id-on-404'])).toEqual([
    'no-trace-id-on-404',
    'third-retry-missing',
  ]);
  expect(await on(['fourth-retry'])).toEqual(['fourth-retry']);
  expect(await control.setFaults([])).toEqual({ faults: body.faults, on: [] });
  expect(await control.faults()).toEqual({ faults: body.faults, on: [] });
});

test('says what a choice of faults is a list of', async () => {
  const { error } = (await openControl().call('PUT /faults', { on: 'third-retry-missing' })).body;
  expect(error).toBe('PUT /_mock/faults: /on: expected a list of ids of faults; it is "third-retry-missing"');
});

test('refuses an unknown fault', async () => {
  const answer = await openControl().call('PUT /faults', { on: ['third-retry'] });
  expect([answer.status, answer.body.error]).toEqual([
    400,
    expect.stringContaining('PUT /_mock/faults: there is no fault "third-retry"; did you mean "'),
  ]);
});

test.each([
  ['a token', (token: string) => ({ token }), 1],
  ['a user', () => ({ username: 'mei@harbour-cafe.example' }), 2],
  ['all', () => ({}), 3],
])('expires the tokens of %s, which can then be renewed', async (_title, which, expired) => {
  const { call, perform, mei, tom } = openControl();
  const token = String((await perform('login', mei)).values.token);
  await perform('login', mei);
  await perform('login', tom);
  expect((await perform('listSites', {}, token)).status).toBe(200);
  expect((await call('POST /tokens/expire', which(token))).body).toEqual({ expired });
  expect((await perform('listSites', {}, token)).envelope.message).toContain('the session token expired');
  const renewed = await perform('refresh', {}, token);
  expect((await perform('listSites', {}, String(renewed.values.token))).status).toBe(200);
});

test('expires all tokens by default, and none a second time', async () => {
  const { call, perform, mei, service } = openControl();
  await perform('login', mei);
  expect((await call('POST /tokens/expire')).body).toEqual({ expired: 1 });
  await call('POST /clock', { advance: 'PT1M' });
  expect((await call('POST /tokens/expire')).body).toEqual({ expired: 0 });
  expect([...service.world.sessions.values()].map(({ expiresAt }) => expiresAt)).toEqual([start]);
});

test.each([
  [404, { token: 'st_0123456789abcdef' }, 'there is no such session token'],
  [404, { username: 'nobody' }, 'there is no user of that name'],
  [400, { token: 'a', username: 'b' }, 'the body: expected a map with at most 1 member'],
  [400, { usrname: 'mei' }, 'the body: there is no member "usrname"; did you mean "username"?'],
])('refuses with %i to expire %j', async (status, which, error) => {
  const answer = await openControl().call('POST /tokens/expire', which);
  expect([answer.status, answer.body.error]).toEqual([status, expect.stringContaining(error)]);
  expect(answer.text).not.toContain('st_0');
});

test('shows how much of each limit is used, and when it frees', async () => {
  const { call, perform, mei, clock } = openControl(profileWith({ 'limits.window': 'sliding' }));
  await perform('login', mei);
  clock.time += 10_000;
  await perform('login', mei);
  const { body } = await call<{ limits: Schemas['Limit'][] }>('GET /limits');
  expect(body.limits).toHaveLength(6);
  expect(body.limits[0]).toEqual({
    limit: 'logins',
    tenant: 'Harbour Café',
    used: 2,
    of: 10,
    frees_at: new Date(start + 60_000).toISOString(),
  });
  expect(body.limits[1]).toEqual({ limit: 'publishes', tenant: 'Harbour Café', used: 0, of: 10 });
  expect((await call<{ limits: Schemas['Limit'][] }>('GET /limits?tenant=2')).body.limits).toHaveLength(3);
});

test('a cleared limit accepts calls again, for one tenant or all', async () => {
  const { call, perform, mei, zoe } = openControl();
  for (let count = 0; count < 10; count++) await Promise.all([perform('login', mei), perform('login', zoe)]);
  expect((await perform('login', mei)).status).toBe(429);
  await call('DELETE /limits?tenant=1');
  expect([(await perform('login', mei)).status, (await perform('login', zoe)).status]).toEqual([200, 429]);
  await call('DELETE /limits');
  expect((await perform('login', zoe)).status).toBe(200);
});
