// Checks at the end, of everything that was sent.
import { isAccepted, UnexpectedAnswer } from '../push-answer.ts';
import type { ReceiverCheck } from '../receiver-check.ts';
import { advice } from './advice.ts';

/** The next right push is accepted, whatever came before it. */
export const acceptedAfterOthers: ReceiverCheck = {
  id: 'recv-1-accepted-after-others',
  requirement: 'RECV-1',
  what: 'a right push after each of the others',
  pushes: 0,
  run: async ({ breakdowns }) => {
    const [first] = breakdowns;
    if (!first) return;
    const others = breakdowns.slice(1).map(({ after }) => after);
    const more = others.length > 0 ? `, and after ${others.join(', ')}` : '';
    throw new UnexpectedAnswer(
      'a 2xx status for a right push, whatever was sent before it',
      first.trial,
      ` to a right push after ${first.after}${more}`,
    );
  },
};

const slowMs = 5_000;

export const finalAdvice: readonly ReceiverCheck[] = [
  advice('refused-without-5xx', {
    what: 'wrong pushes are refused with 4xx, for 5xx says that the receiver broke down',
    pushes: 0,
    run: async ({ refusals }) => {
      const broken = refusals.filter(
        ({ trial: { answer } }) => answer.kind === 'answered' && answer.status >= 500,
      );
      const [first] = broken;
      if (first)
        throw new UnexpectedAnswer(
          'a 4xx status for a wrong push, for 5xx says that the receiver broke down',
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
        .filter(({ answer }) => isAccepted(answer))
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
