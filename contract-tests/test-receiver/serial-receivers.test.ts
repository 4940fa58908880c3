// @module-tag nightly
// Receivers that take one push at a time are verified like others, however many wait.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openReceiver } from './testing/open-receiver.ts';
import { decideRightly } from './testing/right-receiver.ts';
import { outcomesOf, secret } from './testing/run.ts';

test.for([
  ['whose pushes of a burst are late by many times the timeout', 40],
  ['that is nearly too slow for a single push', 600],
] as const)(
  'a receiver that takes one push at a time, and %s, is verified',
  { timeout: 300_000 },
  async ([, ms]) => {
    await using receiver = await openReceiver(
      async (seen, key) => {
        await sleep(ms);
        return decideRightly(seen, key);
      },
      { secret, isSerial: true },
    );
    const only =
      ms > 100
        ? ['recv-1-right-push', 'recv-2-zeros', 'advice-many-at-once', 'recv-1-accepted-after-others']
        : [];
    const { run, failed, notVerified, warned } = await outcomesOf(receiver.url, { timeoutMs: 2_000, only });
    const open = run.results.filter(({ result }) => result.outcome === 'not-verified');
    expect(open.map(({ result }) => `${result.id}: ${result.reason}`)).toEqual([]);
    expect([failed, notVerified]).toEqual([[], []]);
    // A sender that takes its time keeps such a receiver from others.
    expect(warned).toEqual(only.length > 0 ? [] : ['advice-slow-sender']);
  },
);
