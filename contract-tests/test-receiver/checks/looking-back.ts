// Checks at the end of the run that look at all pushes.
import { hasStatus, isAccepted, isBreakdown, isLate, saysRefused, UnexpectedAnswer } from '../push-answer.ts';
import { advice, type ReceiverCheck } from '../receiver-check.ts';
import type { ReceiverContext } from '../receiver-context.ts';

/** Only breakdowns count. A receiver that answers may have locked the sender out for a while. */
export const acceptedAfterOthers: ReceiverCheck = {
  id: 'recv-1-accepted-after-others',
  requirement: 'RECV-1',
  what: 'a valid push after each other check',
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
    'a 2xx status for a valid push after any other push',
    first.trial,
    ` for a valid push after ${first.after}${more}`,
  );
}

const slowMs = 5_000;

export const finalAdvice: readonly ReceiverCheck[] = [
  advice('not-locked-out', {
    what: 'no lock-out: a valid push is accepted after invalid ones, because a lock-out would lose retries',
    pushes: 0,
    run: async ({ breakdowns }) => requireNone(breakdowns.filter(({ trial }) => !isBreakdown(trial.answer))),
  }),
  advice('refused-by-status', {
    what: 'invalid pushes are refused by their status, because any 2xx, even 202, confirms the delivery',
    pushes: 0,
    run: async ({ refusals }) => {
      const vague = refusals.filter(
        ({ trial: { answer } }) => hasStatus(answer, 202) || (isAccepted(answer) && saysRefused(answer)),
      );
      const [first] = vague;
      if (first)
        throw new UnexpectedAnswer(
          'a 4xx status for an invalid push, because 2xx confirms the delivery',
          first.trial,
          ` for ${vague.map(({ id }) => id).join(', ')}`,
        );
    },
  }),
  advice('refused-without-5xx', {
    what: 'invalid pushes are refused with 4xx, because 5xx or a closed connection means that the receiver failed',
    pushes: 0,
    run: async ({ refusals }) => {
      const broken = refusals.filter(({ trial }) => isBreakdown(trial.answer));
      const [first] = broken;
      if (first)
        throw new UnexpectedAnswer(
          'a 4xx status for an invalid push, because 5xx or a closed connection means that the receiver failed',
          first.trial,
          ` for ${broken.map(({ id }) => id).join(', ')}`,
        );
    },
  }),
  advice('refusals-give-nothing-away', {
    what: 'no refusal reveals the valid signature or the secret',
    pushes: 0,
    run: async ({ refusals }) => {
      const leak = refusals.find(({ trial }) => trial.isLeaky);
      if (leak)
        throw new UnexpectedAnswer(
          'a refusal that reveals neither the valid signature nor the secret',
          leak.trial,
          ` for ${leak.id}`,
        );
    },
  }),
  advice('answers-in-time', {
    what: `valid pushes are answered within ${slowMs / 1_000} s, because the sender's timeout is not documented`,
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
