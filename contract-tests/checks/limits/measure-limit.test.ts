// Fixed, sliding and clock-aligned windows are all allowed: the measured limit is right for each of them, at every moment of the minute.
import { expect, test } from 'vitest';
import type { Clock } from '../../deployment/deployment-clock.ts';
import { exchangeOf, openContext } from '../../testing.ts';
import { type Limited, measureLimit } from './measure-limit.ts';

const kinds = ['fixed', 'sliding', 'aligned'] as const;
type Kind = (typeof kinds)[number];

interface Deployment {
  kind: Kind;
  perMinute: number;
  /** At which second of a minute the first call comes. */
  second: number;
  /** Seconds that each call takes. */
  pace?: number;
  /** Whether a refusal makes it forget all calls before. */
  isForgetful?: boolean;
  /** How many calls were made just before. */
  before?: number;
  maxWaitMs?: number;
}

const base = openContext();
const seconds = Array.from({ length: 60 }, (_, second) => second);

test.for(kinds)('ten a minute is found to be ten by %s windows, whenever the burst begins', async (kind) => {
  for (const second of seconds) {
    for (const pace of [0, 0.2, 1]) {
      const found = await measure({ kind, perMinute: 10, second, pace });
      expect({ second, pace, ...found }).toMatchObject({ letsTenThrough: true, refusesMore: true });
    }
  }
});

test.for([
  ['fixed', 9, false, true],
  ['sliding', 9, false, true],
  ['aligned', 9, false, true],
  ['fixed', 11, true, false],
  ['sliding', 11, true, false],
  ['aligned', 11, true, false],
  ['fixed', 1000, true, false],
] as const)('%s windows of %i a minute are off by one', async ([kind, perMinute, lets, refuses]) => {
  for (const second of seconds)
    expect({ second, ...(await measure({ kind, perMinute, second, pace: 0.2 })) }).toMatchObject({
      letsTenThrough: lets,
      refusesMore: refuses,
    });
});

test.for(kinds)('without the time to wait, %s windows get no wrong verdict', async (kind) => {
  for (const second of seconds)
    for (const perMinute of [9, 10, 11]) {
      const found = await measure({ kind, perMinute, second, pace: 0.5, maxWaitMs: 0 });
      expect({ second, perMinute, lets: found.letsTenThrough }).not.toMatchObject({ lets: false });
      if (perMinute <= 10) expect({ second, perMinute, ...found }).toMatchObject({ refusesMore: true });
    }
});

test('without the time to wait, no limit at all is seen', async () => {
  const found = await measure({ kind: 'sliding', perMinute: 1000, second: 0, maxWaitMs: 0 });
  expect(found).toMatchObject({ letsTenThrough: true, refusesMore: false });
});

test('a refusal now and then is no limit', async () => {
  for (const maxWaitMs of [0, 90_000]) {
    const found = await measure({ kind: 'sliding', perMinute: 10, second: 0, maxWaitMs, isForgetful: true });
    expect(found).toMatchObject({ letsTenThrough: true, refusesMore: false });
  }
});

test('calls made before no longer count where there is time to wait, and are not added', async () => {
  const calls = { kind: 'sliding', perMinute: 10, second: 0, before: 3 } as const;
  expect((await measure(calls)).text).toBe('10 logins were let through in a burst after a quiet minute');
  expect((await measure({ ...calls, maxWaitMs: 0 })).text).toBe('7 logins were let through in a burst');
});

test('a call that is never let through proves no limit', async () => {
  const measured = measure({ kind: 'sliding', perMinute: 0, second: 0 });
  await expect(measured).rejects.toThrow('none of the logins was let through');
});

test('two bursts that agree are enough', async () => {
  const found = await measure({ kind: 'sliding', perMinute: 11, second: 0 });
  expect(found.text).toBe('11 and then 11 logins were let through in a burst after a quiet minute');
  expect(found.startedAt).toBe(Date.parse('2026-01-02T03:05:21Z'));
});

test('a burst that takes more than a minute proves no limit', async () => {
  const measured = measure({ kind: 'sliding', perMinute: 1000, second: 0, pace: 3 });
  await expect(measured).rejects.toThrow('21 calls took more than a minute');
});

async function measure(deployment: Deployment) {
  const {
    kind,
    perMinute,
    second,
    pace = 0,
    maxWaitMs = 90_000,
    isForgetful = false,
    before = 0,
  } = deployment;
  let now = Date.parse('2026-01-02T03:04:00Z') + second * 1000;
  const counted: number[] = Array(before).fill(now);
  const sent: number[] = Array(before).fill(now);
  const clock = {
    now: () => now,
    waitUntil: async (time: number) => {
      now = Math.max(now, time);
    },
    pass: async (ms: number) => {
      now += ms;
    },
  };
  const context = { ...base, options: { ...base.options, maxWaitMs }, clock: clock as unknown as Clock };
  const limited: Limited = {
    what: 'logins',
    lastAt: () => sent.at(-1),
    used: () => sent.filter((time) => time > now - 61_000).length,
    send: async () => {
      now += pace * 1000;
      sent.push(now);
      const isFree = counted.filter((time) => isLive(kind, time, { counted, now })).length < perMinute;
      if (isFree) counted.push(now);
      else if (isForgetful) counted.length = 0;
      return exchangeOf({ code: isFree ? 0 : 42900 }, { status: isFree ? 200 : 429 });
    },
  };
  return measureLimit(context, limited);
}

function isLive(
  kind: Kind,
  time: number,
  { counted, now }: { counted: readonly number[]; now: number },
): boolean {
  if (kind === 'sliding') return time > now - 60_000;
  if (kind === 'aligned') return Math.floor(time / 60_000) === Math.floor(now / 60_000);
  return time >= windowStart(counted, now);
}

/** A fixed window begins with the first call after the end of the one before. */
function windowStart(counted: readonly number[], now: number): number {
  let start = Number.NEGATIVE_INFINITY;
  for (const time of counted) if (time >= start + 60_000) start = time;
  return now >= start + 60_000 ? now : start;
}
