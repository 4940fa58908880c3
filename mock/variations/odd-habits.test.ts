// The lawful habits that are chosen by their name, as a client and a receiver see them.
import { expect, onTestFinished, test } from 'vitest';
import { loadProfile } from '../../openapi/profile.ts';
import { openMock, openReceiver, start, subscriptionRequest } from '../testing/open-mock.ts';
import { ordinalDate, weekDate } from './vary-messages.ts';

function open(...variations: string[]) {
  const mock = openMock(loadProfile('default'), { variations });
  onTestFinished(() => mock.app.close());
  const { perform, mei, harbourKey } = mock;
  const code = async (...call: Parameters<typeof perform>) => (await perform(...call)).envelope.code;
  const login = async () => String((await perform('login', { ...mei })).values.token);
  const createKey = async (token = harbourKey) => {
    const { id: keyID, key } = (await perform('createKey', { name: 'k' }, token)).values;
    return { keyID, key: String(key) };
  };
  return { ...mock, code, login, createKey };
}

test('a new token, key and subscription are known after 0.7 s', async () => {
  const { perform, code, clock, login, createKey, harbourKey } = open('late-effects');
  clock.time += 1000;
  const token = await login();
  const { key } = await createKey();
  const request = subscriptionRequest({ url: 'http://127.0.0.1:1/' });
  const { id } = (await perform('createSubscription', request, harbourKey)).values;
  const codes = async () => [
    await code('listSites', {}, token),
    await code('listSites', {}, key),
    await code('testSubscription', { siteID: 101, id }, harbourKey),
  ];
  clock.time += 699;
  expect(await codes()).toEqual([40100, 40100, 40401]);
  clock.time += 1;
  expect(await codes()).toEqual([0, 0, 0]);
});

test('API keys are created and deleted by a session, and not by an API key', async () => {
  const { code, login, createKey, harbourKey } = open('keys-by-session');
  const token = await login();
  expect(await code('createKey', { name: 'k' }, harbourKey)).toBe(40100);
  const { keyID, key } = await createKey(token);
  expect(await code('deleteKey', { keyID }, harbourKey)).toBe(40100);
  expect([await code('listKeys', {}, key), await code('deleteKey', { keyID }, token)]).toEqual([0, 0]);
});

test('a deleted key is taken for 1.5 s more, and neither listed nor counted', async () => {
  const { perform, code, clock, createKey, harbourKey } = open('late-effects');
  clock.time += 1000;
  const { keyID, key } = await createKey();
  clock.time += 1000;
  await perform('deleteKey', { keyID }, harbourKey);
  expect((await perform('listKeys', {}, harbourKey)).values.total).toBe(1);
  expect(await code('deleteKey', { keyID }, harbourKey)).toBe(40402);
  clock.time += 1499;
  expect(await code('listSites', {}, key)).toBe(0);
  clock.time += 1;
  expect(await code('listSites', {}, key)).toBe(40100);
});

test('cached credentials are taken for a while after their end', async () => {
  const { perform, code, clock, login, createKey, harbourKey } = open('cached-credentials');
  const token = await login();
  const { keyID, key } = await createKey();
  await perform('deleteKey', { keyID }, harbourKey);
  const codes = [];
  for (const [credential, time] of [
    [key, start + 44_999],
    [key, start + 45_000],
    [token, start + 7_259_999],
    [token, start + 7_260_000],
  ] as const) {
    clock.time = time;
    codes.push(await code('listSites', {}, credential));
  }
  expect(codes).toEqual([0, 40100, 0, 40101]);
});

test.for<[string, (token: string) => string, number]>([
  ['Token', (token) => `Token ${token}`, 0],
  ['Bearer', (token) => `Bearer ${token}`, 0],
  ['Basic, as its password', (token) => `Basic ${Buffer.from(`mei:${token}`).toString('base64')}`, 0],
  ['no scheme', (token) => token, 40100],
])('under any scheme, a token behind %s is taken or refused', async ([, write, want]) => {
  const { app, login } = open('any-scheme');
  const codes = [];
  for (const token of [await login(), 'st_unknown']) {
    const headers = { authorization: write(token) };
    const answer = await app.inject({ method: 'POST', url: '/api/v1/auth/refresh', headers });
    codes.push(answer.json<{ code: number }>().code);
  }
  expect(codes).toEqual([want, 40100]);
});

test('a password may have its case swapped, and not otherwise', async () => {
  const { code, mei } = open('swapped-case');
  const codes = [];
  const swapped = mei.password.toUpperCase();
  for (const password of [mei.password, swapped, `${swapped}X`, 'Demo-password-mei'])
    codes.push(await code('login', { ...mei, password }));
  expect(codes).toEqual([0, 0, 40102, 40102]);
});

test('late lists show what was there before, and the quota of keys follows deletions late', async () => {
  const { perform, code, clock, harbourKey } = open('late-lists');
  clock.time += 2000;
  const ids = [];
  for (const name of ['a', 'b', 'c', 'd'])
    ids.push((await perform('createKey', { name }, harbourKey)).values.id);
  await perform('createSite', { name: 'New' }, harbourKey);
  const totals = async () => [
    (await perform('listKeys', {}, harbourKey)).values.total,
    (await perform('listSites', {}, harbourKey)).values.total,
  ];
  expect([await totals(), await code('createKey', { name: 'e' }, harbourKey)]).toEqual([[1, 2], 40900]);
  clock.time += 1500;
  expect(await totals()).toEqual([5, 3]);
  const { key } = (await perform('listKeys', {}, harbourKey)).values;
  expect(key).toBeUndefined();
  await perform('deleteKey', { keyID: ids[0] }, harbourKey);
  expect([(await totals())[0], await code('createKey', { name: 'e' }, harbourKey)]).toEqual([5, 40900]);
  clock.time += 1500;
  expect([(await totals())[0], await code('createKey', { name: 'e' }, harbourKey)]).toEqual([4, 0]);
});

