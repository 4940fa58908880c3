import { expect, onTestFinished, test } from 'vitest';
import { loadProfile, type Profile } from '../../openapi/profile.ts';
import { MockError, startMock } from '../start.ts';
import { openMock, openReceiver, profileWith, subscriptionRequest } from '../testing/open-mock.ts';
import { createVariations, explainUnknown, variations } from './variations.ts';

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

test('every variation has a unique id and title, and without ids there are none', () => {
  for (const part of ['id', 'title'] as const)
    expect(new Set(variations.map((variation) => variation[part])).size).toBe(26);
  expect(createVariations([], { seed: 1, profile: loadProfile('default') })).toBeUndefined();
});

test('the same seed gives the same bytes, another seed different ones', () => {
  const bodies = (seed: number) => {
    const { body, names, pushed } = vary(['all'], { seed });
    return [...names(5).map((name) => body(name)), pushed(push, 7)];
  };
  expect(bodies(1)).toEqual(bodies(1));
  expect(bodies(1).some((body) => bodies(2).includes(body))).toBe(false);
});

test('keys are shuffled at every depth, the items of lists are not', () => {
  const { parsed, names } = vary(['shuffled-keys']);
  const all = names(20).map((name) => parsed(name));
  for (const one of all) expect(one).toEqual(answered);
  const orders = (keysOf: (value: Answered) => object) =>
    new Set(all.map((one) => Object.keys(keysOf(one)).join())).size;
  expect(orders((whole) => whole)).toBeGreaterThan(5);
  expect([orders(({ data }) => data), orders(({ data }) => data.list[0]?.at ?? {})]).toEqual([2, 2]);
});

/** Whether an object has more members, and none that is different. */
function isWider(varied: object | undefined, plain: object): boolean {
  expect(varied).toMatchObject(plain);
  return Object.keys(varied ?? {}).length > Object.keys(plain).length;
}

