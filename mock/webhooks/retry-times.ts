// When a failed delivery is retried (section 6.5).
import type { Profile } from '../../openapi/profile.ts';
import type { Delivery } from '../world/entries.ts';

/** The delays before the retries. */
export const retryDelaysMs = [1, 5, 30].map((minutes) => minutes * 60_000);

/** An attempt made later than this after it was due counts from when it was made. */
const maxLatenessMs = 1000;

/** The time from which the delay after an attempt made at `at` counts: when it was due, so that small delays do not add up. */
export function countedAttemptTime({ nextAttemptAt: due = 0 }: Delivery, at: number): number {
  return at - due < maxLatenessMs ? due : at;
}

/** When the next retry is due after the attempt that counts as made at `attemptedAt`; undefined after the last one. */
export function nextRetryAt(delivery: Delivery, attemptedAt: number, profile: Profile): number | undefined {
  if (delivery.isGreeting) return undefined;
  if (delivery.isTest && profile.values['hook-test.retried'] === 'not-retried') return undefined;
  const delay = retryDelaysMs[delivery.retries];
  if (delay === undefined) return undefined;
  const { firstAttemptAt = attemptedAt } = delivery;
  return (profile.values['webhook.retry-anchor'] === 'first-attempt' ? firstAttemptAt : attemptedAt) + delay;
}
