// The attempts at one delivery, recognized among the pushes to a path.
import { isObject } from '../../openapi/json.ts';
import type { Moment } from '../deployment/deployment-clock.ts';
import type { Push } from './push-receiver.ts';
import { bodyOf } from './read-push.ts';

/** One attempt at a delivery. Pushes that come together are one attempt, for a push may be delivered more than once. */
export interface Attempt {
  arrived: Moment;
  push: Push;
}

/** Pushes this close together are one attempt, in milliseconds; retries are a minute apart at least. */
const togetherMs = 20_000;

/** What identifies the attempts at one delivery. */
interface AttemptEvidence {
  /** A push with the content of the delivery; the first one to the path unless given. */
  reference?: Push | undefined;
  /** The pushes to a similar subscription: this one got the same events. */
  elsewhere?: readonly Push[];
}

/**
 * The attempts at one delivery among the pushes to a path. Deliveries of the same event by others, whose content differs, are left out;
 * a retry whose content differs from that of the first attempt is not.
 */
export function attemptsOf(
  pushes: readonly Push[],
  { reference = pushes[0], elsewhere = [] }: AttemptEvidence = {},
): Attempt[] {
  if (!reference) return [];
  const foreign = elsewhere.filter((push) => !saysTheSame(push, reference));
  const own = pushes.filter((push) => !foreign.some((other) => saysTheSame(push, other)));
  return groupByArrival(own, (push) => saysTheSame(push, reference));
}

/** Whether two pushes have the same content. */
export function saysTheSame(one: Push, other: Push): boolean {
  return contentOf(one) === contentOf(other);
}

/** How many attempts the pushes are, whatever their content. */
export function countAttempts(pushes: readonly Push[]): number {
  return groupByArrival(pushes, () => true).length;
}

/** Each push is compared with many. */
const contents = new WeakMap<Push['body'], string>();

/** The content of a delivery, to compare: the data of the event, or the whole body where it has none; the order of members is nothing. */
function contentOf(push: Push): string {
  const known = contents.get(push.body);
  if (known !== undefined) return known;
  const body = bodyOf(push);
  const said = isObject(body) ? (body.data ?? body) : undefined;
  const content = said === undefined ? push.body.toString('latin1') : JSON.stringify(said, sorted);
  contents.set(push.body, content);
  return content;
}

/** A replacer that makes texts of equal values equal, whatever the order of their members. */
function sorted(_key: string, value: unknown): unknown {
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** Groups pushes, in the order of arrival, into attempts; of those that come together, one that surely belongs represents all. */
function groupByArrival(pushes: readonly Push[], isSure: (push: Push) => boolean): Attempt[] {
  const attempts: Attempt[] = [];
  for (const push of pushes) {
    const last = attempts.at(-1);
    if (!last || push.arrived.from - last.arrived.to > togetherMs)
      attempts.push({ arrived: push.arrived, push });
    else if (!isSure(last.push) && isSure(push)) last.push = push;
  }
  return attempts;
}
