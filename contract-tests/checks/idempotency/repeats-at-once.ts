import { isRateLimited } from '../../calls/expect-answer.ts';
import { callProfileOperation, ownToken, refusedCall } from '../../calls/profile-calls.ts';
import type { Check } from '../../check.ts';
import type { Context } from '../../context.ts';
import { describeAnswer, type Exchange, succeeded } from '../../core/exchange.ts';
import { NotVerified, PromiseBroken } from '../../core/outcomes.ts';
import { writeJson } from '../../core/parse-json.ts';
import { settle } from '../../core/settled.ts';
import { type IdempotentWrite, isVaried, newWrite, type Write } from '../../events/repeated-writes.ts';
import { changeContentIfNeeded } from '../../events/spaced-publishes.ts';
import { areDifferentResults, isSameResult, resultOf } from '../../events/write-results.ts';
import { makeRoom } from './late-repetitions.ts';
import { requireOneSite } from './one-result.ts';
import { requireShownRule } from './repetition-rule.ts';
import {
  cannotDiffer,
  nameOf,
  needsOfMore,
  repeatedKinds,
  requireInTime,
  requireOwnResultOf,
} from './same-result.ts';

/** How many of the same calls are sent at once. */
const callsAtOnce = 3;
const underWayMs = 6_000;

/** The same write several times at once: it has one result, or is refused as long as the first is in progress. */
export const repeatsAtOnce: readonly Check[] = repeatedKinds.map((write) => ({
  id: `${write.requirement.toLowerCase()}-same-${nameOf(write)}-at-once`,
  isFurther: true,
  requirement: write.requirement,
  needs: needsOfMore(write),
  run: async (context) => {
    if (!isVaried(context, write.id)) throw cannotDiffer(context, write.id);
    if (write.id === 'publishSite') {
      await makeRoom(context, callsAtOnce);
      await changeContentIfNeeded(context);
    }
    const { made, answers } = await sendAtOnce(context, write.id);
    const [first, ...others] = answers.filter(succeeded).toSorted((one, other) => one.at - other.at);
    if (!first) throw refusedCall(context, answers[0]);
    await requireOwnResultOf(context, first);
    const second = others.find((other) => areDifferentResults(first, other));
    if (second) {
      requireInTime(first, second);
      await requireShownRule(context, write.id);
      throw new PromiseBroken(
        `one result for the same ${write.what} sent ${callsAtOnce} times at once`,
        `${writeJson(resultOf(first))} and ${describeAnswer(second)}`,
        second,
      );
    }
    if (write.id !== 'publishSite') await requireOneSite(context, first, made.values.name);
    noteRefusals(context, answers);
    if (others.length === 0) throw new NotVerified('only one of the simultaneous calls was answered');
    if (!others.every((other) => isSameResult(first, other)))
      throw new NotVerified('one of the answers contains no result to compare');
  },
}));

interface AtOnce {
  made: Write;
  answers: readonly [Exchange, ...Exchange[]];
}

/** Sends a new write several times; where all are refused since another publish is under way, once more a little later. */
async function sendAtOnce(context: Context, id: IdempotentWrite): Promise<AtOnce> {
  const first = await trySending(context, id);
  const [refusal] = first.answers;
  if (id !== 'publishSite' || first.answers.some(succeeded) || isRateLimited(context, refusal)) return first;
  await context.clock.pass(underWayMs, 'the end of a publish that is under way');
  return trySending(context, id);
}

/** All calls are on their way before the first is answered. Throws where no answer came. */
async function trySending(context: Context, id: IdempotentWrite): Promise<AtOnce> {
  const made = newWrite(context);
  const options = { ...made, token: await ownToken(context, id), mayBeReplayed: true };
  const send = () => settle(() => callProfileOperation(context, id, options));
  const settled = await Promise.all(Array.from({ length: callsAtOnce }, send));
  const [first, ...others] = settled.filter(({ error }) => !error).map(({ value }) => value());
  if (!first) throw settled[0]?.error ?? new NotVerified('no call was answered');
  return { made, answers: [first, ...others] };
}

const inProgressGap = 'idempotency.in-progress';

/** A call may be refused while the same one is in progress, which is neither the first result nor a second one. */
function noteRefusals(context: Context, answers: readonly Exchange[]): void {
  const refused = answers.find((answer) => !succeeded(answer));
  // The first may have been answered before the others came: that none is refused does not show that they wait.
  if (!refused && context.profile.values[inProgressGap] === 'waits')
    context.observations.compareStated(inProgressGap, 'waits');
  if (refused && !isRateLimited(context, refused))
    context.observations.compareStated(inProgressGap, 'refused');
  if (!refused) return;
  throw new NotVerified(
    `one of the simultaneous calls was refused (${describeAnswer(refused)}); a refusal is not a second result`,
  );
}
