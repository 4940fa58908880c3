import { expect, onTestFinished, test } from 'vitest';
import { loadProfile, type Profile } from '../../openapi/profile.ts';
import { openMock, profileWith, start } from '../testing/open-mock.ts';
import { openSubscribed, type Respond } from '../webhooks/testing.ts';
import { createVariations, explainUnknown, variations } from './variations.ts';
import { ordinalDate, weekDate } from './vary-messages.ts';

const timestamp = '2026-01-02T03:04:05+08:00';
const push = { event: 'publish.complete', timestamp, site_id: 1, site_name: 'x', data: { pages: 2 } };
const list = [
  { id: 1, at: { name: 'a', events: ['c', 'a', 'b'] } },
  { id: 2, at: { name: 'b', events: [] } },
];
const answered = { code: 0, message: 'success', data: { list, total: 2 }, trace_id: 't1' };
type Answered = typeof answered;

function vary(ids: readonly string[], { seed = 1, profile = loadProfile('default') } = {}) {
  const varied = createVariations(ids, { seed, profile });
  if (!varied) throw new Error('no variation is on');
  const body = (name = 't1', value: object = answered) =>
    varied.answer({ status: 200, headers: {}, body: JSON.stringify(value) }, name).body;
  return {
    ...varied,
    body,
    parsed: (name?: string, value?: object) => JSON.parse(body(name, value)) as Answered,
    pushed: (value: object = push, id = 1, channel: 'custom' | 'dingtalk' = 'custom') =>
      varied.pushBody(JSON.stringify(value), { id, channel }),
    names: (count: number) => Array.from({ length: count }, (_, index) => `name ${index}`),
  };
}

test('every variation has a unique id and title', () => {
  for (const part of ['id', 'title'] as const)
    expect(new Set(variations.map((variation) => variation[part])).size).toBe(26);
  expect(createVariations([], { seed: 1, profile: loadProfile('default') })).toBeUndefined();
});

test('shuffles keys at every depth, but not list items', () => {
  const { parsed, names } = vary(['shuffled-keys']);
  const all = names(20).map((name) => parsed(name));
  for (const one of all) expect(one).toEqual(answered);
  const orders = (keysOf: (value: Answered) => object) =>
    new Set(all.map((one) => Object.keys(keysOf(one)).join())).size;
  expect(orders((whole) => whole)).toBeGreaterThan(5);
  expect([orders(({ data }) => data), orders(({ data }) => data.list[0]?.at ?? {})]).toEqual([2, 2]);
});

/** Whether an object has additional members, and all old ones unchanged. */
function isWider(varied: object | undefined, plain: object): boolean {
  expect(varied).toMatchObject(plain);
  return Object.keys(varied ?? {}).length > Object.keys(plain).length;
}

test('adds fields without changing others or the data of a failure', () => {
  const { parsed, names } = vary(['extra-fields']);
  for (const name of names(20)) {
    const varied = parsed(name);
    expect([isWider(varied, answered), isWider(varied.data, answered.data)]).toEqual([true, true]);
    expect(list.map((item, index) => isWider(varied.data.list[index], item))).toEqual([true, true]);
  }
  const failure = { code: 1, message: 'no', data: {}, trace_id: 't' };
  const varied = parsed('t', failure);
  expect([isWider(varied, failure), varied.data]).toEqual([true, {}]);
});

test('adds no field with a name that the profile uses', () => {
  const profile: Profile = profileWith({
    'login.token': '/data/meta/debug',
    'event-data.content.update': { deep: { region: '{id}' } },
    'subscription.request.url': 'request_id',
  });
  const { parsed, names } = vary(['extra-fields'], { profile });
  const found = names(200).flatMap((name) => Object.keys(parsed(name)));
  expect(found).toContain('tookMs');
  expect(found.filter((name) => ['meta', 'debug', 'region', 'request_id'].includes(name))).toEqual([]);
});

