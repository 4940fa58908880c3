// The attempts at one delivery, read off the pushes that came to a path.
import { isDeepStrictEqual } from 'node:util';
import type { Moment } from '../deployment/deployment-clock.ts';
import type { Push } from './push-receiver.ts';
import { bodyOf } from './read-push.ts';

/** One attempt: pushes that come together are one, for delivery at least once is all that anybody may count on. */
export interface Attempt {
  arrived: Moment;
  push: Push;
}

/** Pushes this close together are one attempt, in milliseconds; retries are a minute apart at least. */
const togetherMs = 20_000;

/** Which pushes to a path are attempts at the same delivery. */
interface Witnesses {
  /** A push that says what the delivery says; the first one to the path, unless it is given. */
  reference?: Push | undefined;
  /** What came to another subscription of the kind: all that it was told besides was told to this one as well. */
  elsewhere?: readonly Push[];
}

/**
 * The attempts at one delivery among the pushes to a path. Others may cause the same event meanwhile, and their deliveries, which say
 * something else, are left out; a retry that says something else than the first attempt is not.
 */
export function attemptsOf(
  pushes: readonly Push[],
  { reference = pushes[0], elsewhere = [] }: Witnesses = {},
): Attempt[] {
  if (!reference) return [];
  const strange = elsewhere.filter((push) => !saysTheSame(push, reference));
  const own = pushes.filter((push) => !strange.some((other) => saysTheSame(push, other)));
  return cluster(own, (push) => saysTheSame(push, reference));
}

/** Whether two pushes say the same of what has happened. */
export function saysTheSame(one: Push, other: Push): boolean {
  return isDeepStrictEqual(contentOf(one), contentOf(other));
}

/** How many attempts pushes amount to, whatever they say. */
export function countAttempts(pushes: readonly Push[]): number {
  return cluster(pushes, () => true).length;
}

/** What a delivery says: the data of its event, or its whole body where it has none. */
function contentOf(push: Push): unknown {
  const body = bodyOf(push);
  const data = typeof body === 'object' && body !== null ? Reflect.get(body, 'data') : undefined;
  return data ?? push.body.toString('latin1');
}

/** Pushes, in the order of their arrival, as attempts; of those that come together, one that is sure to belong there stands for all. */
function cluster(pushes: readonly Push[], isSure: (push: Push) => boolean): Attempt[] {
  const attempts: Attempt[] = [];
  for (const push of pushes) {
    const last = attempts.at(-1);
    if (!last || push.arrived.from - last.arrived.to > togetherMs)
      attempts.push({ arrived: push.arrived, push });
    else if (!isSure(last.push) && isSure(push)) last.push = push;
  }
  return attempts;
}
