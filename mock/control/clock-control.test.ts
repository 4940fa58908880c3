import { expect, test } from 'vitest';
import type { Schemas } from '../../openapi/generated/control-types.ts';
import { listenControl, openControl } from '../testing/open-control.ts';
import { start } from '../testing/open-mock.ts';

const minutes = (count: number) => new Date(start + count * 60_000).toISOString();

test.each([
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

test('a clock that changes its mode goes on from its time, and a real one is ahead after a move', async () => {
  const { call, service } = openControl();
  const move = async (wanted: object) => (await call<Schemas['MovedClock']>('POST /clock', wanted)).body;
  await move({ mode: 'real' });
  const passed = service.clock.now() - start;
  expect(passed).toBeGreaterThanOrEqual(0);
  expect(passed).toBeLessThan(60_000);
  const ahead = await move({ advance: 'P1D' });
  expect(ahead.mode).toBe('real');
  expect(Date.parse(ahead.now)).toBeGreaterThanOrEqual(start + 86_400_000 + passed);
  const { now } = await move({ mode: 'manual' });
  expect(Date.parse(now)).toBeGreaterThanOrEqual(Date.parse(ahead.now));
  expect((await call('GET /clock')).body).toEqual({ mode: 'manual', now });
});

test('moving the clock makes the retries that become due, and answers with them in order', async () => {
  const { call, perform, subscribe, inboxUrl, harbourKey, service } = await listenControl();
  await call('PUT /inbox/ci', { secret: 'correct-horse', respond: [500, 'timeout', 'reset', 503] });
  await subscribe({ url: inboxUrl });
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
