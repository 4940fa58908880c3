// When a delivery that failed is tried again (section 6.5).
import type { Profile } from '../../openapi/profile.ts';
import type { Delivery } from '../world/world.ts';

/** The waits before the three retries, in milliseconds. */
const waits = [1, 5, 30].map((minutes) => minutes * 60_000);

/** An attempt that was made later than this after it was due counts from when it was made. */
const punctualMs = 1000;

/** What an attempt made at `at` counts as for what comes after it: when it was due, so that little delays do not add up. */
export function reckonedAt({ nextAttemptAt: due = 0 }: Delivery, at: number): number {
  return at - due < punctualMs ? due : at;
}

/** When the next retry is due after the attempt that counts as made at `reckoned`; undefined where there are no more. */
export function nextRetryAt(delivery: Delivery, reckoned: number, profile: Profile): number | undefined {
  if (delivery.isTest && profile.values['hook-test.retried'] === 'not-retried') return undefined;
  const wait = waits[delivery.retries];
  if (wait === undefined) return undefined;
  const { firstAttemptAt = reckoned } = delivery;
  return profile.values['webhook.retry-anchor'] === 'first-attempt' ? firstAttemptAt + wait : reckoned + wait;
}