test('an identifier counts up to its last leading digit', async () => {
  const { code, harbourKey } = open('lenient-ids');
  const codes = [];
  for (const siteID of ['101x', '101', 'x101', '1e2'])
    codes.push(await code('getSite', { siteID }, harbourKey));
  expect(codes).toEqual([0, 0, 40400, 40400]);
});

test('names are taken in capitals and with blanks, and shown as documented, but for secrets', async () => {
  const { perform, harbourKey, service } = open('lenient-names');
  const odd = { events: ['Content.Update', ' form.submit'], channel: 'CUSTOM', secret: 'Custom' };
  const { values } = await perform('createSubscription', subscriptionRequest(odd), harbourKey);
  expect(values).toMatchObject({ events: ['content.update', 'form.submit'], channel: 'custom' });
  expect([...service.world.subscriptions.values()][0]?.secret).toBe('Custom');
});

test.for([
  ['hooks.example/', 'http://hooks.example/'],
  ['https://Hooks.example:443/a', 'https://hooks.example/a'],
  ['not a url', undefined],
  ['ftp://hooks.example/', undefined],
] as const)('the receiving URL %s is shown as %s', async ([url, want]) => {
  const { perform, harbourKey } = open('tidied-urls');
  expect((await perform('createSubscription', subscriptionRequest({ url }), harbourKey)).values.url).toBe(
    want,
  );
});

test.for([
  ['text-json', 'text/json'],
  ['plain-answers', 'text/plain; charset=utf-8'],
  ['untyped-answers', undefined],
] as const)('%s: answers have the type %s, those of the control API their own', async ([id, want]) => {
  const { app, perform, harbourKey } = open(id);
  expect((await perform('listSites', {}, harbourKey)).headers['content-type']).toBe(want);
  expect((await perform('listSites')).headers['content-type']).toBe(want);
  const control = await app.inject({ method: 'GET', url: '/_mock/limits' });
  expect(control.headers['content-type']).toContain('application/json');
});

test.for([
  ['html-outside', 'text/html', /^<html>/],
  ['nothing-outside', undefined, /^$/],
] as const)('%s: what is no endpoint is answered with the type %s', async ([id, type, body]) => {
  const { app, code, harbourKey } = open(id);
  const unknown = await app.inject({ method: 'GET', url: '/api/v1/nothing' });
  const wrongMethod = await app.inject({ method: 'DELETE', url: '/api/v1/auth/refresh' });
  expect([unknown.statusCode, wrongMethod.statusCode]).toEqual([404, 405]);
  expect(unknown.headers['content-type']).toBe(type);
  expect(unknown.body).toMatch(body);
  expect(await code('getSite', { siteID: 999 }, harbourKey)).toBe(40400);
});

test('identifiers are texts in answers, but for those of subscriptions', async () => {
  const { perform, harbourKey } = open('text-ids');
  const site = await perform('createSite', { name: 'New' }, harbourKey);
  const again = await perform('createSite', { name: 'New' }, harbourKey);
  expect([site.values.id, again.values.id]).toEqual(['1001', '1001']);
  const { list } = (await perform('listKeys', {}, harbourKey)).values;
  expect(list).toMatchObject([{ id: '1' }]);
  const { id } = (await perform('createSubscription', subscriptionRequest(), harbourKey)).values;
  expect(id).toBe(1);
});

test('the clock of the deployment is ahead', () => {
  const { service } = openMock(loadProfile('default'), { variations: ['clock-ahead'], clock: 'real' });
  expect(service.createWorld().clock).toEqual({ mode: 'real', offset: 360_000 });
});

test.for([
  ['2026-01-02', '2026-002', '2026-W01-5'],
  ['2024-12-31', '2024-366', '2025-W01-2'],
  ['2027-01-03', '2027-003', '2026-W53-7'],
] as const)('%s is %s and %s', ([date, ordinal, week]) => {
  const day = Date.parse(`${date}T00:00:00Z`);
  expect([ordinalDate(day), weekDate(day)]).toEqual([ordinal, week]);
});

test('pushes have a fraction in their header, and other dates in their bodies', async () => {
  const { perform, control, harbourKey } = open('split-seconds', 'other-dates');
  const receiver = await openReceiver(() => ({ status: 200 }));
  const request = subscriptionRequest({ url: receiver.url, secret: 's', events: ['content.update'] });
  await perform('createSubscription', request, harbourKey);
  for (let count = 0; count < 12; count++)
    control.causeEvent({ event: 'content.update', site_id: 101, data: { count } });
  await control.drain();
  const { headers } = receiver.received[0] ?? expect.fail('nothing arrived');
  expect(headers['x-webhook-timestamp']).toBe(`${start / 1000}.25`);
  const dates = receiver.received.map(({ body }) => (JSON.parse(body) as { timestamp: string }).timestamp);
  expect(new Set(dates)).toEqual(new Set(['2026-002T11:04:05+08:00', '2026-W01-5T11:04:05+08:00']));
});
