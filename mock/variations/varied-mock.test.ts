// The variations as a client and a receiver see them.
import { expect, onTestFinished, test } from 'vitest';
import { loadProfile } from '../../openapi/profile.ts';
import { MockError, startMock } from '../start.ts';
import { openMock, openReceiver, profileWith, subscriptionRequest } from '../testing/open-mock.ts';

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
