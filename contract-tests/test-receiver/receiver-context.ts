// What the checks of a receiver share: how pushes are made and sent, and what was seen.
import { setTimeout as sleep } from 'node:timers/promises';
import { NotVerified } from '../core/outcomes.ts';
import { createObservations, type Observations } from '../deployment/gap-observations.ts';
import { createSecrets, type Secrets } from '../redaction/redact.ts';
import { createForge, type Difference, type Forge } from './make-push.ts';
import { signatureOf } from './make-signature.ts';
import { type Answer, type Answered, describeAnswer } from './push-answer.ts';
import type { Trial } from './push-trial.ts';
import type { ReceiverOptions } from './receiver-options.ts';
import { sendPush } from './send-push.ts';
import type { Push } from './sent-push.ts';

export interface ReceiverContext {
  options: ReceiverOptions;
  forge: Forge;
  observations: Observations;
  secrets: Secrets;
  signal: AbortSignal;
  /** Sends a push; once more where the connection breaks, or, after a while, where the receiver asks for patience. Throws NotVerified where that does not help. */
  send(push: Push): Promise<Trial>;
  /** Sends a push once, whatever comes of it; `end` breaks it off. */
  sendOnce(push: Push, end?: AbortSignal): Promise<Trial>;
  /** Makes a push and sends it. */
  try(difference?: Difference): Promise<Trial>;
  /** Everything that was sent, in its order. */
  trials: readonly Trial[];
  /** What was seen on the way to be told at the end: the refusals that broke something, and right pushes that came late. */
  seen: Seen;
}

export interface Seen {
  /** Wrong pushes that were refused, by the check that sent them. */
  refusals: { id: string; trial: Trial }[];
  /** Checks after which a right push was not accepted. */
  stops: { after: string; trial: Trial }[];
}

export function createReceiverContext(options: ReceiverOptions, signal: AbortSignal): ReceiverContext {
  const forge = createForge(options);
  const secrets = createSecrets();
  secrets.add('SITEPUB_WEBHOOK_SECRET', options.secret);
  const trials: Trial[] = [];
  const sendOnce = async (push: Push, end?: AbortSignal) => {
    // What is to be broken off lasts as long as another push that is sent meanwhile.
    const timeoutMs = options.timeoutMs * (end ? 2 : 1) + (end ? 1_000 : 0);
    const both = end ? AbortSignal.any([signal, end]) : signal;
    const answer = await sendPush(push, { url: options.url, timeoutMs, signal: both });
    const trial = { push, answer, isLeaky: hideLeaks(answer, push, { secret: options.secret, secrets }) };
    trials.push(trial);
    return trial;
  };
  const send = (push: Push) => sendPatiently(() => sendOnce(push), options.timeoutMs);
  return {
    options,
    forge,
    observations: createObservations(options.profile),
    secrets,
    signal,
    send,
    sendOnce,
    try: (difference) => send(forge.make(difference)),
    trials,
    seen: { refusals: [], stops: [] },
  };
}

/** The right signature of a body that a report shows is as good as the secret for sending that body again. */
function hideLeaks(
  answer: Answer,
  { body }: Push,
  { secret, secrets }: { secret: string | undefined; secrets: Secrets },
): boolean {
  if (secret === undefined || answer.kind === 'silence') return false;
  const digest = signatureOf(body, secret, { prefix: '' }).value;
  const [shown] = new RegExp(digest, 'i').exec(answer.text) ?? [];
  secrets.add('the right signature', shown);
  return shown !== undefined || secrets.redact(answer.text).includes('{SITEPUB_WEBHOOK_SECRET}');
}

/** How often a push is sent that is answered with "too many requests". */
const mostTries = 3;

async function sendPatiently(once: () => Promise<Trial>, longestMs: number): Promise<Trial> {
  for (let tries = 1; ; tries++) {
    const trial = await answeredOf(once);
    if (!isRateLimited(trial.answer)) return trial;
    if (tries === mostTries)
      throw new NotVerified(
        `refused for its rate (${describeAnswer(trial.answer)}); let this run have more of the receiver's allowance`,
      );
    await sleep(Math.min(longestMs, pauseOf(trial.answer)));
  }
}

/** A connection may break by chance, and senders try again: only what breaks twice is told. */
async function answeredOf(once: () => Promise<Trial>): Promise<Trial> {
  const trial = await once();
  if (trial.answer.kind === 'answered' || trial.answer.how !== 'closed') return trial;
  const again = await once();
  return again.answer.kind === 'answered' ? again : trial;
}

function isRateLimited(answer: Answer): answer is Answered {
  return answer.kind === 'answered' && answer.status === 429;
}

function pauseOf({ retryAfter = '' }: Answered): number {
  return /^\d{1,5}$/.test(retryAfter) ? Number(retryAfter) * 1_000 : 1_000;
}
