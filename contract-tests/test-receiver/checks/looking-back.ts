// Checks at the end, of everything that was sent.
import { hasStatus, isAccepted, isBreakdown, isLate, saysRefused, UnexpectedAnswer } from '../push-answer.ts';
import type { ReceiverCheck } from '../receiver-check.ts';
import type { ReceiverContext } from '../receiver-context.ts';
import { advice } from './advice.ts';

/** The next right push is accepted, whatever came before it. A receiver that still answers may have locked the sender out for a while. */
export const acceptedAfterOthers: ReceiverCheck = {
  id: 'recv-1-accepted-after-others',
  requirement: 'RECV-1',
  what: 'a right push after each of the others',
  pushes: 0,
  run: async ({ breakdowns }) => {
    requireNone(breakdowns.filter(({ trial }) => isBreakdown(trial.answer)));
  },
};

function requireNone(refused: ReceiverContext['breakdowns']): void {
  const [first] = refused;
  if (!first) return;
  const others = refused.slice(1).map(({ after }) => after);
  const more = others.length > 0 ? `, and after ${others.join(', ')}` : '';
  throw new UnexpectedAnswer(
    'a 2xx status for a right push, whatever was sent before it',
    first.trial,
    ` to a right push after ${first.after}${more}`,
  );
}

const slowMs = 5_000;

export const finalAdvice: readonly ReceiverCheck[] = [
  advice('not-locked-out', {
    what: 'a right push is not refused because of those before it: a lock-out loses the retries that come meanwhile',
    pushes: 0,
    run: async ({ breakdowns }) => requireNone(breakdowns.filter(({ trial }) => !isBreakdown(trial.answer))),
  }),
  advice('refused-by-status', {
    what: 'wrong pushes are refused by the status and at once: a 2xx, 202 too, says that the push was delivered',
    pushes: 0,
    run: async ({ refusals }) => {
      const vague = refusals.filter(
        ({ trial: { answer } }) => hasStatus(answer, 202) || (isAccepted(answer) && saysRefused(answer)),
      );
      const [first] = vague;
      if (first)
        throw new UnexpectedAnswer(
          'a 4xx status for a wrong push, for a 2xx says that it was delivered',
          first.trial,
          ` to ${vague.map(({ id }) => id).join(', ')}`,
        );
    },
  }),
  advice('refused-without-5xx', {
    what: 'wrong pushes are refused with 4xx, for 5xx or a closed connection says that the receiver broke down',
    pushes: 0,
    run: async ({ refusals }) => {
      const broken = refusals.filter(({ trial }) => isBreakdown(trial.answer));
      const [first] = broken;
      if (first)
        throw new UnexpectedAnswer(
          'a 4xx status for a wrong push, for 5xx or a closed connection says that the receiver broke down',
          first.trial,
          ` to ${broken.map(({ id }) => id).join(', ')}`,
        );
    },
  }),
  advice('refusals-give-nothing-away', {
    what: 'no refusal shows the signature that would have been right, or the secret',
    pushes: 0,
    run: async ({ refusals }) => {
      const leak = refusals.find(({ trial }) => trial.isLeaky);
      if (leak)
        throw new UnexpectedAnswer(
          'a refusal that shows neither the right signature nor the secret',
          leak.trial,
          ` to ${leak.id}`,
        );
    },
  }),
  advice('answers-in-time', {
    what: `right pushes are answered within ${slowMs / 1_000} s, for nobody knows how long the sender waits`,
    pushes: 0,
    run: async ({ trials }) => {
      const slowest = trials
        .filter(({ answer, push }) => (isAccepted(answer) || isLate(answer)) && !push.transport)
        .toSorted((one, other) => other.answer.ms - one.answer.ms)[0];
      if (slowest && slowest.answer.ms > slowMs)
        throw new UnexpectedAnswer(
          `an answer within ${slowMs / 1_000} s`,
          slowest,
          ` after ${(slowest.answer.ms / 1_000).toFixed(1)} s`,
        );
    },
  }),
];
