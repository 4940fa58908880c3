import { expect, onTestFinished, test } from 'vitest';
import { loadProfile, type Profile } from '../../openapi/profile.ts';
import { MockError, startMock } from '../start.ts';
import { openMock, openReceiver, profileWith, subscriptionRequest } from '../testing/open-mock.ts';
import { createVariations, explainUnknown, variations } from './variations.ts';

const push = {
  event: 'publish.complete',
  timestamp: '2026-01-02T03:04:05+08:00',
  site_id: 1,
  site_name: 'x',
};
const pushBody = JSON.stringify({ ...push, data: { message: 'm', pages: 2, version: 3 } });
const list = [
  { id: 1, at: { name: 'a', events: ['c', 'a', 'b'] } },
  { id: 2, at: { name: 'b', events: [] } },
];
const answerBody = JSON.stringify({ code: 0, message: 'success', data: { list, total: 2 }, trace_id: 't1' });

function vary(ids: readonly string[], { seed = 1, profile = loadProfile('default') } = {}) {
  const varied = createVariations(ids, { seed, profile });
  if (!varied) throw new Error('no variation is on');
  return {
    ...varied,
    body: (name = 't1', body = answerBody) => varied.answer({ status: 200, headers: {}, body }, name).body,
    names: (count: number) => Array.from({ length: count }, (_, index) => `name ${index}`),
  };
}

test('every variation has a unique id and title', () => {
  for (const part of ['id', 'title'] as const)
    expect(new Set(variations.map((variation) => variation[part])).size).toBe(26);
});

test('without ids there are no variations', () => {
  expect(createVariations([], { seed: 1, profile: loadProfile('default') })).toBeUndefined();
});

test.each([
  [
    'shufled-keys',
    'there is no variation "shufled-keys"; did you mean "shuffled-keys"? (known: mixed-offsets,',
  ],
  ['quite-another-thing', 'there is no variation "quite-another-thing" (known: '],
])('the error for the unknown id %s suggests the nearest known one', (id, want) => {
  expect(explainUnknown(['slow-answers', id])).toContain(want);
  expect(() => vary([id])).toThrow(want);
});

test('the same seed gives the same bytes, another seed different ones', () => {
  const bodies = (seed: number) => {
    const { body, names, pushBody: bodyOf } = vary(['all'], { seed });
    return [...names(5).map((name) => body(name)), bodyOf(pushBody, { id: 7, channel: 'custom' })];
  };
  expect(bodies(1)).toEqual(bodies(1));
  expect(bodies(1).some((body) => bodies(2).includes(body))).toBe(false);
});

test('keys are shuffled at every depth, the items of lists are not', () => {
  const { body, names } = vary(['shuffled-keys']);
  const bodies = names(20).map((name) => body(name));
  for (const one of bodies) expect(JSON.parse(one)).toEqual(JSON.parse(answerBody));
  const orders = (keysOf: (value: Answered) => object) =>
    new Set(bodies.map((one) => Object.keys(keysOf(JSON.parse(one) as Answered)).join())).size;
  expect([orders((whole) => whole), orders(({ data }) => data)]).toEqual([expect.any(Number), 2]);
  expect(orders((whole) => whole)).toBeGreaterThan(5);
  expect(orders(({ data }) => data.list[0]?.at ?? {})).toBe(2);
});

interface Answered {
  data: { list: { at: object }[] };
}

test('extra fields are added, and the others do not change', () => {
  const { body, names } = vary(['extra-fields']);
  for (const name of names(20)) {
    const varied = JSON.parse(body(name)) as Record<string, unknown>;
    expect(varied).toMatchObject(JSON.parse(answerBody));
    expect(countAdded(varied, JSON.parse(answerBody))).toEqual({ envelope: true, data: true, item: true });
  }
});

function countAdded(varied: unknown, plain: unknown) {
  const more = (one: object, other: object) => Object.keys(one).length > Object.keys(other).length;
  const [now, before] = [varied, plain] as [Answered, Answered];
  return {
    envelope: more(now, before),
    data: more(now.data, before.data),
    item: now.data.list.every((item, index) => more(item, before.data.list[index] ?? {})),
  };
}

test('the data of a repeated write has the same extra fields', () => {
  const { body } = vary(['extra-fields']);
  const [first, second] = [body('t1'), body('t2')].map((text) => JSON.parse(text) as Answered);
  expect(first?.data).toEqual(second?.data);
});

test('the data of a failure does not change', () => {
  const failure = { code: 1, message: 'no', data: {}, trace_id: 't' };
  const varied = JSON.parse(vary(['extra-fields']).body('t', JSON.stringify(failure))) as object;
  expect(varied).toMatchObject(failure);
  expect(varied).toHaveProperty('data', {});
  expect(Object.keys(varied).length).toBeGreaterThan(4);
});

