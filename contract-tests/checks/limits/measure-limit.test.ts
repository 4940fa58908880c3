// Deployments may use fixed, sliding and clock-aligned windows, so the measured limit must be right for each at any moment.
import { expect, test } from 'vitest';
import type { Clock } from '../../deployment/deployment-clock.ts';
import { openContext } from '../../testing.ts';
import { callTooEarly } from './limit-span.ts';
import type { Limited } from './limited-calls.ts';
import { measureLimit } from './measure-limit.ts';
import { createLimit, type Deployment, kinds } from './testing.ts';

const base = openContext();
const seconds = Array.from({ length: 60 }, (_, second) => second);

test.for(kinds)('measures ten a minute with %s windows, at any start of the burst', async (kind) => {
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
  for (const second of seconds) {
    const found = await measure({ kind, perMinute, second, pace: 0.2 });
    // If a minute ends right after the first call of a burst, nine and one are ten.
    if (kind === 'aligned' && perMinute === 9 && second === 30) continue;
    expect({ second, ...found }).toMatchObject({ letsTenThrough: lets, refusesMore: refuses });
  }
});

test.for(kinds)('gives no wrong verdict for %s windows without a wait', async (kind) => {
  for (const second of seconds)
    for (const perMinute of [9, 10, 11]) {
      const found = await measure({ kind, perMinute, second, pace: 0.5, maxWaitMs: 0 });
      expect({ second, perMinute, lets: found.letsTenThrough }).not.toMatchObject({ lets: false });
      if (perMinute <= 10) expect({ second, perMinute, ...found }).toMatchObject({ refusesMore: true });
    }
});

test('sees no limit without a wait', async () => {
  const found = await measure({ kind: 'sliding', perMinute: 1000, second: 0, maxWaitMs: 0 });
  expect(found).toMatchObject({ letsTenThrough: true, refusesMore: false });
});

test('does not take an occasional refusal for a limit', async () => {
  for (const maxWaitMs of [0, 90_000]) {
    const found = await measure({ kind: 'sliding', perMinute: 10, second: 0, maxWaitMs, isForgetful: true });
    expect(found).toMatchObject({ letsTenThrough: true, refusesMore: false });
  }
});

test('ignores earlier calls after a wait, and does not add them', async () => {
  const calls = { kind: 'sliding', perMinute: 10, second: 0, before: 3 } as const;
  expect((await measure(calls)).text).toBe('10 logins succeeded in a burst after a quiet minute');
  expect((await measure({ ...calls, maxWaitMs: 0 })).text).toBe('7 logins succeeded in a burst');
});

test('a call that never succeeds proves no limit', async () => {
  const measured = measure({ kind: 'sliding', perMinute: 0, second: 0 });
  await expect(measured).rejects.toThrow('none of the logins succeeded');
});

test('stops after two bursts that agree', async () => {
  const found = await measure({ kind: 'sliding', perMinute: 11, second: 0 });
  expect(found.text).toBe('11 and then 11 logins succeeded in a burst after a quiet minute');
  expect(found.startedAt).toBe(Date.parse('2026-01-02T03:05:21Z'));
});

test('sees ten slow calls, but not whether more are refused', async () => {
  const found = await measure({ kind: 'sliding', perMinute: 1000, second: 0, pace: 3 });
  expect(found).toMatchObject({ letsTenThrough: true, refusesMore: undefined, accepted: 15 });
  expect(found.reason).toBe('the calls took too long to see a limit of logins');
});

test.for(['token-bucket', 'token-bucket of five', 'paced', 'five in half a minute'] as const)(
  'accepts a limit as %s as ten a minute, at any start of the burst',
  async (kind) => {
    for (const second of seconds)
      for (const pace of [0, 0.2, 1])
        expect({ second, pace, ...(await measure({ kind, perMinute: 10, second, pace })) }).toMatchObject({
          letsTenThrough: true,
          refusesMore: true,
        });
  },
);

test.for(['token-bucket', 'paced'] as const)('does not fail nine a minute as %s', async (kind) => {
  for (const second of seconds)
    expect({ second, ...(await measure({ kind, perMinute: 9, second })) }).toMatchObject({
      // Another client may use one of the ten.
      letsTenThrough: undefined,
      refusesMore: true,
    });
});

test('fails a bucket of eleven, at any start of the burst', async () => {
  for (const second of seconds)
    expect({ second, ...(await measure({ kind: 'token-bucket', perMinute: 11, second })) }).toMatchObject({
      letsTenThrough: true,
      refusesMore: false,
    });
});

