// Large, many and slow: what a receiver does then is its own affair, as long as the next right push is taken.
import { setTimeout as sleep } from 'node:timers/promises';
import { requireAccepted } from '../expect-push.ts';
import { isAccepted } from '../push-answer.ts';
import { paddedBody } from '../push-body.ts';
import { PushJudged, type Trial } from '../push-trial.ts';
import type { ReceiverCheck } from '../receiver-check.ts';
import type { ReceiverContext } from '../receiver-context.ts';
import { advice } from './advice.ts';

const sizes = [
  ['20-kb', 20_000],
  ['256-kb', 256_000],
  ['1-mb', 1_000_000],
  ['5-mb', 5_000_000],
] as const;

/** The most pushes that are sent at once. */
const crowd = 200;

export const load: readonly ReceiverCheck[] = [
  ...sizes.map(([name, length]) =>
    advice(`body-of-${name}`, {
      what: `a right push of ${length / 1_000} kB; 413 is right as well`,
      pushes: 1,
      run: async (context) => {
        const trial = await tryPadded(context, length);
        if (length > sizes[0][1] && isRefusedForSize(trial)) return;
        const or413 = length > sizes[0][1] ? ', or 413' : '';
        requireAccepted(`a right push of ${length / 1_000} kB${or413}`, trial);
      },
    }),
  ),
  advice('many-at-once', {
    what: `${crowd} right pushes at once; 429 and 503 are right as well, for they are sent again`,
    pushes: crowd,
    run: async (context) => {
      const pushes = Array.from({ length: crowd }, () => context.forge.make());
      const trials = await Promise.all(pushes.map((push) => context.sendOnce(push)));
      const lost = trials.filter((trial) => !isAccepted(trial.answer) && !isBusy(trial));
      const [first] = lost;
      if (first)
        throw new PushJudged(
          `2xx, 429 or 503 for each of ${crowd} right pushes at once`,
          first,
          ` to ${lost.length} of them`,
        );
    },
  }),
  advice('slow-sender', {
    what: 'a right push while another one is sent byte by byte',
    pushes: 2,
    run: (context) =>
      besides(context, 'while another one is sent byte by byte', { pieces: 1_000, pauseMs: 100 }),
  }),
  advice('half-sent', {
    what: 'a right push after another one was broken off half-way',
    pushes: 2,
    run: async (context) => {
      await context.sendOnce({ ...context.forge.make(), transport: { leave: 'half' } });
      await sleep(headStartMs);
      requireAccepted('a right push after one that was broken off half-way', await context.try());
    },
  }),
];

function tryPadded({ send, forge }: ReceiverContext, length: number): Promise<Trial> {
  const event = forge.event();
  const text = JSON.stringify({ ...event, data: { ...event.data, message: '{pad}' } });
  return send(forge.make({ body: paddedBody(text, length - text.length) }));
}

/** A receiver that has seen enough may close the connection, and then its 413 is lost on the way at times. */
function isRefusedForSize({ answer }: Trial): boolean {
  return answer.kind === 'answered' ? answer.status === 413 : answer.how === 'closed';
}

function isBusy({ answer }: Trial): boolean {
  return answer.kind === 'answered' && (answer.status === 429 || answer.status === 503);
}

/** How long another push has before the right one comes. */
const headStartMs = 300;

async function besides(
  context: ReceiverContext,
  when: string,
  transport: { pieces: number; pauseMs: number },
): Promise<void> {
  const end = new AbortController();
  const slow = context.sendOnce({ ...context.forge.make(), transport }, end.signal);
  await sleep(headStartMs);
  const trial = await context.try();
  end.abort();
  await slow;
  requireAccepted(`a right push ${when}`, trial);
}