test('no extra field has a name that the profile uses', () => {
  const profile: Profile = profileWith({
    'login.token': '/data/meta/debug',
    'event-data.content.update': { deep: { region: '{id}' } },
    'subscription.request.url': 'request_id',
  });
  const { body, names } = vary(['extra-fields'], { profile });
  const found = names(200).flatMap((name) => Object.keys(JSON.parse(body(name)) as object));
  expect(found).toContain('tookMs');
  expect(found.filter((name) => ['meta', 'debug', 'region', 'request_id'].includes(name))).toEqual([]);
});

test('a custom push has extra fields in its body and data, and keeps its style', () => {
  const profile = profileWith({ 'webhook.body-style': 'spaced' });
  const body = vary(['extra-fields'], { profile }).pushBody(pushBody, { id: 1, channel: 'custom' });
  const varied = JSON.parse(body) as { data: object };
  expect(varied).toMatchObject(JSON.parse(pushBody));
  expect(Object.keys(varied).length).toBeGreaterThan(5);
  expect(Object.keys(varied.data).length).toBeGreaterThan(3);
  expect(body).toMatch(/^\{"event": "publish\.complete", /);
});

test('the fields that a visitor sent are pushed unchanged', () => {
  const data = { form: 'book', fields: { a: 1, list: [{ b: 2 }] } };
  const body = vary(['extra-fields']).pushBody(JSON.stringify({ ...push, data }), {
    id: 1,
    channel: 'custom',
  });
  expect((JSON.parse(body) as { data: unknown }).data).toMatchObject(data);
  expect((JSON.parse(body) as { data: typeof data }).data.fields).toEqual(data.fields);
});

test('a message to a robot is shuffled and otherwise unchanged', () => {
  const message = { msgtype: 'markdown', markdown: { title: 't', text: 'x' } };
  const { pushBody: bodyOf } = vary(['all']);
  const bodies = Array.from({ length: 20 }, (_, id) =>
    bodyOf(JSON.stringify(message), { id, channel: 'dingtalk' }),
  );
  for (const body of bodies) expect(JSON.parse(body)).toEqual(message);
  expect(new Set(bodies).size).toBe(4);
});

test('mixed offsets show the same instant', () => {
  const { pushBody: bodyOf } = vary(['mixed-offsets']);
  const times = Array.from({ length: 40 }, (_, id) => {
    const body = bodyOf(pushBody, { id, channel: 'custom' });
    return (JSON.parse(body) as typeof push).timestamp;
  });
  expect(new Set(times.map((time) => Date.parse(time)))).toEqual(new Set([Date.parse(push.timestamp)]));
  const offsets = new Set(times.map((time) => time.slice('yyyy-mm-ddThh:mm:ss'.length)));
  expect(offsets).toEqual(new Set(['Z', '+00:00', '+08:00', '+05:45', '-03:30', '-11:00', '+14:00']));
});

test('a body without such a timestamp does not change', () => {
  const { pushBody: bodyOf } = vary(['mixed-offsets'], {
    profile: profileWith({ 'webhook.body-style': 'compact' }),
  });
  for (const body of ['{"test":true,"sent_at":"2026-01-02T03:04:05Z"}', '{"timestamp":"soon"}'])
    expect(bodyOf(body, { id: 1, channel: 'custom' })).toBe(body);
});

test('some answers are slow, some pushes late, some sent twice', () => {
  const { answerDelay, pushDelay, isSentTwice, names } = vary(['all']);
  const answers = names(400).map(answerDelay);
  expect(answers.filter((delay) => delay > 0).length).toSatisfy((count: number) => count > 20 && count < 80);
  expect(Math.max(...answers)).toSatisfy((longest: number) => longest > 120 && longest <= 150);
  expect(Math.max(...names(400).map(pushDelay))).toBe(40);
  const twice = names(400).filter(isSentTwice).length;
  expect(twice).toSatisfy((count: number) => count > 90 && count < 180);
});

// The variations as a client and a receiver see them.
const compact = profileWith({ 'webhook.body-style': 'compact' });

async function openVaried(ids: readonly string[], respond = () => ({ status: 200 })) {
  const mock = openMock(compact, { variations: ids });
  const receiver = await openReceiver(respond);
  onTestFinished(() => mock.app.close());
  const values = subscriptionRequest({ url: `${receiver.url}/x`, secret: 's', events: ['content.update'] });
  await mock.perform('createSubscription', values, mock.harbourKey);
  const update = (data: object) =>
    mock.control.causeEvent({ event: 'content.update', site_id: 101, data: { ...data } });
  return { mock, receiver, update };
}

test('the same calls to two mocks of the same seed are answered with the same bytes', async () => {
  const run = async () => {
    const mock = openMock(loadProfile('default'), { variations: ['all'] });
    const answers = [
      await mock.perform('listSites', {}, mock.harbourKey),
      await mock.perform('getSite', { siteID: 101 }, mock.harbourKey),
      await mock.perform('getSite', { siteID: 999 }, mock.harbourKey),
    ];
    return answers.map(({ envelope }) => JSON.stringify(envelope));
  };
  expect(await run()).toEqual(await run());
});

test('the journal shows what was sent', async () => {
  const mock = openMock(loadProfile('default'), { variations: ['extra-fields'] });
  const { envelope } = await mock.perform('listSites', {}, mock.harbourKey);
  const [entry] = mock.service.journal.entries().slice(-1);
  expect(JSON.parse(entry?.exchange.answer?.body ?? '')).toEqual(envelope);
  expect(Object.keys(envelope).length).toBeGreaterThan(4);
});

test('a repeated site creation returns the same data', async () => {
  const mock = openMock(loadProfile('default'), { variations: ['all'] });
  const create = () => mock.perform('createSite', { name: 'New' }, mock.harbourKey);
  const [first, second] = [await create(), await create()];
  expect(first.envelope.trace_id).not.toBe(second.envelope.trace_id);
  expect(first.envelope.data).toEqual(second.envelope.data);
});

test('some pushes arrive twice, signed over the sent bytes, as one delivery with one attempt', async () => {
  const { mock, receiver, update } = await openVaried(['all']);
  for (let count = 0; count < 12; count++) update({ count });
  await mock.control.drain();
  const { deliveries } = mock.control.deliveries();
  expect(deliveries.map(({ attempts, state }) => [attempts.length, state])).toEqual(
    Array.from({ length: 12 }, () => [1, 'delivered']),
  );
  const bodies = new Set(receiver.received.map(({ body }) => body));
  const signatures = new Set(receiver.received.map(({ headers }) => headers['x-webhook-signature']));
  expect([bodies.size, signatures.size]).toEqual([12, 12]);
  expect(receiver.received.length).toSatisfy((count: number) => count > 12 && count < 24);
});

test('retries are byte-identical, four attempts in all, whatever arrives twice', async () => {
  const { mock, receiver, update } = await openVaried(['all'], () => ({ status: 500 }));
  update({ count: 1 });
  const { attempts } = await mock.control.advance('PT36M');
  expect(attempts.map(({ at }) => (Date.parse(at) - Date.parse(attempts[0]?.at ?? '')) / 60_000)).toEqual([
    0, 1, 6, 36,
  ]);
  expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);
  expect(mock.control.deliveries().deliveries[0]?.state).toBe('given-up');
});

