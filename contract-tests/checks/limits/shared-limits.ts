// What is refused while the limit of a tenant is used up, and what is not.
import type { Context } from '../../context.ts';
import { minuteMs, perMinute } from '../../core/documented-limits.ts';
import { areAlike, describeAnswer, type Exchange, succeeded } from '../../core/exchange.ts';
import { NotVerified, PromiseBroken } from '../../core/outcomes.ts';
import { sendCreation } from '../../subscriptions/subscription-calls.ts';
import { type Burst, isGeneral, tooManyForAny } from './burst.ts';
import type { Limited } from './limited-calls.ts';
import { canWait, waitQuiet } from './measure-limit.ts';

/** Another call while the limit is used up. */
interface OtherCall {
  /** The calls that use the limit up, and their first burst. */
  calls: Limited;
  first: Burst;
  /** Completes "… while the limit is used up". */
  what: string;
  send(): Promise<Exchange>;
}

/** A bucket gets one call back after this time, and a paced limit lets one through. */
const refillMs = minuteMs / perMinute;
const refilledMs = refillMs + 300;
/** A refusal of another tenant's call counts when it is seen twice: others may use up its limit. */
const looks = 2;

/** Throws PromiseBroken where another caller of the tenant has a limit of its own. */
export async function requireShared(
  context: Context,
  { calls, first, what, send }: OtherCall,
): Promise<void> {
  const limit = refusalOf(first);
  const { refusal, exchange } = await whileUsedUp(calls, send);
  const since = refusal.at;
  let last = exchange;
  // The tenant's own limit may let one more call through every six seconds.
  const isLawful = (taken: number) => taken <= 1 + Math.floor((context.clock.now() - since) / refillMs);
  for (let taken = 1; succeeded(last) && isLawful(taken); taken++) last = await send();
  if (!areAlike(refusal, limit)) throw refusedOtherwise(refusal);
  if (!succeeded(last)) {
    if (areAlike(last, refusal)) return;
    throw refusedOtherwise(last);
  }
  // Where the window has just ended, the tenant's own call is let through too.
  const own = await calls.send();
  if (succeeded(own) || !areAlike(own, limit))
    throw new NotVerified('the minute of the limit ended during the check');
  throw new PromiseBroken(
    `the limit of ${calls.what} to be per tenant, and ${what} to be refused too`,
    `${describeAnswer(last)}, while the tenant's other calls are refused`,
    last,
  );
}

/** Throws PromiseBroken where a call that has a limit of its own is refused because this one is used up. */
export async function requireFree(context: Context, other: OtherCall): Promise<void> {
  const { calls, first, what, send } = other;
  const limit = refusalOf(first);
  let found = await whileUsedUp(calls, send);
  if (!succeeded(found.exchange)) {
    await context.clock.pass(refilledMs, 'the limit to allow another call');
    found = await whileUsedUp(calls, send);
  }
  if (succeeded(found.exchange)) return requireLimitOf(found.refusal, limit);
  if (!areAlike(found.exchange, found.refusal)) throw refusedOtherwise(found.exchange);
  if (!canWait(context))
    throw new NotVerified('the call was refused, but its own limit may be used up; run with --max-wait 61s');
  for (let look = 0; look < looks; look++) {
    found = await lookAgain(context, other);
    if (succeeded(found.exchange)) return requireLimitOf(found.refusal, limit);
    if (!areAlike(found.exchange, found.refusal) || (await isGeneral(calls, found.exchange)))
      throw refusedOtherwise(found.exchange);
  }
  // A limit of all writes refuses the creation of a subscription as well, or lets one through every so many seconds.
  const write = context.siteId === undefined ? undefined : (await sendCreation(context)).exchange;
  if (write && areAlike(write, found.exchange)) throw refusedOtherwise(found.exchange);
  await context.clock.pass(refilledMs, 'the limits to allow another call');
  if (succeeded(await send())) throw refusedOtherwise(found.exchange);
  throw new PromiseBroken(
    `${what} to succeed while the limit of ${calls.what} is used up`,
    describeAnswer(found.exchange),
    found.exchange,
  );
}

/** This run or others may have used up the limit of the call itself: after a quiet minute it is let through before, and not after. */
async function lookAgain(context: Context, { calls, send }: OtherCall) {
  await waitQuiet(context, calls);
  const before = await send();
  if (!succeeded(before))
    throw new NotVerified(`the call was refused before too (${describeAnswer(before)})`);
  await context.clock.pass(refilledMs, 'the limit to allow another call');
  return whileUsedUp(calls, send);
}

/** Whether a burst of another kind was let through while this limit was used up: it was refused before, and still is. */
export async function isFreeInBurst(
  { clock }: Context,
  { calls, first }: OtherCall,
  burst: Burst,
): Promise<boolean> {
  const limit = refusalOf(first);
  const isWithin = burst.startedAt >= first.lastAcceptedAt && clock.now() < first.startedAt + minuteMs;
  if (!isWithin || burst.accepted === 0) return false;
  const still = await calls.send();
  return !succeeded(still) && areAlike(still, limit);
}

/** The refusal of the limit. Throws NotVerified where none was seen. */
function refusalOf({ refusal, hidden, otherReason }: Burst): Exchange {
  const reason = hidden ?? otherReason;
  if (reason !== undefined || !refusal) throw new NotVerified(reason ?? 'no call was refused for its rate');
  return refusal;
}

function requireLimitOf(refusal: Exchange, limit: Exchange): void {
  if (!areAlike(refusal, limit)) throw refusedOtherwise(refusal);
}

function refusedOtherwise(exchange: Exchange): NotVerified {
  return new NotVerified(`the call was refused for another reason (${describeAnswer(exchange)})`);
}

/** A call that was sent while a limit was used up. */
interface CallWhileUsedUp {
  exchange: Exchange;
  /** The refusal of the limited call before it. */
  refusal: Exchange;
}

/** Sends another call while a limit is used up. */
async function whileUsedUp(limited: Limited, send: () => Promise<Exchange>): Promise<CallWhileUsedUp> {
  for (let count = 0; count < tooManyForAny; count++) {
    const refusal = await limited.send();
    if (succeeded(refusal)) continue;
    return { refusal, exchange: await send() };
  }
  throw new NotVerified(`the deployment refuses none of the ${limited.what} for its rate`);
}