test.for([
  ['by the minute', 100, 5],
  ['by the second', 5, 0],
] as const)('a general quota %s does not count as the limit', async ([_by, quota, before]) => {
  const perSecond = quota === 5;
  const measured = measure({
    kind: 'sliding',
    perMinute: 1000,
    second: 0,
    quota,
    perSecond,
    before,
    pace: 0.01,
  });
  if (perSecond) expect(await measured).toMatchObject({ letsTenThrough: true, refusesMore: false });
  else await expect(measured).resolves.toMatchObject({ refusesMore: false });
});

test('measures no limit if a quota is used up', async () => {
  const measured = measure({ kind: 'sliding', perMinute: 10, second: 0, quota: 7 });
  await expect(measured).rejects.toThrow('in the same way as calls without a limit');
});

test('lets ten calls through although a general quota by the second refuses some', async () => {
  const found = await measure({
    kind: 'sliding',
    perMinute: 10,
    second: 0,
    quota: 5,
    perSecond: true,
    pace: 0.01,
  });
  expect(found).toMatchObject({ letsTenThrough: true, refusesMore: true });
});

test('calls refused during another call show no limit, and ten spread calls succeed', async () => {
  const found = await measure({ kind: 'one at a time', perMinute: 1000, second: 0 });
  expect(found).toMatchObject({ letsTenThrough: true, refusesMore: undefined, refusal: undefined });
  expect(found.reason).toContain('for another reason than a limit, after 1 accepted ones');
});

test('measures the same limit with a lock', async () => {
  for (const second of seconds)
    expect(await measure({ kind: 'locked', perMinute: 10, second })).toMatchObject({
      letsTenThrough: true,
      refusesMore: true,
    });
});

test('measures no limit during a lock', async () => {
  const measured = measure({ kind: 'locked', perMinute: 0, second: 0 });
  await expect(measured).rejects.toThrow('none of the logins succeeded');
});

test('measures no limit if answers are replayed', async () => {
  for (const maxWaitMs of [0, 90_000]) {
    const measured = measure({ kind: 'replayed', perMinute: 10, second: 0, maxWaitMs });
    await expect(measured).rejects.toThrow('return the first answer for a while');
  }
});

test('fails nothing because of logins of other clients', async () => {
  for (const second of seconds)
    for (const others of [7, 13, 17, 25]) {
      const found = await measure({ kind: 'sliding', perMinute: 10, second, others });
      expect({ second, others, lets: found.letsTenThrough, refuses: found.refusesMore }).not.toMatchObject({
        lets: false,
      });
      expect(found.refusesMore).not.toBe(false);
    }
});

// A measured limit must let no call through too early.
const evenSeconds = seconds.filter((second) => second % 2 === 0);

test.for(kinds)('finds no early call with %s windows of a minute, at any moment', async (kind) => {
  for (const second of evenSeconds)
    for (const pace of [0, 0.2, 1])
      expect({ second, pace, early: await look({ kind, perMinute: 10, second, pace }) }).toMatchObject({
        early: false,
      });
});

test.for([
  [6, false],
  [2, true],
] as const)('ten at once and one more every %i seconds: too early %s', async ([span, isEarly]) => {
  for (const second of evenSeconds)
    for (const pace of [0, 0.2]) {
      const early = await look({ kind: 'token-bucket', perMinute: 60 / span, size: 10, second, pace });
      expect({ second, pace, early }).toMatchObject({ early: isEarly });
    }
});

test.for(kinds)('finds early calls with %s windows of half a minute', async (kind) => {
  for (const second of evenSeconds) {
    const early = await look({ kind, perMinute: 10, spanMs: 30_000, second, pace: 0.1 });
    expect({ second, early }).toMatchObject({ early: true });
  }
});

function measure(deployment: Deployment) {
  const { context, limited } = open(deployment);
  return measureLimit(context, limited);
}

async function look(deployment: Deployment): Promise<boolean> {
  const { context, limited } = open(deployment);
  const measured = await measureLimit(context, limited);
  return (await callTooEarly(context, limited, { measured })) !== undefined;
}

function open(deployment: Deployment) {
  const { second, pace = 0, maxWaitMs = 90_000, before = 0 } = deployment;
  let now = Date.parse('2026-01-02T03:04:00Z') + second * 1000;
  const sent: number[] = Array(before).fill(now);
  const takes = createLimit(deployment, Array(before).fill(now));
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