test('pushes arrive in another order than their causes, and all before the clock has been moved', async () => {
  const { mock, receiver, update } = await openVaried(['reordered-pushes']);
  for (let count = 0; count < 8; count++) update({ count });
  await mock.control.advance('PT1S');
  const order = receiver.received.map(
    ({ body }) => (JSON.parse(body) as { data: { count: number } }).data.count,
  );
  expect(order.toSorted()).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  expect(order).not.toEqual(order.toSorted());
});

test('an answer takes as long as the variation says, and the journal says so', async () => {
  const mock = openMock(loadProfile('default'), { variations: ['slow-answers'] });
  for (let count = 0; count < 20; count++) await mock.perform('getSite', { siteID: 101 }, mock.harbourKey);
  const delays = mock.service.journal.entries().map(({ exchange }) => ({
    wanted: mock.service.variations?.answerDelay(exchange.traceId) ?? 0,
    taken: exchange.durationMs,
  }));
  expect(delays.filter(({ wanted }) => wanted > 20).length).toBeGreaterThan(0);
  // A timer may end a millisecond early.
  expect(delays.filter(({ wanted, taken }) => taken < wanted - 1)).toEqual([]);
});

test('a mock does not start with an unknown variation', async () => {
  const refused = startMock({ variations: ['extra-field'] });
  await expect(refused).rejects.toBeInstanceOf(MockError);
  await expect(refused).rejects.toThrow(
    'there is no variation "extra-field"; did you mean "extra-fields"? (known: mixed-offsets, extra-fields, shuffled-keys, slow-answers, duplicate-pushes, reordered-pushes, other-dates, split-seconds, lenient-names, tidied-urls, late-effects, cached-credentials, keys-by-session, any-scheme, swapped-case, late-lists, slow-creations, lenient-ids, text-json, plain-answers, untyped-answers, html-outside, nothing-outside, text-ids, long-ids, clock-ahead, all)',
  );
});
