// The lawful habits that are chosen by their name, as a client and a receiver see them.
import { expect, onTestFinished, test } from 'vitest';
import { openMock, openReceiver, start, subscriptionRequest } from '../testing/open-mock.ts';
import { ordinalDate, weekDate } from './vary-messages.ts';

function open(...variations: string[]) {
  const mock = openMock(undefined, { variations });
  onTestFinished(() => mock.app.close());
  type Call = Parameters<typeof mock.perform>;
  const codes = async (...calls: Readonly<Call>[]) => {
    const found = [];
    for (const call of calls) found.push(await mock.codeOf(...call));
    return found;
  };
  const totalOf = async (...call: Call) => (await mock.perform(...call)).values.total;
  const createKey = async (token = mock.harbourKey) => {
    const { id: keyID, key } = (await mock.perform('createKey', { name: 'k' }, token)).values;
    return { keyID, key: String(key) };
  };
  return { ...mock, codes, totalOf, createKey };
}

test('a new token, key and subscription are known after 0.7 s', async () => {
  const { perform, codes, clock, logIn, createKey, harbourKey } = open('late-effects');
  clock.time += 1000;
  const [token, { key }] = [await logIn(), await createKey()];
  const request = subscriptionRequest({ url: 'http://127.0.0.1:1/' });
  const { id } = (await perform('createSubscription', request, harbourKey)).values;
  const uses = [
    ['listSites', {}, token],
    ['listSites', {}, key],
    ['testSubscription', { siteID: 101, id }, harbourKey],
  ] as const;
  clock.time += 699;
  expect(await codes(...uses)).toEqual([40100, 40100, 40401]);
  clock.time += 1;
  expect(await codes(...uses)).toEqual([0, 0, 0]);
});

test('API keys are created and deleted by a session, and not by an API key', async () => {
  const { codes, logIn, createKey, harbourKey } = open('keys-by-session');
  const token = await logIn();
  const { keyID, key } = await createKey(token);
  const refused = [
    ['createKey', { name: 'k' }, harbourKey],
    ['deleteKey', { keyID }, harbourKey],
  ] as const;
  expect(await codes(...refused, ['listKeys', {}, key], ['deleteKey', { keyID }, token])).toEqual([
    40100, 40100, 0, 0,
  ]);
});

test('a deleted key is taken for 1.5 s more, and neither listed nor counted', async () => {
  const { codeOf, totalOf, clock, createKey, harbourKey } = open('late-effects');
  clock.time += 1000;
  const { keyID, key } = await createKey();
  clock.time += 1000;
  expect(await codeOf('deleteKey', { keyID }, harbourKey)).toBe(0);
  expect(await totalOf('listKeys', {}, harbourKey)).toBe(1);
  expect(await codeOf('deleteKey', { keyID }, harbourKey)).toBe(40402);
  clock.time += 1499;
  expect(await codeOf('listSites', {}, key)).toBe(0);
  clock.time += 1;
  expect(await codeOf('listSites', {}, key)).toBe(40100);
});

test('cached credentials are taken for a while after their end', async () => {
  const { perform, codeOf, clock, logIn, createKey, harbourKey } = open('cached-credentials');
  const token = await logIn();
  const { keyID, key } = await createKey();
  await perform('deleteKey', { keyID }, harbourKey);
  for (const [credential, ms, want] of [
    [key, 44_999, 0],
    [key, 45_000, 40100],
    [token, 7_259_999, 0],
    [token, 7_260_000, 40101],
  ] as const) {
    clock.time = start + ms;
    expect(await codeOf('listSites', {}, credential)).toBe(want);
  }
});

test.for<[string, (token: string) => string, number]>([
  ['Token', (token) => `Token ${token}`, 0],
  ['Bearer', (token) => `Bearer ${token}`, 0],
  ['Basic, as its password', (token) => `Basic ${btoa(`mei:${token}`)}`, 0],
  ['no scheme', (token) => token, 40100],
])('under any scheme, a token behind %s is taken or refused', async ([, write, want]) => {
  const { app, logIn } = open('any-scheme');
  const codeFor = async (token: string) => {
    const headers = { authorization: write(token) };
    const answer = await app.inject({ method: 'POST', url: '/api/v1/auth/refresh', headers });
    return answer.json<{ code: number }>().code;
  };
  expect([await codeFor(await logIn()), await codeFor('st_unknown')]).toEqual([want, 40100]);
});

