// When retries are due (section 6.5). The document leaves open from when each delay counts (webhook.retry-anchor).
import { minuteMs, retryDelaysMs } from '../core/documented-limits.ts';
import type { Moment } from '../deployment/deployment-clock.ts';

/** By how much a retry may be early (clocks differ), or late without a word (schedulers poll), in milliseconds. */
const earlyMs = 5_000;
export const punctualMs = 30_000;
/** By how much it may be late with a remark: queues are polled by a minute's timer. */
export const lateMs = 90_000;

/** By how much the lateness of deliveries of one schedule differs, in milliseconds. */
const sameMs = 5_000;

export type Anchor = 'previous-attempt' | 'first-attempt';
export const anchors: readonly Anchor[] = ['previous-attempt', 'first-attempt'];

const minutes = (delays: readonly number[]) => `${delays.reduce((sum, delay) => sum + delay) / minuteMs}m`;

/** How long to wait for the first retry, and for all of them, as a check states it in `needs`. */
export const firstRetryWait = minutes(retryDelaysMs.slice(0, 1));
export const allRetriesWait = minutes(retryDelaysMs);

const delayMinutes = retryDelaysMs.map((delay) => String(delay / minuteMs));
/** "retries after 1, 5 and 30 minutes" */
export const documentedRetries = `retries after ${new Intl.ListFormat('en-GB').format(delayMinutes)} minutes`;

/** The times at which a moved clock stops, in milliseconds after the first attempt: close enough to measure how late each retry is. */
export const marksMs: readonly number[] = [
  ...new Set([...dueMs('previous-attempt'), ...dueMs('first-attempt')]),
].flatMap((due) => [
  ...[due - 5 * earlyMs, due - 2 * earlyMs, due - earlyMs, due - 1_000, due + 1_000, due + earlyMs],
  ...range(due + 2 * earlyMs, due + lateMs + earlyMs, earlyMs),
]);

/** The numbers from `first` to `last`, with equal steps. */
function range(first: number, last: number, step: number): number[] {
  return Array.from({ length: Math.floor((last - first) / step) + 1 }, (_, count) => first + count * step);
}

/** When the retries are due under an anchor, in milliseconds after the first attempt. */
export function dueMs(anchor: Anchor): number[] {
  let sum = 0;
  return retryDelaysMs.map((delay) => {
    sum = anchor === 'previous-attempt' ? sum + delay : delay;
    return sum;
  });
}

/** Whether attempts, the first one included, came when an anchor requires, late by `mostMs` at most. Where only a step is known, it counts in their favour. */
export function fits(attempts: readonly Moment[], anchor: Anchor, mostMs = lateMs): boolean {
  return latenessOf(attempts, anchor).every(({ from, to }) => to >= -earlyMs && from <= mostMs);
}

/** By how much each retry was late, at least and at most; the first attempt is not among them. */
function latenessOf(attempts: readonly Moment[], anchor: Anchor): Moment[] {
  return attempts.slice(1).flatMap((attempt, index) => {
    const base = anchor === 'previous-attempt' ? attempts[index] : attempts[0];
    const delay = retryDelaysMs[index];
    if (!base || delay === undefined) return [];
    return [{ from: attempt.from - base.to - delay, to: attempt.to - base.from - delay }];
  });
}

/** So many deliveries whose retry of one number is late by the same time follow another schedule. */
const mostAlike = 3;
/** Of so many late retries, one may be late by another time than its likes. */
const likesOfOneOther = 6;

/**
 * The lateness, in milliseconds, that the retries of one number share at three deliveries or more: that is another schedule. A queue
 * that is looked through now and then shows other patterns: all retries come at the same second of a minute, whenever the first attempts
 * were made, or each is late by another time, some of which are alike by chance.
 */
export function sharedLateness(
  deliveries: readonly (readonly Moment[])[],
  anchor: Anchor,
): number | undefined {
  if (arePolled(deliveries, anchor)) return undefined;
  const late = retryDelaysMs.map((_, index) =>
    deliveries
      .flatMap((attempts) => latenessOf(attempts, anchor)[index] ?? [])
      .filter(({ from }) => from >= sameMs),
  );
  const shared = late.map((times) => mostThatAreAlike(times.filter(isMeasured)));
  const uniform = uniformLateness(late.flat().filter(isMeasured));
  const others = late.flatMap((times, index) =>
    times.filter((one) => !mayBeLike(one, shared[index]?.[0] ?? uniform)),
  );
  if (others.length * likesOfOneOther > shared.flat().length) return undefined;
  return shared.find((alike) => alike.length >= mostAlike && alike.some(({ from }) => from > punctualMs))?.[0]
    ?.to;
}

/** Whether a lateness is known but for a few seconds; of other retries only a long step of the moved clock is known. */
function isMeasured({ from, to }: Moment): boolean {
  return to - from <= 2 * sameMs;
}

/** The lateness that all that were measured share, where they are many; what is known less well may share it too. */
function uniformLateness(measured: readonly Moment[]): Moment | undefined {
  const [first] = measured;
  return measured.length >= 2 * mostAlike && measured.every((one) => mayBeLike(one, first))
    ? first
    : undefined;
}

/** Whether a time, of which only a step may be known, can differ by little from another. */
function mayBeLike(one: Moment, other: Moment | undefined): boolean {
  return other !== undefined && one.from <= other.to + sameMs && one.to >= other.to - sameMs;
}

/** The largest group of times that differ by little from one of them, which comes first. */
function mostThatAreAlike(times: readonly Moment[]): Moment[] {
  const groups = times.map((one) => [
    one,
    ...times.filter((other) => other !== one && Math.abs(other.to - one.to) <= sameMs),
  ]);
  return groups.toSorted((one, other) => other.length - one.length)[0] ?? [];
}

/** Whether all late retries come at one second of a minute, and the first attempts at another. */
function arePolled(deliveries: readonly (readonly Moment[])[], anchor: Anchor): boolean {
  const late = deliveries.flatMap((attempts) => {
    const lateness = latenessOf(attempts, anchor);
    return attempts.slice(1).filter((_, index) => (lateness[index]?.from ?? 0) > sameMs);
  });
  const [tick] = late;
  if (!tick) return false;
  const isAtTick = ({ to }: Moment) => secondsApart(to, tick.to) <= sameMs;
  return (
    late.length > mostAlike && late.every(isAtTick) && !deliveries.some(([first]) => first && isAtTick(first))
  );
}

/** How far apart two times are within a minute, in milliseconds. */
function secondsApart(one: number, other: number): number {
  const apart = Math.abs(one - other) % minuteMs;
  return Math.min(apart, minuteMs - apart);
}
