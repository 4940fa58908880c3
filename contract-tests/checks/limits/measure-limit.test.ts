// Deployments may use fixed, sliding and clock-aligned windows, so the measured limit must be right for each at any moment.
import { expect, test } from 'vitest';
import type { Clock } from '../../deployment/deployment-clock.ts';
import { openContext } from '../../testing.ts';
import { callTooEarly } from './limit-span.ts';
import type { Limited } from './limited-calls.ts';
import { measureLimit } from './measure-limit.ts';
import {
  aligned,
  answering,
  fixed,
  forgetful,
  type Limiter,
  sharedWithOthers,
  sliding,
  tokenBucket,
} from './testing.ts';

interface Deployment {
  limiter: Limiter;
  /** At which second of a minute the first call comes. */
  second?: number;
  /** Seconds that each call takes. */
  pace?: number;
  /** How many calls were made just before. */
  before?: number;
  maxWaitMs?: number;
  /** Limits all calls together. */
  quota?: Limiter;
}

const base = openContext();
const seconds = Array.from({ length: 60 }, (_, second) => second);
const windows = { fixed, sliding, aligned };
const kinds = ['fixed', 'sliding', 'aligned'] as const;

test.for<[string, () => Limiter]>([
  ['fixed windows', fixed],
  ['sliding windows', sliding],
  ['aligned windows', aligned],
  ['a token bucket', () => tokenBucket(10)],
  ['a bucket of five', () => tokenBucket(5)],
  ['one call every six seconds', () => tokenBucket(1)],
  ['five in half a minute', () => sliding(5, 30_000)],
])('measures ten a minute with %s, at any start of the burst', async ([, create]) => {
  for (const second of seconds) {
    for (const pace of [0, 0.2, 1]) {
      const found = await measure({ limiter: create(), second, pace });
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
  for (const second of seconds) {
    const found = await measure({ limiter: windows[kind](perMinute), second, pace: 0.2 });
    // If a minute ends right after the first call of a burst, nine and one are ten.
    if (kind === 'aligned' && perMinute === 9 && second === 30) continue;
    expect({ second, ...found }).toMatchObject({ letsTenThrough: lets, refusesMore: refuses });
  }
});

test.for(kinds)('gives no wrong verdict for %s windows without a wait', async (kind) => {
  for (const second of seconds)
    for (const perMinute of [9, 10, 11]) {
      const found = await measure({ limiter: windows[kind](perMinute), second, pace: 0.5, maxWaitMs: 0 });
      expect({ second, perMinute, lets: found.letsTenThrough }).not.toMatchObject({ lets: false });
      if (perMinute <= 10) expect({ second, perMinute, ...found }).toMatchObject({ refusesMore: true });
    }
});

test('sees no limit without a wait', async () => {
  const found = await measure({ limiter: sliding(1000), maxWaitMs: 0 });
  expect(found).toMatchObject({ letsTenThrough: true, refusesMore: false });
});

test('does not take an occasional refusal for a limit', async () => {
  for (const maxWaitMs of [0, 90_000]) {
    const found = await measure({ limiter: forgetful(), maxWaitMs });
    expect(found).toMatchObject({ letsTenThrough: true, refusesMore: false });
  }
});

test('ignores earlier calls after a wait, and does not add them', async () => {
  const waiting = await measure({ limiter: sliding(), before: 3 });
  expect(waiting.text).toBe('10 logins succeeded in a burst after a quiet minute');
  const hasty = await measure({ limiter: sliding(), before: 3, maxWaitMs: 0 });
  expect(hasty.text).toBe('7 logins succeeded in a burst');
});

test('a call that never succeeds proves no limit', async () => {
  await expect(measure({ limiter: () => false })).rejects.toThrow('none of the logins succeeded');
});

test('stops after two bursts that agree', async () => {
  const found = await measure({ limiter: sliding(11) });
  expect(found.text).toBe('11 and then 11 logins succeeded in a burst after a quiet minute');
  expect(found.startedAt).toBe(Date.parse('2026-01-02T03:05:21Z'));
});

test('sees ten slow calls, but not whether more are refused', async () => {
  const found = await measure({ limiter: sliding(1000), pace: 3 });
  expect(found).toMatchObject({ letsTenThrough: true, refusesMore: undefined, accepted: 15 });
  expect(found.reason).toBe('the calls took too long to see a limit of logins');
});

test.for<[string, (refillMs: number) => Limiter]>([
  ['as a token bucket', (refillMs) => tokenBucket(9, refillMs)],
  ['at equal intervals', (refillMs) => tokenBucket(1, refillMs)],
])('does not fail nine a minute %s', async ([, create]) => {
  for (const second of seconds)
    expect({ second, ...(await measure({ limiter: create(60_000 / 9), second })) }).toMatchObject({
      // Another client may use one of the ten.
      letsTenThrough: undefined,
      refusesMore: true,
    });
});

test.for<[string, Limiter, number, object]>([
  ['by the minute', sliding(100), 5, { refusesMore: false }],
  ['by the second', sliding(5, 1_000), 0, { letsTenThrough: true, refusesMore: false }],
])('a general quota %s does not count as the limit', async ([, quota, before, want]) => {
  expect(await measure({ limiter: sliding(1000), quota, before, pace: 0.01 })).toMatchObject(want);
});

test('measures no limit if a quota is used up', async () => {
  const measured = measure({ limiter: sliding(), quota: sliding(7) });
  await expect(measured).rejects.toThrow('in the same way as calls without a limit');
});

test('lets ten calls through although a general quota by the second refuses some', async () => {
  const found = await measure({ limiter: sliding(), quota: sliding(5, 1_000), pace: 0.01 });
  expect(found).toMatchObject({ letsTenThrough: true, refusesMore: true });
});

test('fails nothing because of logins of other clients', async () => {
  for (const second of seconds)
    for (const everySeconds of [7, 13, 17, 25]) {
      const limiter = sharedWithOthers(everySeconds * 1_000);
      limiter(Date.parse('2026-01-02T03:00:00Z'));
      const { letsTenThrough, refusesMore } = await measure({ limiter, second });
      expect({ second, everySeconds, letsTenThrough }).not.toMatchObject({ letsTenThrough: false });
      expect(refusesMore).not.toBe(false);
    }
});

// A measured limit must let no call through too early.
test.for([
  ['fixed', 60_000, false],
  ['sliding', 60_000, false],
  ['aligned', 60_000, false],
  ['fixed', 30_000, true],
  ['sliding', 30_000, true],
  ['aligned', 30_000, true],
] as const)(
  'finds early calls with %s windows of %i ms at any moment: %s',
  async ([kind, spanMs, isEarly]) => {
    for (const second of seconds.filter((second) => second % 2 === 0))
      for (const pace of isEarly ? [0.1] : [0, 0.2, 1]) {
        const { context, limited } = open({ limiter: windows[kind](10, spanMs), second, pace });
        const measured = await measureLimit(context, limited);
        const early = await callTooEarly(context, limited, { measured });
        expect({ second, pace, isEarly: early !== undefined }).toEqual({ second, pace, isEarly });
      }
  },
);

function measure(deployment: Deployment) {
  const { context, limited } = open(deployment);
  return measureLimit(context, limited);
}

function open(deployment: Deployment) {
  const { limiter, quota, second = 0, pace = 0, maxWaitMs = 90_000, before = 0 } = deployment;
  let now = Date.parse('2026-01-02T03:04:00Z') + second * 1000;
  const sent: number[] = Array(before).fill(now);
  sent.forEach(limiter);
  const takes = answering(limiter, quota);
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
    isUnchanged: () => false,
    hasWorked: () => true,
    sendPlain: async () => takes(now, true),
    lastAt: () => sent.at(-1),
    recent: () => sent.filter((time) => time > now - 61_000),
    send: async () => {
      now += pace * 1000;
      sent.push(now);
      return takes(now, false);
    },
  };
  return { context, limited };
}