test.for([
  ['swapped-case', 'login', 'password', ['demo-password-mei', 'DEMO-PASSWORD-MEI'], [0, 0]],
  ['swapped-case', 'login', 'password', ['DEMO-PASSWORD-MEIX', 'Demo-password-mei'], [40102, 40102]],
  ['lenient-ids', 'getSite', 'siteID', ['101x', '101', 'x101', '1e2'], [0, 0, 40400, 40400]],
] as const)('%s: %s with the %s %j is answered with %j', async ([id, operation, name, values, want]) => {
  const { codes, mei, harbourKey } = open(id);
  const calls = values.map((value) => [operation, { ...mei, [name]: value }, harbourKey] as const);
  expect(await codes(...calls)).toEqual(want);
});

test('late lists show what was there before, and the quota of keys follows deletions late', async () => {
  const { perform, codeOf, totalOf, clock, createKey, harbourKey } = open('late-lists');
  clock.time += 2000;
  const { keyID } = await createKey();
  for (let count = 0; count < 3; count++) await createKey();
  await perform('createSite', { name: 'New' }, harbourKey);
  const state = async () => [
    ...[await totalOf('listKeys', {}, harbourKey), await totalOf('listSites', {}, harbourKey)],
    await codeOf('createKey', { name: 'e' }, harbourKey),
  ];
  expect(await state()).toEqual([1, 2, 40900]);
  clock.time += 1500;
  expect(await state()).toEqual([5, 3, 40900]);
  await perform('deleteKey', { keyID }, harbourKey);
  expect(await state()).toEqual([5, 3, 40900]);
  clock.time += 1500;
  expect(await state()).toEqual([4, 3, 0]);
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
  const { values } = await perform('createSubscription', subscriptionRequest({ url }), harbourKey);
  expect(values.url).toBe(want);
});

test.for([
  ['text-json', 'text/json'],
  ['plain-answers', 'text/plain; charset=utf-8'],
  ['untyped-answers', undefined],
] as const)('%s: answers have the type %s, those of the control API their own', async ([id, want]) => {
  const { app, perform, harbourKey } = open(id);
  for (const token of [harbourKey, undefined])
    expect((await perform('listSites', {}, token)).headers['content-type']).toBe(want);
  const control = await app.inject({ method: 'GET', url: '/_mock/limits' });
  expect(control.headers['content-type']).toContain('application/json');
});

test.for([
  ['html-outside', 'text/html', /^<html>/],
  ['nothing-outside', undefined, /^$/],
] as const)('%s: what is no endpoint is answered with the type %s', async ([id, type, body]) => {
  const { app, codeOf, harbourKey } = open(id);
  const unknown = await app.inject({ method: 'GET', url: '/api/v1/nothing' });
  const wrongMethod = await app.inject({ method: 'DELETE', url: '/api/v1/auth/refresh' });
  expect([unknown.statusCode, wrongMethod.statusCode]).toEqual([404, 405]);
  expect(unknown.headers['content-type']).toBe(type);
  expect(unknown.body).toMatch(body);
  expect(await codeOf('getSite', { siteID: 999 }, harbourKey)).toBe(40400);
});

test('identifiers are texts in answers, but for those of subscriptions', async () => {
  const { perform, harbourKey } = open('text-ids');
  const create = async () => (await perform('createSite', { name: 'New' }, harbourKey)).values.id;
  expect([await create(), await create()]).toEqual(['1001', '1001']);
  expect((await perform('listKeys', {}, harbourKey)).values.list).toMatchObject([{ id: '1' }]);
  expect((await perform('createSubscription', subscriptionRequest(), harbourKey)).values.id).toBe(1);
});

test('the clock of the deployment is ahead', () => {
  const { service } = openMock(undefined, { variations: ['clock-ahead'], clock: 'real' });
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
