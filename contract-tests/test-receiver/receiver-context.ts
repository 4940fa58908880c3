// What the checks of a receiver share: how pushes are made and sent, and the results so far.
import { setTimeout as sleep } from 'node:timers/promises';
import { NotVerified } from '../core/outcomes.ts';
import { createObservations, type Observations } from '../deployment/gap-observations.ts';
import { createSecrets, type Secrets } from '../redaction/redact.ts';
import { createPushFactory, type Difference, type PushFactory } from './make-push.ts';
import { signatureOf } from './make-signature.ts';
import { type Answer, type Answered, describeAnswer, hasStatus, type PushTrial } from './push-answer.ts';
import type { ReceiverOptions } from './receiver-options.ts';
import { sendPush } from './send-push.ts';
import type { SentPush } from './sent-push.ts';

export interface ReceiverContext {
  options: ReceiverOptions;
  factory: PushFactory;
  observations: Observations;
  secrets: Secrets;
  signal: AbortSignal;
  /** Sends a push; again when the connection breaks or, after a pause, when the answer is 429. Throws NotVerified when that does not help. */
  send(push: SentPush): Promise<PushTrial>;
  /** Sends a push once, whatever the answer; `end` cuts it short. */
  sendOnce(push: SentPush, end?: AbortSignal): Promise<PushTrial>;
  /** Makes a push and sends it. */
  sendNew(difference?: Difference): Promise<PushTrial>;
  /** All pushes so far, in order. */
  trials: readonly PushTrial[];
  /** The wrong pushes so far, by the check that sent them. */
  refusals: { id: string; trial: PushTrial }[];
  /** Right pushes that were not accepted, with the check before them. */
  breakdowns: { after: string; trial: PushTrial }[];
}

export function createReceiverContext(options: ReceiverOptions, signal: AbortSignal): ReceiverContext {
  const factory = createPushFactory(options);
  const secrets = createSecrets();
  secrets.add('SITEPUB_WEBHOOK_SECRET', options.secret);
  const trials: PushTrial[] = [];
  const sendOnce = async (push: SentPush, end?: AbortSignal) => {
    // A push that is cut short may last as long as another one that is sent meanwhile.
    const timeoutMs = options.timeoutMs * (end ? 2 : 1) + (end ? 1_000 : 0);
    const both = end ? AbortSignal.any([signal, end]) : signal;
    const answer = await sendPush(push, { url: options.url, timeoutMs, signal: both });
    const trial = { push, answer, isLeaky: hideLeaks(answer, push, { secret: options.secret, secrets }) };
    trials.push(trial);
    return trial;
  };
  const send = (push: SentPush) => sendPatiently(() => sendOnce(push), options.timeoutMs);
  return {
    options,
    factory,
    observations: createObservations(options.profile),
    secrets,
    signal,
    send,
    sendOnce,
    sendNew: (difference) => send(factory.makePush(difference)),
    trials,
    refusals: [],
    breakdowns: [],
  };
}

/** With its right signature, anybody could send a body again, so no report may show one. */
function hideLeaks(
  answer: Answer,
  { body }: SentPush,
  { secret, secrets }: { secret: string | undefined; secrets: Secrets },
): boolean {
  if (secret === undefined || answer.kind === 'silence') return false;
  const digest = signatureOf(body, secret, { prefix: '' }).value;
  const [shown] = new RegExp(digest, 'i').exec(answer.text) ?? [];
  secrets.add('the right signature', shown);
  return shown !== undefined || secrets.redact(answer.text).includes('{SITEPUB_WEBHOOK_SECRET}');
}

/** How often a push is sent while the answer is 429. */
const maxTries = 3;

async function sendPatiently(once: () => Promise<PushTrial>, longestMs: number): Promise<PushTrial> {
  for (let tries = 1; ; tries++) {
    const trial = await retryWhenClosed(once);
    if (!hasStatus(trial.answer, 429)) return trial;
    if (tries === maxTries)
      throw new NotVerified(
        `refused for its rate (${describeAnswer(trial.answer)}); let the receiver accept more pushes from this run`,
      );
    await sleep(Math.min(longestMs, pauseOf(trial.answer)));
  }
}

/** A connection may break by chance, and senders try again: only the second break counts. */
async function retryWhenClosed(once: () => Promise<PushTrial>): Promise<PushTrial> {
  const trial = await once();
  if (trial.answer.kind === 'answered' || trial.answer.how !== 'closed') return trial;
  const again = await once();
  return again.answer.kind === 'answered' ? again : trial;
}

function pauseOf({ retryAfter = '' }: Answered): number {
  return /^\d{1,5}$/.test(retryAfter) ? Number(retryAfter) * 1_000 : 1_000;
}
