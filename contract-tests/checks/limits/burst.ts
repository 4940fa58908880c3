// A burst: calls of one kind, one right after the other, until they are refused.
import { isRateLimited } from '../../calls/expect-answer.ts';
import type { Context } from '../../context.ts';
import { minuteMs, perMinute } from '../../core/documented-limits.ts';
import { areAlike, describeAnswer, type Exchange, envelopeOf, succeeded } from '../../core/exchange.ts';
import { NotVerified } from '../../core/outcomes.ts';
import type { Limited } from './limited-calls.ts';

/** Two windows in a row let twice the limit through, whatever their kind; one call more is too many for any kind. */
export const tooManyForAny = 2 * perMinute + 1;
/** A bucket gets one call back after this time. */
const refillMs = minuteMs / perMinute;
/** A burst that takes longer would run into the next minute. */
const longestMs = 45_000;
/** Something that is refused while another one is under way is tried again after this time. */
const busyMs = 2_000;
/** A general quota counts by the second, or by longer. */
const quotaMs = 1_100;
/** So many calls of a burst may have the result of the one before: from the first one on, the content is changed before each. */
const mostUnchanged = 3;
/** So many quota pauses in a row show a longer quota. */
const mostPauses = 3;

export interface Burst {
  /** How many calls were let through. */
  accepted: number;
  /** The refusal that two calls in a row got, or one of the last. */
  refusal: Exchange | undefined;
  /** Calls of the kind in the minute before. */
  before: number;
  /** When the first call was sent, and when the last one that was let through was answered. */
  startedAt: number;
  lastAcceptedAt: number;
  /** Why the calls show nothing of a limit; undefined where they do. */
  hidden: string | undefined;
  /** Why the refusal is another one than the limit's; undefined where it may be the limit's. */
  otherReason: string | undefined;
  /** The last call that was let through. */
  last: Exchange | undefined;
}

/** Sends calls until two in a row were refused, too many were let through for any kind of window, or too much time went by. */
export async function sendBurst(context: Context, limited: Limited): Promise<Burst> {
  const { clock } = context;
  const startedAt = clock.now();
  const burst: Burst = { ...nothing, before: limited.recent().length, startedAt, lastAcceptedAt: startedAt };
  let pauses = 0;
  let unchanged = 0;
  while (burst.accepted < tooManyForAny && clock.now() < startedAt + longestMs) {
    const exchange = await limited.send();
    if (succeeded(exchange)) {
      if (burst.last && isReplay(burst.last, exchange)) return { ...burst, hidden: replayed(limited) };
      if (burst.last && limited.isUnchanged(burst.last, exchange)) {
        if (++unchanged === mostUnchanged) return { ...burst, hidden: uncounted(limited) };
        continue;
      }
      burst.accepted++;
      burst.last = exchange;
      burst.lastAcceptedAt = clock.now();
      // One refusal among many accepted calls is no limit.
      burst.refusal = undefined;
      pauses = 0;
    } else if (!burst.refusal) {
      burst.refusal = exchange;
      if (!isRateLimited(context, exchange))
        await clock.pass(busyMs, `the limit to allow more ${limited.what}`);
    } else if (await isGeneral(limited, exchange)) {
      if (++pauses === mostPauses) return { ...burst, hidden: general(limited, exchange) };
      await clock.pass(quotaMs, 'a general quota to end');
      burst.refusal = undefined;
    } else
      return { ...burst, refusal: exchange, otherReason: otherReason(context, limited, { burst, exchange }) };
  }
  return { ...burst, refusal: undefined };
}

const nothing = {
  accepted: 0,
  refusal: undefined,
  hidden: undefined,
  otherReason: undefined,
  last: undefined,
};

/** Throws NotVerified where a burst shows no limit, and remarks on calls that stay refused for longer than the minute of the limit. */
export function requireLimited({ remarks }: Context, limited: Limited, burst: Burst): void {
  const { hidden, accepted, refusal, before, otherReason } = burst;
  if (hidden !== undefined) throw new NotVerified(hidden);
  if (accepted === 0 && refusal) {
    const answer = describeAnswer(refusal);
    const isLock = before === 0 && limited.hasWorked();
    if (isLock) remarks.add('locked-longer', `${limited.what} after a minute without any: ${answer}`);
    const question = isLock ? 'they may be locked' : 'check that the profile describes the call correctly';
    throw new NotVerified(`none of the ${limited.what} succeeded (${answer}); ${question}`);
  }
  if (otherReason !== undefined) throw new NotVerified(otherReason);
}

/** Whether more calls were let through than a limit of ten a minute does, but for a window that ended meanwhile. */
export function isOver({ accepted, startedAt, lastAcceptedAt }: Burst): boolean {
  return accepted > mostWithin(lastAcceptedAt - startedAt);
}

/** How many calls a limit lets through within a time after a quiet minute: ten at once, and one more each six seconds. */
export function mostWithin(ms: number): number {
  return perMinute + Math.floor(Math.max(0, ms) / refillMs);
}

/** Whether a call that has no limit of its own is refused in the same way. */
export async function isGeneral(limited: Limited, refusal: Exchange): Promise<boolean> {
  const plain = await limited.sendPlain();
  return plain !== undefined && !succeeded(plain) && areAlike(plain, refusal);
}

/** Whether an answer is that to another call, trace_id included. Some deployments have one trace_id for all calls. */
function isReplay(one: Exchange, other: Exchange): boolean {
  const { trace_id: trace } = envelopeOf(one);
  return typeof trace === 'string' && trace !== '' && one.response.text === other.response.text;
}

/** Refusals of another kind than the limit's, such as of a publish while another is under way, begin before ten calls were let through. */
function otherReason(
  context: Context,
  { what }: Limited,
  { burst, exchange }: { burst: Burst; exchange: Exchange },
): string | undefined {
  if (isRateLimited(context, exchange) || burst.accepted >= perMinute) return undefined;
  return `the deployment refuses ${what} for another reason than a limit, after ${burst.accepted} accepted ones (${describeAnswer(exchange)})`;
}

function replayed({ what }: Limited): string {
  return `identical ${what} return the first answer for a while, so the run cannot make several`;
}

function uncounted({ what }: Limited): string {
  return `${what} of an unchanged site return its version and may not count; state operation.create-content, so that the run can change the site`;
}

function general({ what }: Limited, refusal: Exchange): string {
  return `the deployment refuses ${what} in the same way as calls without a limit (${describeAnswer(refusal)}), so their own limit cannot be seen`;
}
