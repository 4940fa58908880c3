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

test('answers a body of its own as it is, and does nothing else', async () => {
  const { call, app, perform, mei } = openControl();
  const body = { code: 0, data: { items: [null] } };
  await call('POST /overrides', { operation: 'login', status: 418, body, times: 1 });
  const logIn = () => app.inject({ method: 'POST', url: '/api/v1/auth/tenant/login' });
  const { statusCode, payload, headers } = await logIn();
  expect([statusCode, payload, headers['content-type']]).toEqual([
    418,
    JSON.stringify(body),
    'application/json; charset=utf-8',
  ]);
  expect((await call('GET /requests')).body).toMatchObject({
    requests: [{ forced_by: 'override', status: 418 }],
  });
  await call('POST /overrides', { operation: 'login', body: null, times: 1 });
  expect((await logIn()).payload).toBe('null');
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