test('extra fields are added, and the others do not change, nor the data of a failure', () => {
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

test('no extra field has a name that the profile uses', () => {
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

test('a custom push has extra fields in its body and data, but not in what a visitor sent, and keeps its style', () => {
  const profile = profileWith({ 'webhook.body-style': 'spaced' });
  const data = { form: 'book', fields: { a: 1, list: [{ b: 2 }] } };
  const body = vary(['extra-fields'], { profile }).pushed({ ...push, data });
  const varied = JSON.parse(body) as { data: typeof data };
  expect([isWider(varied, { ...push, data }), isWider(varied.data, data)]).toEqual([true, true]);
  expect(varied.data.fields).toEqual(data.fields);
  expect(body).toMatch(/^\{"event": "publish\.complete", /);
});

test('a message to a robot is shuffled and otherwise unchanged', () => {
  const message = { msgtype: 'markdown', markdown: { title: 't', text: 'x' } };
  const { pushed } = vary(['all']);
  const bodies = Array.from({ length: 20 }, (_, id) => pushed(message, id, 'dingtalk'));
  for (const body of bodies) expect(JSON.parse(body)).toEqual(message);
  expect(new Set(bodies).size).toBe(4);
});

test('mixed offsets show the same instant, and a body without one does not change', () => {
  const { pushed } = vary(['mixed-offsets'], { profile: compact });
  const times = Array.from({ length: 40 }, (_, id) => timeIn(pushed(push, id)));
  expect(new Set(times.map((time) => Date.parse(time)))).toEqual(new Set([Date.parse(timestamp)]));
  const offsets = new Set(times.map((time) => time.slice('yyyy-mm-ddThh:mm:ss'.length)));
  expect(offsets).toEqual(new Set(['Z', '+00:00', '+08:00', '+05:45', '-03:30', '-11:00', '+14:00']));
  for (const body of [{ test: true, sent_at: '2026-01-02T03:04:05Z' }, { timestamp: 'soon' }])
    expect(pushed(body)).toBe(JSON.stringify(body));
});

const timeIn = (body: string) => (JSON.parse(body) as typeof push).timestamp;
const compact = profileWith({ 'webhook.body-style': 'compact' });

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
async function openVaried(ids: readonly string[], respond = () => ({ status: 200 })) {
  const mock = openMock(compact, { variations: ids });
  const receiver = await openReceiver(respond);
  onTestFinished(() => mock.app.close());
  const values = subscriptionRequest({ url: `${receiver.url}/x`, secret: 's', events: ['content.update'] });
  await mock.perform('createSubscription', values, mock.harbourKey);
  const update = (times: number) => {
    for (let count = 0; count < times; count++)
      mock.control.causeEvent({ event: 'content.update', site_id: 101, data: { count } });
  };
  return { mock, receiver, update };
}

test('two mocks of the same seed answer with the same bytes, and their journals show them', async () => {
  const run = async () => {
    const { perform, service, harbourKey } = openMock(undefined, { variations: ['all'] });
    const { envelope } = await perform('getSite', { siteID: 999 }, harbourKey);
    expect(Object.keys(envelope).length).toBeGreaterThan(4);
    const body = service.journal.entries().at(-1)?.exchange.answer?.body ?? '';
    expect(JSON.parse(body)).toEqual(envelope);
    return body;
  };
  expect(await run()).toBe(await run());
});

test('a repeated site creation returns the same data', async () => {
  const mock = openMock(undefined, { variations: ['all'] });
  const create = () => mock.perform('createSite', { name: 'New' }, mock.harbourKey);
  const [first, second] = [await create(), await create()];
  expect(first.envelope.trace_id).not.toBe(second.envelope.trace_id);
  expect(first.envelope.data).toEqual(second.envelope.data);
});

test('some pushes arrive twice, signed over the sent bytes, as one delivery with one attempt', async () => {
  const { mock, receiver, update } = await openVaried(['all']);
  update(12);
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
  update(1);
  const { attempts } = await mock.control.advance('PT36M');
  const minutes = attempts.map(({ at }) => (Date.parse(at) - Date.parse(attempts[0]?.at ?? '')) / 60_000);
  expect(minutes).toEqual([0, 1, 6, 36]);
  expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);
  expect(mock.control.deliveries().deliveries[0]?.state).toBe('given-up');
});

test('pushes arrive in another order than their causes, and all before the clock has been moved', async () => {
  const { mock, receiver, update } = await openVaried(['reordered-pushes']);
  update(8);
  await mock.control.advance('PT1S');
  const order = receiver.received.map(({ body }) => Number(/"count":(\d)/.exec(body)?.[1]));
  expect(order.toSorted()).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  expect(order).not.toEqual(order.toSorted());
});

test('an answer takes as long as the variation says, and the journal says so', async () => {
  const mock = openMock(undefined, { variations: ['slow-answers'] });
  for (let count = 0; count < 20; count++) await mock.perform('getSite', { siteID: 101 }, mock.harbourKey);
  const delays = mock.service.journal.entries().map(({ exchange }) => ({
    wanted: mock.service.variations?.answerDelay(exchange.traceId) ?? 0,
    taken: exchange.durationMs,
  }));
  expect(delays.filter(({ wanted }) => wanted > 20).length).toBeGreaterThan(0);
  // A timer may end a millisecond early.
  expect(delays.filter(({ wanted, taken }) => taken < wanted - 1)).toEqual([]);
});

test('a mock does not start with an unknown variation, and a near one is suggested', async () => {
  const known =
    '(known: mixed-offsets, extra-fields, shuffled-keys, slow-answers, duplicate-pushes, reordered-pushes, other-dates, split-seconds, lenient-names, tidied-urls, late-effects, cached-credentials, keys-by-session, any-scheme, swapped-case, late-lists, slow-creations, lenient-ids, text-json, plain-answers, untyped-answers, html-outside, nothing-outside, text-ids, long-ids, clock-ahead, all)';
  const refused = startMock({ variations: ['slow-answers', 'extra-field'] });
  await expect(refused).rejects.toBeInstanceOf(MockError);
  await expect(refused).rejects.toThrow(
    `there is no variation "extra-field"; did you mean "extra-fields"? ${known}`,
  );
  expect(explainUnknown(['quite-another-thing'])).toBe(
    `there is no variation "quite-another-thing" ${known}`,
  );
});
