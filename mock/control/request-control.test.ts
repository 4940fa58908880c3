import { expect, test } from 'vitest';
import type { Schemas } from '../../openapi/generated/control-types.ts';
import { loadProfile } from '../../openapi/profile.ts';
import { openControl } from '../testing/open-control.ts';
import { profileNames } from '../testing/open-mock.ts';

test('lists requests with their answers, oldest first', async () => {
  const { call, perform, mei, harbourKey } = openControl();
  await perform('login', mei);
  await perform('listSites', {}, harbourKey);
  const { body } = await call<Schemas['Journal']>('GET /requests');
  expect([body.total, body.evicted]).toEqual([2, 0]);
  expect(body.requests).toMatchObject([
    {
      ...{ id: 1, method: 'POST', path: '/api/v1/auth/tenant/login', operation: 'login', code: 0 },
      request_body: { username: mei.username, password: '…' },
      response_body: { data: { token: '…' } },
    },
    { id: 2, tenant: 'Harbour Café', request_headers: { authorization: 'Bearer sp_…' } },
  ]);
  expect((await call('GET /requests/1')).body).toEqual(body.requests[0]);
});

test('shows why a request was refused or delayed, and what forced its answer', async () => {
  const { call, perform, mei, harbourKey, app } = openControl();
  const token = String((await perform('login', mei)).values.token);
  await call('POST /tokens/expire', {});
  await perform('listSites', {}, token);
  await call('POST /overrides', { operation: 'listSites', status: 503, times: 1 });
  await perform('listSites');
  await call('POST /overrides', { operation: 'listSites', delay_ms: 1, times: 1 });
  await perform('listSites', {}, harbourKey);
  await app.inject({ url: '/api/v1/tenant/sites', headers: { prefer: 'code=500, delay=1' } });
  await app.inject({ url: '/api/v1/nothing' });
  const { body } = await call<Schemas['Journal']>('GET /requests?after=1');
  const expired = expect.stringMatching(/^the session token expired at 2026-01-02T03:04:05.000Z/);
  const [override, header] = ['forced by an override', 'forced by the Prefer header'];
  expect(body.requests.map((one) => [one.status, one.forced_by, one.refusal, one.delay_reason])).toEqual([
    [401, undefined, expired, undefined],
    [503, 'override', expect.stringContaining(`was ${override}`), undefined],
    [200, 'override', undefined, override],
    [500, 'prefer', expect.stringContaining(`was ${header}`), header],
    [404, undefined, 'there is no operation at GET "/api/v1/nothing"', undefined],
  ]);
});

test.each([
  ['?operation=login', [1, 2]],
  ['?tenant=1', [1, 2, 3]],
  ['?tenant=Blumen%20Zo%C3%AB', [4]],
  ['?after=2', [3, 4]],
  ['?after=1&operation=login', [2]],
])('GET /requests%s lists %j', async (query, ids) => {
  const { call, perform, mei, tom, harbourKey, blumenKey } = openControl();
  await perform('login', mei);
  await perform('login', tom);
  await perform('listSites', {}, harbourKey);
  await perform('listSites', {}, blumenKey);
  const { body } = await call<Schemas['Journal']>(`GET /requests${query}`);
  expect(body.requests.map(({ id }) => id)).toEqual(ids);
});

test('shows the calling user or API key, but no unknown username', async () => {
  const { call, perform, mei, harbourKey, app } = openControl();
  const { values } = await perform('login', mei);
  await perform('login', { ...mei, password: 'wrong' });
  await perform('login', { username: 'a-password-in-the-wrong-field', password: 'x' });
  await perform('listSites', {}, String(values.token));
  await perform('listSites', {}, harbourKey);
  await app.inject({ url: '/api/v1/nothing' });
  const { body, text } = await call<Schemas['Journal']>('GET /requests');
  const { username } = mei;
  const byKey = expect.stringMatching(/^API key ".+"$/);
  const callers = [username, username, undefined, username, byKey, undefined];
  expect(body.requests.map(({ who }) => who)).toEqual(callers);
  expect(text.match(/a-password-in-the-wrong-field/g)).toHaveLength(1);
});

test('finds the code even if a variation moves it', async () => {
  const variations = ['shuffled-keys', 'extra-fields'];
  const { call, perform, mei } = openControl(undefined, { variations });
  for (let count = 0; count < 8; count++) await perform('login', { ...mei, password: 'wrong' });
  const { body } = await call<Schemas['Journal']>('GET /requests');
  expect(new Set(body.requests.map(({ code }) => code))).toEqual(new Set([40102]));
});

test('counts dropped requests until the journal is cleared', async () => {
  const { call, app } = openControl();
  for (let count = 0; count < 1250; count++) await app.inject({ url: '/api/v1/nothing' });
  const { body } = await call<Schemas['Journal']>('GET /requests');
  expect([body.evicted, body.total, body.requests[0]?.id]).toEqual([200, 1050, 201]);
  expect((await call('DELETE /requests')).body).toEqual({ requests: [], total: 0, evicted: 0 });
  await app.inject({ url: '/api/v1/nothing' });
  expect((await call<Schemas['Journal']>('GET /requests')).body).toMatchObject({ total: 1, evicted: 0 });
});

test.each(profileNames)('%s: shows no secret, wherever it was sent', async (name) => {
  const { call, perform, subscribe, app, mei, harbourKey, service } = openControl(loadProfile(name));
  const secret = 'correct-horse-battery';
  const target = `https://user:${secret}@hooks.example/x?key=${secret}`;
  const { values } = await perform('login', mei);
  const token = String(values.token);
  const renewed = String((await perform('refresh', { token }, token)).values.token);
  await subscribe({ secret, url: target }, renewed);
  const hasKeys = service.operations.includes('createKey');
  const keys = hasKeys ? [(await perform('createKey', {}, renewed)).values.key] : [];
  const authorization = `Bearer ${renewed}`;
  const headers = { authorization, cookie: secret, 'x-csrf-token': secret, 'x-note': renewed };
  await app.inject({ url: `/api/v1/tenant/${renewed}?token=${secret}&q=${harbourKey}`, headers });
  const deep = [{ 'api-key': secret }];
  const payload = { username: harbourKey, PassWord: secret, deep, password: [secret] };
  await app.inject({ method: 'POST', url: '/api/v1/auth/tenant/login', payload });
  const { text } = await call('GET /requests');
  for (const hidden of [secret, mei.password, token, renewed, harbourKey, ...keys])
    expect(text).not.toContain(hidden);
});