test('adds fields to the body and data of a custom push in its style, but not to form fields', () => {
  const profile = profileWith({ 'webhook.body-style': 'spaced' });
  const data = { form: 'book', fields: { a: 1, list: [{ b: 2 }] } };
  const body = vary(['extra-fields'], { profile }).pushed({ ...push, data });
  const varied = JSON.parse(body) as { data: typeof data };
  expect([isWider(varied, { ...push, data }), isWider(varied.data, data)]).toEqual([true, true]);
  expect(varied.data.fields).toEqual(data.fields);
  expect(body).toMatch(/^\{"event": "publish\.complete", /);
});

test('only shuffles a message to a robot', () => {
  const message = { msgtype: 'markdown', markdown: { title: 't', text: 'x' } };
  const { pushed } = vary(['all']);
  const bodies = Array.from({ length: 20 }, (_, id) => pushed(message, id, 'dingtalk'));
  for (const body of bodies) expect(JSON.parse(body)).toEqual(message);
  expect(new Set(bodies).size).toBe(4);
});

test('mixes offsets of the same instant, and leaves other bodies unchanged', () => {
  const { pushed } = vary(['mixed-offsets'], { profile: profileWith(compact) });
  const times = Array.from({ length: 40 }, (_, id) => timeIn(pushed(push, id)));
  expect(new Set(times.map((time) => Date.parse(time)))).toEqual(new Set([Date.parse(timestamp)]));
  const offsets = new Set(times.map((time) => time.slice('yyyy-mm-ddThh:mm:ss'.length)));
  expect(offsets).toEqual(new Set(['Z', '+00:00', '+08:00', '+05:45', '-03:30', '-11:00', '+14:00']));
  for (const body of [{ test: true, sent_at: '2026-01-02T03:04:05Z' }, { timestamp: 'soon' }])
    expect(pushed(body)).toBe(JSON.stringify(body));
});

const timeIn = (body: string) => (JSON.parse(body) as typeof push).timestamp;
const compact = { 'webhook.body-style': 'compact' };

function openVaried(variations: readonly string[], respond?: Respond) {
  return openSubscribed(respond, { gaps: compact, options: { variations }, values: { secret: 's' } });
}

test('two mocks with one seed answer with the same bytes, and a repetition with the same data', async () => {
  const run = async (seed: number) => {
    const { perform, service, harbourKey } = openMock(undefined, { seed, variations: ['all'] });
    const create = async () => (await perform('createSite', { name: 'New' }, harbourKey)).envelope;
    const [first, second] = [await create(), await create()];
    expect(first.trace_id).not.toBe(second.trace_id);
    expect(first.data).toEqual(second.data);
    const bodies = service.journal.entries().map(({ exchange }) => exchange.answer?.body ?? '');
    expect(bodies.map((body) => JSON.parse(body))).toEqual([first, second]);
    const { pushed } = vary(['all'], { seed });
    return [...bodies, pushed(push, 7)];
  };
  const [one, again, other] = [await run(1), await run(1), await run(2)];
  expect(again).toEqual(one);
  expect(one.filter((body) => other.includes(body))).toEqual([]);
});

test('sends some pushes twice, as one delivery with one attempt', async () => {
  const { control, deliveries, received, update } = await openVaried(['all']);
  update(12);
  await control.drain();
  const ends = deliveries().map(({ attempts, state }) => `${attempts.length} ${state}`);
  expect(ends).toEqual(Array(12).fill('1 delivered'));
  const bodies = new Set(received.map(({ body }) => body));
  const signatures = new Set(received.map(({ headers }) => headers['x-webhook-signature']));
  expect([bodies.size, signatures.size]).toEqual([12, 12]);
  expect(received.length).toSatisfy((count: number) => count > 12 && count < 24);
});

test('makes four byte-identical attempts, even if some arrive twice', async () => {
  const { control, deliveries, received, update } = await openVaried(['all'], () => ({ status: 500 }));
  update();
  await control.advance('PT36M');
  const [{ attempts, createdAt, state } = expect.fail('nothing was pushed')] = deliveries();
  expect(attempts.map(({ at }) => (at - createdAt) / 60_000)).toEqual([0, 1, 6, 36]);
  expect([new Set(received.map(({ body }) => body)).size, state]).toEqual([1, 'given-up']);
});

test('reorders pushes, and sends all before a clock move ends', async () => {
  const { control, received, update } = await openVaried(['reordered-pushes']);
  update(8);
  await control.advance('PT1S');
  const order = received.map(({ body }) => Number(/"count":(\d)/.exec(body)?.[1]));
  expect(order.toSorted()).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  expect(order).not.toEqual(order.toSorted());
});

test('delays answers, and records the delay in the journal', async () => {
  const mock = openMock(undefined, { variations: ['slow-answers'] });
  for (let count = 0; count < 20; count++) await mock.perform('getSite', { siteID: 101 }, mock.harbourKey);
  const delays = mock.service.journal.entries().map(({ exchange }) => ({
    wanted: mock.service.variations?.answerDelay(exchange.traceId) ?? 0,
    taken: exchange.durationMs,
  }));
  expect(Math.max(...delays.map(({ wanted }) => wanted))).toSatisfy(
    (most: number) => most > 20 && most <= 150,
  );
  // A timer may end a millisecond early.
  expect(delays.filter(({ wanted, taken }) => taken < wanted - 1)).toEqual([]);
});

test('refuses an unknown variation, and suggests a near one', () => {
  const known =
    '(known: mixed-offsets, extra-fields, shuffled-keys, slow-answers, duplicate-pushes, reordered-pushes, other-dates, split-seconds, lenient-names, tidied-urls, late-effects, cached-credentials, keys-by-session, any-scheme, swapped-case, late-lists, slow-creations, lenient-ids, text-json, plain-answers, untyped-answers, html-outside, nothing-outside, text-ids, long-ids, clock-ahead, all)';
  expect(explainUnknown(['slow-answers', 'extra-field'])).toBe(
    `there is no variation "extra-field"; did you mean "extra-fields"? ${known}`,
  );
  expect(explainUnknown(['quite-another-thing'])).toBe(
    `there is no variation "quite-another-thing" ${known}`,
  );
});

function open(...variations: string[]) {
  const mock = openMock(undefined, { variations });
  onTestFinished(() => mock.app.close());
  const totalOf = async (...call: Parameters<typeof mock.perform>) =>
    (await mock.perform(...call)).values.total;
  const createKey = async (token = mock.harbourKey) => {
    const { id: keyID, key } = (await mock.perform('createKey', { name: 'k' }, token)).values;
    return { keyID, key: String(key) };
  };
  return { ...mock, totalOf, createKey };
}

test('late-effects: accepts new credentials after 0.7 s, and a deleted key for 1.5 s', async () => {
  const { codesOf, subscribe, totalOf, clock, logIn, createKey, harbourKey } = open('late-effects');
  clock.time += 1000;
  const [token, { keyID, key }] = [await logIn(), await createKey()];
  const { id } = (await subscribe({ url: 'http://127.0.0.1:1/' })).values;
  const uses = [
    ['listSites', {}, token],
    ['listSites', {}, key],
    ['testSubscription', { siteID: 101, id }, harbourKey],
  ] as const;
  clock.time += 699;
  expect(await codesOf(...uses)).toEqual([40100, 40100, 40401]);
  clock.time += 1;
  expect(await codesOf(...uses)).toEqual([0, 0, 0]);
  const deletion = ['deleteKey', { keyID }, harbourKey] as const;
  expect(await codesOf(deletion, deletion)).toEqual([0, 40402]);
  expect(await totalOf('listKeys', {}, harbourKey)).toBe(1);
  clock.time += 1499;
  expect(await codesOf(['listSites', {}, key])).toEqual([0]);
  clock.time += 1;
  expect(await codesOf(['listSites', {}, key])).toEqual([40100]);
});

test('keys-by-session: only a session creates and deletes API keys', async () => {
  const { codesOf, logIn, createKey, harbourKey } = open('keys-by-session');
  const token = await logIn();
  const { keyID, key } = await createKey(token);
  const refused = [
    ['createKey', { name: 'k' }, harbourKey],
    ['deleteKey', { keyID }, harbourKey],
  ] as const;
  expect(await codesOf(...refused, ['listKeys', {}, key], ['deleteKey', { keyID }, token])).toEqual([
    40100, 40100, 0, 0,
  ]);
});

test('cached-credentials: accepts ended credentials for a while', async () => {
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
])('any-scheme: a token after %s gets %i', async ([, write, want]) => {
  const { perform, logIn } = open('any-scheme');
  const codeFor = async (token: string) =>
    (await perform('refresh', {}, undefined, { authorization: write(token) })).envelope.code;
  expect([await codeFor(await logIn()), await codeFor('st_unknown')]).toEqual([want, 40100]);
});

test.for([
  ['swapped-case', 'login', 'password', ['demo-password-mei', 'DEMO-PASSWORD-MEI'], [0, 0]],
  ['swapped-case', 'login', 'password', ['DEMO-PASSWORD-MEIX', 'Demo-password-mei'], [40102, 40102]],
  ['lenient-ids', 'getSite', 'siteID', ['101x', '101', 'x101', '1e2'], [0, 0, 40400, 40400]],
] as const)('%s: %s with the %s %j gets %j', async ([id, operation, name, values, want]) => {
  const { codesOf, mei, harbourKey } = open(id);
  const calls = values.map((value) => [operation, { ...mei, [name]: value }, harbourKey] as const);
  expect(await codesOf(...calls)).toEqual(want);
});

test('late-lists: lists and the key quota lag behind', async () => {
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

test('lenient-names: accepts capitals and surrounding spaces in names, but not in secrets', async () => {
  const { subscribe, service } = open('lenient-names');
  const odd = { events: ['Content.Update', ' form.submit'], channel: 'CUSTOM', secret: 'Custom' };
  const { values } = await subscribe(odd);
  expect(values).toMatchObject({ events: ['content.update', 'form.submit'], channel: 'custom' });
  expect([...service.world.subscriptions.values()][0]?.secret).toBe('Custom');
});

test.for([
  ['hooks.example/', 'http://hooks.example/'],
  ['https://Hooks.example:443/a', 'https://hooks.example/a'],
  ['not a url', undefined],
] as const)('tidied-urls: shows the URL %s as %s', async ([url, want]) => {
  expect((await open('tidied-urls').subscribe({ url })).values.url).toBe(want);
});

test.for([
  ['text-json', 'text/json'],
  ['plain-answers', 'text/plain; charset=utf-8'],
  ['untyped-answers', undefined],
] as const)('%s: only answers of the service have the type %s', async ([id, want]) => {
  const { app, perform, harbourKey } = open(id);
  for (const token of [harbourKey, undefined])
    expect((await perform('listSites', {}, token)).headers['content-type']).toBe(want);
  const control = await app.inject({ method: 'GET', url: '/_mock/limits' });
  expect(control.headers['content-type']).toContain('application/json');
});

test.for([
  ['html-outside', 'text/html', /^<html>/],
  ['nothing-outside', undefined, /^$/],
] as const)('%s: unknown endpoints answer with the type %s', async ([id, type, body]) => {
  const { app, codeOf, harbourKey } = open(id);
  const unknown = await app.inject({ method: 'GET', url: '/api/v1/nothing' });
  const wrongMethod = await app.inject({ method: 'DELETE', url: '/api/v1/auth/refresh' });
  expect([unknown.statusCode, wrongMethod.statusCode]).toEqual([404, 405]);
  expect(unknown.headers['content-type']).toBe(type);
  expect(unknown.body).toMatch(body);
  expect(await codeOf('getSite', { siteID: 999 }, harbourKey)).toBe(40400);
});

test('text-ids: ids are strings, except ids of subscriptions', async () => {
  const { perform, subscribe, harbourKey } = open('text-ids');
  const create = async () => (await perform('createSite', { name: 'New' }, harbourKey)).values.id;
  expect([await create(), await create()]).toEqual(['1001', '1001']);
  expect((await perform('listKeys', {}, harbourKey)).values.list).toMatchObject([{ id: '1' }]);
  expect((await subscribe()).values.id).toBe(1);
});

test('clock-ahead: the clock is six minutes ahead', () => {
  const { service } = openMock(undefined, { variations: ['clock-ahead'], clock: 'real' });
  expect(service.createWorld().clock).toEqual({ mode: 'real', offset: 360_000 });
});

test.for([
  ['2024-12-31', '2024-366', '2025-W01-2'],
  ['2027-01-03', '2027-003', '2026-W53-7'],
] as const)('writes %s as %s and %s', ([date, ordinal, week]) => {
  const day = Date.parse(`${date}T00:00:00Z`);
  expect([ordinalDate(day), weekDate(day)]).toEqual([ordinal, week]);
});

test('split-seconds and other-dates: change the header and the body of pushes', async () => {
  const { update, control, received } = await openVaried(['split-seconds', 'other-dates']);
  update(12);
  await control.drain();
  const { headers } = received[0] ?? expect.fail('nothing arrived');
  expect(headers['x-webhook-timestamp']).toBe(`${start / 1000}.25`);
  const dates = received.map(({ body }) => timeIn(body));
  expect(new Set(dates)).toEqual(new Set(['2026-002T11:04:05+08:00', '2026-W01-5T11:04:05+08:00']));
});
