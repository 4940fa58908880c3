// A deployment may give the version there is where a site is published without changes. Then a publish with the result of another one is
// no repetition of it.
import { callProfileOperation, refusedCall } from '../../calls/profile-calls.ts';
import type { Context } from '../../context.ts';
import { pastIdempotencyWindowMs } from '../../core/documented-limits.ts';
import { describeAnswer, type Exchange, succeeded } from '../../core/exchange.ts';
import { NotVerified, PromiseBroken } from '../../core/outcomes.ts';
import { writeJson } from '../../core/parse-json.ts';
import { closeWrite, newWrite } from '../../events/repeated-writes.ts';
import { changeContent, sendSpaced } from '../../events/spaced-publishes.ts';
import { areDifferentResults, isSameResult, resultOf } from '../../events/write-results.ts';
import { makeRoom } from './late-repetitions.ts';
import { requireInTime } from './same-result.ts';

const gap = 'publish.unchanged';
const atMost = 5;

/**
 * For a deployment where a different publish had the result of the first: another one has to make a new version when the content has
 * changed. Where it does not, publishes that are more than a window apart show whether a site without changes gets new versions.
 */
export async function requireOtherVersion(context: Context): Promise<void> {
  await makeRoom(context, atMost);
  const write = newWrite(context);
  const one = await publish(context, write);
  const isChanged = await changeContent(context);
  const other = await publish(context, closeWrite(context, 'publishSite', write));
  if (areDifferentResults(one, other)) {
    if (isChanged) context.observations.compareStated(gap, 'same-version');
    return requireInTime(one, other);
  }
  const before = await publishAfterWindow(context, other);
  const after = await publishAfterWindow(context, before);
  if (!areDifferentResults(other, before) || !areDifferentResults(before, after))
    throw unchanged(context, other);
  throw new PromiseBroken(
    'a different result for a different publish within the window',
    `the first result: ${describeAnswer(other)}, while publishes with more time between them return separate results`,
    other,
  );
}

/** Throws NotVerified where the result of the first publish is the version there is, since no other one was made after it. */
export async function requireNotVersionThereIs(
  context: Context,
  first: Exchange,
  again: Exchange,
): Promise<void> {
  if (first.operation !== 'publishSite' || isSameResult(first, again) !== true) return;
  const isMovedOn = context.exchanges.some(
    (exchange) =>
      exchange.operation === 'publishSite' && exchange.at > first.at && areDifferentResults(first, exchange),
  );
  if (!isMovedOn && !areDifferentResults(again, await publish(context))) throw unchanged(context, again);
}

async function publish(context: Context, write = newWrite(context)): Promise<Exchange> {
  const send = () => callProfileOperation(context, 'publishSite', write);
  const exchange = await sendSpaced(context, send);
  if (!succeeded(exchange)) throw refusedCall(context, exchange);
  return exchange;
}

async function publishAfterWindow(context: Context, last: Exchange): Promise<Exchange> {
  if (!context.clock.isMoved && context.options.maxWaitMs < pastIdempotencyWindowMs)
    throw unchanged(context, last);
  await context.clock.waitUntil(
    last.answeredAt + pastIdempotencyWindowMs,
    'the end of the idempotency window',
  );
  return publish(context);
}

function unchanged({ observations }: Context, exchange: Exchange): NotVerified {
  observations.compareStated(gap, 'same-version');
  return new NotVerified(
    `different publishes returned the version ${writeJson(resultOf(exchange))}; an unchanged site may keep its version`,
  );
}
