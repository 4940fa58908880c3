import { expect, test } from 'vitest';
import type { Schemas } from '../../openapi/generated/control-types.ts';
import { checkAnswer, listenControl, listenTo } from '../testing/open-control.ts';
import { openReceiver } from '../testing/open-mock.ts';

/** A mock whose inbox is subscribed and fails. */
async function openFailing() {
  const mock = await listenControl();
  const url = `${mock.inboxUrl}?key=abc`;
  const secret = 'Correct-Horse';
  await mock.call('PUT /inbox/ci', { secret, respond: [500, 500, 500] });
  await mock.subscribe({ url, secret });
  const push = async () => {
    await mock.call('POST /events', { event: 'publish.complete' });
    await mock.call('POST /drain');
  };
  return { ...mock, push };
}

test('shows in short what there is', async () => {
  const { call, push, perform, mei, origin } = await openFailing();
  await perform('login', { ...mei, password: 'wrong' });
  await push();
  await call('PUT /faults', { on: ['third-retry-missing'] });
  const { body } = await call<Schemas['Overview']>('GET /overview');
  expect(body).toMatchObject({
    profile: 'default',
    clock: { mode: 'manual', now: '2026-01-02T03:04:05.000Z' },
    variations: [],
    faults: ['third-retry-missing'],
    requests: [
      { id: 1, operation: 'createSubscription', status: 200 },
      {
        id: 2,
        operation: 'login',
        who: 'mei@harbour-cafe.example',
        refusal: expect.stringContaining('password'),
      },
    ],
    deliveries: [
      {
        id: 1,
        state: 'pending',
        url: `${origin}/_mock/inbox/ci?key=…`,
        attempts: [{ at: '2026-01-02T03:04:05.000Z', cause: 'event', ok: false, status: 500 }],
        planned: ['2026-01-02T03:05:05.000Z', '2026-01-02T03:10:05.000Z', '2026-01-02T03:40:05.000Z'],
      },
    ],
    inboxes: [{ name: 'ci', has_secret: true, received: 1, respond: 2 }],
  });
  expect(JSON.stringify(body)).not.toMatch(/Correct-Horse|abc/);
});

test('plans the four attempts of a push that was not sent yet', async () => {
  const { call } = await openFailing();
  await call('POST /events', { event: 'publish.complete' });
  const { body } = await call<Schemas['Overview']>('GET /overview');
  expect(body.deliveries.map(({ planned }) => planned)).toEqual([
    ['03:04:05', '03:05:05', '03:10:05', '03:40:05'].map((time) => `2026-01-02T${time}.000Z`),
  ]);
});

async function listenShort(origin: string) {
  const { events } = await listenTo<{ data: Schemas['Changes'] }>(`${origin}/_mock/stream?short=true`);
  return () => events().map(({ data }) => data);
}

test('tells what changes in short, and seldom', async () => {
  const { call, push, perform, mei, origin } = await openFailing();
  const changes = await listenShort(origin);
  const listeningSince = performance.now();
  for (let count = 0; count < 120; count++) await perform('login', { ...mei, password: 'wrong' });
  await push();
  const ids = () => changes().flatMap(({ requests = [] }) => requests.map(({ id }) => id));
  await expect.poll(() => ids().at(-1)).toBe(121);
  expect(changes().every(({ requests = [] }) => requests.length <= 25)).toBe(true);
  await expect.poll(() => changes().at(-1)?.deliveries?.[0]?.attempts.length).toBe(1);
  for (const answer of changes())
    checkAnswer('/components/schemas/Changes', { line: 'changes', status: 200, answer });
  const tenthsOfSeconds = (performance.now() - listeningSince) / 100;
  expect(changes().length).toBeLessThanOrEqual(tenthsOfSeconds + 1);
  const ofInboxes = changes().flatMap(({ inboxes = [] }) => inboxes);
  expect(ofInboxes.at(-1)).toMatchObject({ name: 'ci', received: 1 });
  expect(new Set(ids()).size).toBe(ids().length);
  await call('POST /deliveries/1/give-up');
  await expect
    .poll(() => changes().at(-1)?.deliveries?.[0])
    .toMatchObject({ state: 'given-up', planned: [] });
  await call('POST /reset');
  await expect.poll(() => changes().at(-1)?.replaced).toBe(true);
});

test('says that there was more than it shows', async () => {
  const { origin, app } = await openFailing();
  const changes = await listenShort(origin);
  await Promise.all(Array.from({ length: 400 }, () => app.inject('/api/v1/nowhere')));
  await expect.poll(() => changes().some(({ more, requests }) => more && requests?.length === 25)).toBe(true);
});

test('gives a delivery up, which then is sent no more', async () => {
  const { call, push } = await openFailing();
  await push();
  const { body } = await call('POST /deliveries/1/give-up');
  expect(body).toMatchObject({ state: 'given-up', attempts: [{ signature_fits: true, status: 500 }] });
  expect(body).not.toHaveProperty('next_attempt_at');
  expect((await call('POST /clock', { advance: 'PT36M' })).body.attempts).toEqual([]);
  const again = await call('POST /deliveries/1/give-up');
  expect([again.status, again.body.error]).toEqual([409, expect.stringContaining('it is given-up')]);
});

test('a delivery that is given up during an attempt stays so', async () => {
  const { call, subscribe } = await listenControl();
  const [arrived, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const { url } = await openReceiver(async () => {
    arrived.resolve();
    await ended.promise;
    return { status: 500 };
  });
  await subscribe({ url });
  await call('POST /events', { event: 'publish.complete' });
  await arrived.promise;
  await call('POST /deliveries/1/give-up');
  ended.resolve();
  await call('POST /drain');
  const { body } = await call('GET /deliveries/1');
  expect(body).toMatchObject({ state: 'given-up', attempts: [{ status: 500 }] });
  expect(body).not.toHaveProperty('next_attempt_at');
});

test('says that a signature does not fit', async () => {
  const { call, push } = await openFailing();
  await call('PUT /faults', { on: ['secret-in-lower-case'] });
  await push();
  expect((await call('GET /deliveries/1')).body).toMatchObject({ attempts: [{ signature_fits: false }] });
});
