import { isRateLimited } from '../../calls/expect-answer.ts';
import { callProfileOperation, refusedCall } from '../../calls/profile-calls.ts';
import { sessionToken } from '../../calls/user-session.ts';
import type { Check } from '../../check.ts';
import type { Context } from '../../context.ts';
import { describeAnswer, type Exchange, succeeded } from '../../core/exchange.ts';
import { NotVerified, PromiseBroken } from '../../core/outcomes.ts';
import { settle } from '../../core/settled.ts';
import { isVaried, newWrite } from '../../events/repeated-writes.ts';
import { changeContent } from '../../events/spaced-publishes.ts';
import { isSameResult, resultOf } from '../../events/write-results.ts';
import { makeRoom } from './late-repetitions.ts';
import { requireOneSite } from './one-result.ts';
import { requireShownRule } from './repetition-rule.ts';
import { cannotDiffer, nameOf, needsOfMore, repeatedKinds, requireInTime } from './same-result.ts';

/** How many of the same calls are sent at once. */
const callsAtOnce = 3;

/** The same write several times at once: it has one result, or is refused as long as the first is in progress. */
export const repeatsAtOnce: readonly Check[] = repeatedKinds.map((write) => ({
  id: `${write.requirement.toLowerCase()}-several-of-a-${nameOf(write)}-at-once`,
  isFurther: true,
  requirement: write.requirement,
  needs: needsOfMore(write),
  run: async (context) => {
    if (!isVaried(context, write.id)) throw cannotDiffer(context, write.id);
    if (write.id === 'publishSite') {
      await makeRoom(context, callsAtOnce);
      await changeContent(context);
    }
    const made = { ...newWrite(context), token: await sessionToken(context), mayBeReplayed: true };
    const answers = await sendAtOnce(() => callProfileOperation(context, write.id, made));
    const [first, ...others] = answers.filter(succeeded).toSorted((one, other) => one.at - other.at);
    if (!first) throw refusedCall(context, answers[0]);
    const second = others.find((other) => isSameResult(first, other) === false);
    if (second) {
      requireInTime(first, second);
      await requireShownRule(context, write.id);
      throw new PromiseBroken(
        `one result of the same ${write.what}, sent ${callsAtOnce} times at once`,
        `${JSON.stringify(resultOf(first))} and ${describeAnswer(second)}`,
        second,
      );
    }
    if (write.id !== 'publishSite') await requireOneSite(context, first);
    noteRefusals(context, answers);
  },
}));

/** The answers to calls that are all on their way before the first is answered. Throws where one was lost and none differs. */
async function sendAtOnce(send: () => Promise<Exchange>): Promise<[Exchange, ...Exchange[]]> {
  const calls = Array.from({ length: callsAtOnce }, () => settle(send));
  const settled = await Promise.all(calls);
  const [first, ...others] = settled.filter(({ error }) => !error).map(({ value }) => value());
  if (!first) throw settled[0]?.error ?? new NotVerified('no call was answered');
  return [first, ...others];
}

/** A call may be refused while the same one is in progress, which is neither the first result nor a second one. */
function noteRefusals(context: Context, answers: readonly Exchange[]): void {
  const refused = answers.find((answer) => !succeeded(answer));
  if (!refused || !isRateLimited(context, refused))
    context.observations.compare('idempotency.in-progress', refused ? 'refused' : 'waits');
  if (!refused) return;
  throw new NotVerified(
    `one of the same calls at once was refused (${describeAnswer(refused)}), which is no second result`,
  );
}
