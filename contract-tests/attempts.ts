// The attempts at one delivery, read off the pushes that came to a path.
import { isDeepStrictEqual } from 'node:util';
import type { Moment } from './clock.ts';
import { bodyOf } from './read-push.ts';
import type { Push } from './receiver.ts';

/** One attempt: pushes that come together are one, for delivery at least once is all that anybody may count on. */
export interface Attempt {
  arrived: Moment;
  push: Push;
}

/** Pushes this close together are one attempt, in milliseconds; retries are a minute apart at least. */
const togetherMs = 20_000;

/**
 * The attempts at one delivery among the pushes to a path: those that say the same as `reference`, or else as the first of them. Others
 * may cause the same event meanwhile, and their deliveries say something else.
 */
export function attemptsOf(pushes: readonly Push[], reference?: Push): Attempt[] {
  const [first] = pushes;
  if (!first) return [];
  const alike = (wanted: unknown) => pushes.filter((push) => isDeepStrictEqual(contentOf(push), wanted));
  const referred = reference ? alike(contentOf(reference)) : [];
  return cluster(referred.length > 0 ? referred : alike(contentOf(first)));
}

function contentOf(push: Push): unknown {
  const body = bodyOf(push);
  const data = typeof body === 'object' && body !== null ? Reflect.get(body, 'data') : undefined;
  return data ?? push.body.toString('latin1');
}

function cluster(pushes: readonly Push[]): Attempt[] {
  const attempts: Attempt[] = [];
  for (const push of pushes) {
    const last = attempts.at(-1);
    if (!last || push.arrived.from - last.arrived.to > togetherMs)
      attempts.push({ arrived: push.arrived, push });
  }
  return attempts;
}
