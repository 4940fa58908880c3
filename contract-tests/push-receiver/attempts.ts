import { isObject } from '../../openapi/json.ts';
import type { Moment } from '../deployment/deployment-clock.ts';
import type { Push } from './push-receiver.ts';
import { bodyOf } from './read-push.ts';

/** One attempt at a delivery. Pushes close together are one attempt, because a push may be delivered more than once. */
export interface Attempt {
  arrived: Moment;
  push: Push;
}

/** Pushes this close together are one attempt, in milliseconds. Retries are at least a minute apart. */
const togetherMs = 20_000;

interface AttemptEvidence {
  /** A push with the content of the delivery. Default: the first one to the path. */
  reference?: Push | undefined;
  /** The pushes to a subscription to the same events. */
  elsewhere?: readonly Push[];
}

/**
 * The attempts at one delivery among the pushes to a path. Excludes pushes that also arrived `elsewhere` with other content: other clients
 * caused them. Includes a retry whose content differs from the first attempt.
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

export function saysTheSame(one: Push, other: Push): boolean {
  return contentOf(one) === contentOf(other);
}

/** The number of attempts, regardless of content. */
export function countAttempts(pushes: readonly Push[]): number {
  return groupByArrival(pushes, () => true).length;
}

/** Cached, because each push is compared with many. */
const contents = new WeakMap<Push['body'], string>();

/** The `data` of the event, or the whole body without one, with sorted members. */
function contentOf(push: Push): string {
  const known = contents.get(push.body);
  if (known !== undefined) return known;
  const body = bodyOf(push);
  const said = isObject(body) ? (body.data ?? body) : undefined;
  const content = said === undefined ? push.body.toString('latin1') : JSON.stringify(said, sorted);
  contents.set(push.body, content);
  return content;
}

/** A JSON.stringify replacer that sorts members. */
function sorted(_key: string, value: unknown): unknown {
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** Groups pushes, in the order of arrival, into attempts. A sure push, if any, represents its group. */
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
