import { NotVerified } from '../../core/outcomes.ts';
import { problemOfRefusal, requireRejected } from '../expect-push.ts';
import type { Difference } from '../make-push.ts';
import { describeAnswer, isAccepted, type PushTrial, UnexpectedAnswer } from '../push-answer.ts';
import type { ReceiverCheck } from '../receiver-check.ts';
import type { ReceiverContext } from '../receiver-context.ts';

type Wrong = Difference | ((context: ReceiverContext) => Difference | Promise<Difference>);

/** One of several similar invalid pushes. */
export type Variant = readonly [which: string, wrong: Wrong];

/** A check of RECV-2: the receiver refuses an invalid push. */
export function refuses(name: string, what: string, wrong: Wrong): ReceiverCheck {
  const id = `recv-2-${name}`;
  return {
    id,
    requirement: 'RECV-2',
    what,
    pushes: 1,
    run: async (context) => {
      const trial = await sendWrong(context, wrong, id);
      requireRejected(what, trial);
    },
  };
}

/** A check ends after this time or number of accepted pushes. The likeliest mistakes come first. */
const [mostMs, mostAccepted] = [10_000, 5];

/** A check of RECV-2: the receiver refuses each of several similar invalid pushes. */
export function refusesEach(name: string, what: string, variants: readonly Variant[]): ReceiverCheck {
  return checkOfEach({ id: `recv-2-${name}`, requirement: 'RECV-2', what }, variants);
}

/** The same as advice, for pushes that only a sender with the secret can make. */
export function bestRefusesEach(name: string, what: string, variants: readonly Variant[]): ReceiverCheck {
  return checkOfEach({ id: `advice-${name}`, requirement: 'advice', what }, variants);
}

function checkOfEach(
  check: Pick<ReceiverCheck, 'id' | 'requirement' | 'what'>,
  variants: readonly Variant[],
): ReceiverCheck {
  const { id, what } = check;
  return {
    ...check,
    pushes: variants.length + 1,
    run: async (context) => {
      const until = performance.now() + mostMs;
      const accepted: { which: string; trial: PushTrial }[] = [];
      let open: Error | undefined;
      for (const [which, wrong] of variants) {
        if (performance.now() > until || accepted.length === mostAccepted) break;
        const trial = await sendWrong(context, wrong, id);
        const problem = problemOfRefusal(`${what}: ${which}`, trial);
        if (problem instanceof UnexpectedAnswer && isAccepted(trial.answer)) accepted.push({ which, trial });
        else open ??= problem;
      }
      requireNoneAccepted(what, accepted);
      if (open) throw open;
      await requireNoLockOut(context);
    },
  };
}

async function sendWrong(context: ReceiverContext, wrong: Wrong, id: string): Promise<PushTrial> {
  const trial = await context.sendNew(typeof wrong === 'function' ? await wrong(context) : wrong);
  context.refusals.push({ id, trial });
  return trial;
}

function requireNoneAccepted(what: string, accepted: readonly { which: string; trial: PushTrial }[]): void {
  const [first, ...others] = accepted;
  if (!first) return;
  const remark = others.length === 0 ? '' : `; also for ${others.map(({ which }) => which).join('; ')}`;
  throw new UnexpectedAnswer(`a status other than 2xx for ${what}: ${first.which}`, first.trial, remark);
}

/** If the receiver refuses everything by now, it may not have looked at the invalid pushes. */
async function requireNoLockOut(context: ReceiverContext): Promise<void> {
  const { answer } = await context.sendNew();
  if (!isAccepted(answer))
    throw new NotVerified(
      `the receiver refused a valid push after the invalid ones (${describeAnswer(answer)}), so their refusal proves nothing`,
    );
}
