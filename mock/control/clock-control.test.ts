import { expect, test } from 'vitest';
import type { Schemas } from '../../openapi/generated/control-types.ts';
import { listenControl, openControl } from '../testing/open-control.ts';
import { start, subscriptionRequest } from '../testing/open-mock.ts';
import { toSnapshot } from '../world/snapshot.ts';

const minutes = (count: number) => new Date(start + count * 60_000).toISOString();

test('shows the clock', async () => {
  expect((await openControl().call('GET /clock')).body).toEqual({ mode: 'manual', now: minutes(0) });
});

test.each([
  [{ advance: 'PT1M' }, minutes(1)],
  [{ advance: 'PT1H30M' }, minutes(90)],
  [{ advance: 'PT0S' }, minutes(0)],
  [{ to: minutes(5) }, minutes(5)],
  [{ to: '2026-01-02T11:09:05+08:00' }, minutes(5)],
  [{ mode: 'manual' }, minutes(0)],
  [{ mode: 'manual', advance: 'P1D' }, minutes(24 * 60)],
])('%j moves it to %s', async (move, now) => {
  const { call, service } = openControl();
  expect((await call('POST /clock', move)).body).toEqual({ mode: 'manual', now, attempts: [] });
  expect(new Date(service.clock.now()).toISOString()).toBe(now);
});

test.each([
  [400, {}, 'the body: expected a map with at least one of mode, to, advance'],
  [400, { advance: 'PT1M', to: minutes(5) }, '"to" and "advance" exclude each other'],
  [
    400,
    { advance: '36m' },
    '/advance: expected an ISO 8601 duration of weeks, days, hours, minutes and seconds, such as PT36M, PT1H30M or P1D; it is "36m"',
  ],
  [400, { advance: 'P3654D' }, 'ten years at most'],
  [400, { advance: `PT${'9'.repeat(400)}S` }, 'ten years at most'],
  [
    400,
    { to: '2026-01-02T03:04:05' },
    '/to: expected a time with its offset, such as 2026-01-02T03:04:05Z; it is "2026-01-02T03:04:05"',
  ],
  [400, { mode: 'slow' }, '/mode: expected one of real, manual; it is "slow"'],
  [
    400,
    { advanse: 'PT1M' },
    'the body: there is no member "advanse"; did you mean "advance"? (known: mode, to, advance)',
  ],
  [409, { to: '2026-01-02T03:04:04Z' }, 'the clock goes forward only'],
  [409, { mode: 'real', to: '2020-01-01T00:00:00Z' }, 'the clock goes forward only'],
])('refuses with %i %j and leaves the clock as it is', async (status, move, error) => {
  const { call, service } = openControl();
  const before = toSnapshot(service.world);
  const answer = await call('POST /clock', move);
  expect([answer.status, answer.body.error]).toEqual([status, expect.stringContaining(error)]);
  expect(toSnapshot(service.world)).toEqual(before);
});

test('a real clock runs by itself, and is ahead after a move', async () => {
  const { call } = openControl(undefined, { clock: 'real' });
  await call('POST /clock', { mode: 'real' });
  const { body } = await call<Schemas['MovedClock']>('POST /clock', { advance: 'P1D' });
  const { body: later } = await call<Schemas['Clock']>('GET /clock');
  expect([body.mode, later.mode]).toEqual(['real', 'real']);
  expect(Date.parse(later.now)).toBeGreaterThanOrEqual(Date.parse(body.now));
});

test('a clock that changes its mode goes on from its time', async () => {
  const { call, service } = openControl();
  await call('POST /clock', { mode: 'real' });
  expect(service.clock.now() - start).toBeGreaterThanOrEqual(0);
  expect(service.clock.now() - start).toBeLessThan(60_000);
  const { body } = await call<Schemas['Clock']>('POST /clock', { mode: 'manual' });
  expect((await call<Schemas['Clock']>('GET /clock')).body).toEqual({ mode: 'manual', now: body.now });
});

test('moving the clock makes the retries that become due, and answers with them in order', async () => {
  const { call, perform, origin, harbourKey, app, service } = await listenControl();
  await call('PUT /inbox/ci', { secret: 'correct-horse', respond: [500, 'timeout', 'reset', 503] });
  await perform('createSubscription', subscriptionRequest({ url: `${origin}/_mock/inbox/ci` }), harbourKey);
  await perform('publishSite', { siteID: 101, note: 'spring' }, harbourKey);
  const startedAt = performance.now();
  const { body } = await call<Schemas['MovedClock']>('POST /clock', { advance: 'PT36M' });
  // Nobody waits for an inbox that is set up not to answer.
  expect(performance.now() - startedAt).toBeLessThan(4000);
  // Where a store keeps the world, the first one may have been made before the call.
  const attempts = service.store ? body.attempts.filter(({ cause }) => cause === 'retry') : body.attempts;
  const first = service.store ? [] : [[minutes(0), 1, 'event', 500]];
  expect(
    attempts.map(({ at, number, cause, status, error }) => [at, number, cause, status ?? error]),
  ).toEqual([
    ...first,
    [minutes(1), 2, 'retry', expect.stringContaining('no complete answer within')],
    [minutes(6), 3, 'retry', expect.stringMatching(/reset|closed/i)],
    [minutes(36), 4, 'retry', 503],
  ]);
  const { body: delivery } = await call<Schemas['Delivery']>('GET /deliveries/1');
  expect([delivery.state, delivery.attempts.length]).toEqual(['given-up', 4]);
  expect((await call<{ messages: object[] }>('GET /inbox/ci/messages')).body.messages).toHaveLength(4);
  await app.close();
});

test('the control accepts durations in process, too', async () => {
  const { control } = openControl();
  expect(await control.advance('PT36M')).toEqual({ mode: 'manual', now: minutes(36), attempts: [] });
  await expect(control.advance('36 minutes')).rejects.toThrow('/advance: expected');
});

test('concurrent moves follow one another', async () => {
  const { control } = openControl();
  const moves = await Promise.all([control.advance('PT1M'), control.advance('PT1M'), control.reset()]);
  expect(moves[1]?.now).toBe(minutes(2));
  expect(control.clock().now).toBe('2026-01-01T00:00:00.000Z');
});
