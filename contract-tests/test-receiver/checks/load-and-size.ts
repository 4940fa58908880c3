// Large, simultaneous and slow pushes. A receiver may refuse them, but must accept the next valid push.
import { setTimeout as sleep } from 'node:timers/promises';
import { writeJson } from '../../core/parse-json.ts';
import { requireAccepted } from '../expect-push.ts';
import type { Difference } from '../make-push.ts';
import { hasStatus, isAccepted, type PushTrial, UnexpectedAnswer } from '../push-answer.ts';
import { paddedBody } from '../push-body.ts';
import { advice, type ReceiverCheck } from '../receiver-check.ts';
import type { ReceiverContext } from '../receiver-context.ts';
import { afterEachByte } from '../sent-push.ts';

const sizes = [
  ['20-kb', 20_000, 'x'],
  ['256-kb', 256_000, '已'],
  ['1-mb', 1_000_000, 'x'],
  ['5-mb', 5_000_000, 'x'],
] as const;

/** Numbers of simultaneous pushes. The next burst is sent only if the receiver should answer it in time. */
const bursts = [1, 2, 10, 50, 200] as const;

export const load: readonly ReceiverCheck[] = [
  ...sizes.map(([name, length, pad]) =>
    advice(`body-of-${name}`, {
      what: `a valid push of ${length / 1_000} kB${pad === 'x' ? '' : ' in Chinese'}; 413 is also fine`,
      pushes: 1,
      run: async (context) => {
        const trial = await tryPadded(context, length, pad);
        if (length > sizes[0][1] && isRefusedForSize(trial)) return;
        const or413 = length > sizes[0][1] ? ', or 413' : '';
        requireAccepted(`a valid push of ${length / 1_000} kB${or413}`, trial);
      },
    }),
  ),
  advice('many-at-once', {
    what: `up to ${bursts.at(-1)} valid pushes at once; 429 and 503 are also fine, because the sender retries`,
    pushes: bursts.reduce((sum, count) => sum + count, 0),
    run: async (context) => {
      let [before, last] = [noBurst, noBurst];
      for (const count of bursts) {
        if (expectedMs(count, before, last) > 0.8 * context.options.timeoutMs) return;
        [before, last] = [last, await sendBurst(context, count)];
      }
    },
  }),
  advice('slow-sender', {
    what: 'a valid push while another one arrives byte by byte',
    pushes: 2,
    run: sendDuringSlowPush,
  }),
  advice('half-sent', {
    what: 'a valid push after another one was aborted halfway',
    pushes: 2,
    run: async (context) => {
      await context.sendOnce({ ...context.factory.makePush(), transport: { hangUp: 'half' } });
      await sleep(headStartMs);
      requireAccepted('a valid push after one that was aborted halfway', await context.sendNew());
    },
  }),
];

interface Burst {
  count: number;
  ms: number;
}

const noBurst: Burst = { count: 0, ms: 0 };

/** Extrapolates the duration of a burst from the last two. */
function expectedMs(count: number, before: Burst, last: Burst): number {
  const perPush = Math.max(0, last.ms - before.ms) / Math.max(1, last.count - before.count);
  return last.ms + (count - last.count) * perPush;
}

async function sendBurst({ factory, sendOnce }: ReceiverContext, count: number): Promise<Burst> {
  const pushes = Array.from({ length: count }, () => factory.makePush(apart));
  const startedAt = performance.now();
  const trials = await Promise.all(pushes.map((push) => sendOnce(push)));
  const lost = trials.filter((trial) => !isAccepted(trial.answer) && !hasStatus(trial.answer, 429, 503));
  const [first] = lost;
  if (first)
    throw new UnexpectedAnswer(
      `2xx, 429 or 503 for each of ${count} simultaneous valid pushes`,
      first,
      ` for ${lost.length} of them`,
    );
  return { count, ms: performance.now() - startedAt };
}

function tryPadded({ send, factory }: ReceiverContext, length: number, pad: string): Promise<PushTrial> {
  const event = factory.sampleEvent();
  const text = writeJson({ ...event, data: { ...event.data, message: '{pad}' } });
  return send(factory.makePush({ body: paddedBody(text, length - text.length, pad) }));
}

/** A receiver may close the connection early, so that its 413 is lost. */
function isRefusedForSize({ answer }: PushTrial): boolean {
  return hasStatus(answer, 413) || (answer.kind === 'silence' && answer.how === 'closed');
}

/** Marks the push so that `advice-answers-in-time` ignores it: it waits for other pushes. */
const apart: Difference = { transport: {} };

/** The delay of the valid push after the other one, in milliseconds. */
const headStartMs = 300;

async function sendDuringSlowPush(context: ReceiverContext): Promise<void> {
  const transport = { cut: afterEachByte, pauseMs: 100 };
  const end = new AbortController();
  const slow = context.sendOnce({ ...context.factory.makePush(), transport }, end.signal);
  await sleep(headStartMs);
  const trial = await context.sendNew(apart);
  end.abort();
  await slow;
  requireAccepted('a valid push while another one arrives byte by byte', trial);
}
