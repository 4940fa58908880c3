import { setTimeout as sleep } from 'node:timers/promises';
import { NotVerified } from '../core/outcomes.ts';
import { createObservations, type Observations } from '../deployment/gap-observations.ts';
import type { Secrets } from '../redaction/redact.ts';
import { createPushFactory, type Difference, type PushFactory } from './make-push.ts';
import { signatureOf } from './make-signature.ts';
import {
  type Answer,
  describeAnswer,
  hasStatus,
  isAccepted,
  type PushTrial,
  type UnexpectedAnswer,
} from './push-answer.ts';
import { type ReceiverOptions, secretsOfReceiver } from './receiver-options.ts';
import { createRunBudget, type RunBudget } from './run-budget.ts';
import { sendPush } from './send-push.ts';
import type { SentPush } from './sent-push.ts';

export interface ReceiverContext {
  options: ReceiverOptions;
  factory: PushFactory;
  observations: Observations;
  secrets: Secrets;
  signal: AbortSignal;
  /** Sends a push. Retries after a closed connection and, with pauses, after 429 or 503. Throws NotVerified if retries do not help. */
  send(push: SentPush): Promise<PushTrial>;
  /** Sends a push once, without retries. `end` aborts it. */
  sendOnce(push: SentPush, end?: AbortSignal): Promise<PushTrial>;
  /** Limits the total waiting time. */
  budget: RunBudget;
  sendNew(difference?: Difference): Promise<PushTrial>;
  /** All pushes so far, in order. */
  trials: readonly PushTrial[];
  /** The invalid pushes so far, each with the id of its check. */
  refusals: { id: string; trial: PushTrial }[];
  /** Valid pushes that the receiver did not accept, each with the check before it. */
  breakdowns: { after: string; trial: PushTrial }[];
  /** Records a warning for the advice check `id`. */
  advise(id: string, found: UnexpectedAnswer): void;
  /** The recorded warnings by check id. */
  advised: ReadonlyMap<string, UnexpectedAnswer>;
}

export function createReceiverContext(options: ReceiverOptions, signal: AbortSignal): ReceiverContext {
  const factory = createPushFactory(options);
  const secrets = secretsOfReceiver(options);
  const trials: PushTrial[] = [];
  const budget = createRunBudget(options.timeoutMs);
  const sendOnce = async (push: SentPush, end?: AbortSignal) => {
    // A push with `end` may last as long as another push during it.
    const timeoutMs = options.timeoutMs * (end ? 2 : 1) + (end ? 1_000 : 0);
    const both = end ? AbortSignal.any([signal, end]) : signal;
    const limits = { timeoutMs, bodyMs: budget.bodyMs(), signal: both };
    const answer = await sendPush(push, { url: options.url, ...limits });
    budget.count(answer);
    const trial = { push, answer, isLeaky: hideLeaks(answer, push, { secret: options.secret, secrets }) };
    trials.push(trial);
    return trial;
  };
  const patience = createPatience(options.timeoutMs);
  const isTaken = async () => isAccepted((await sendOnce(factory.makePush())).answer);
  const send = (push: SentPush) => sendPatiently(() => sendOnce(push), { patience, isTaken });
  const advised = new Map<string, UnexpectedAnswer>();
  return {
    options,
    factory,
    observations: createObservations(options.profile),
    secrets,
    signal,
    send,
    sendOnce,
    budget,
    sendNew: (difference) => send(factory.makePush(difference)),
    trials,
    refusals: [],
    breakdowns: [],
    advised,
    advise: (id, found) => {
      advised.set(id, found);
    },
  };
}

/** Adds the valid signature to the secrets, because anybody who reads it in a report could replay the push. */
function hideLeaks(
  answer: Answer,
  { body }: SentPush,
  { secret, secrets }: { secret: string | undefined; secrets: Secrets },
): boolean {
  if (secret === undefined || answer.kind === 'silence') return false;
  const digest = signatureOf(body, secret, { prefix: '' }).value;
  const [shown] = new RegExp(digest, 'i').exec(answer.text) ?? [];
  secrets.add('the valid signature', shown);
  return shown !== undefined || secrets.redact(answer.text).includes('{SITEPUB_WEBHOOK_SECRET}');
}

interface Sending {
  patience: Patience;
  /** Whether the receiver accepts a plain valid push now. */
  isTaken(): Promise<boolean>;
}

async function sendPatiently(
  once: () => Promise<PushTrial>,
  { patience, isTaken }: Sending,
): Promise<PushTrial> {
  const { pause } = patience.forOne();
  let deliberate = 0;
  for (let isFirst = true; ; isFirst = false) {
    const trial = await retryWhenClosed(once);
    const { answer } = trial;
    if (!hasStatus(answer, 429, 503)) return trial;
    // A rate limit does not depend on the push: if plain ones are accepted meanwhile, the 503 is about this push.
    if (answer.status === 503 && !isFirst && (await isTaken()) && ++deliberate === 2) return trial;
    if (!(await pause(answer.retryAfter)))
      throw new NotVerified(
        `the receiver limits the rate (${describeAnswer(answer)}); raise its limit for this run`,
      );
  }
}

/** Retries once, because a connection may break by chance. */
async function retryWhenClosed(once: () => Promise<PushTrial>): Promise<PushTrial> {
  const trial = await once();
  if (trial.answer.kind === 'answered' || trial.answer.how !== 'closed') return trial;
  const again = await once();
  return again.answer.kind === 'answered' ? again : trial;
}

interface Patience {
  forOne(): Pauses;
}

interface Pauses {
  /** Waits as long as Retry-After says, or twice as long as before. Returns false without waiting if the time is used up. */
  pause(retryAfter: string | undefined): Promise<boolean>;
}

/** With the default timeout of 10 s: at most 65 s of pauses for one push and 130 s in a run. */
export function createPatience(timeoutMs: number, wait: (ms: number) => Promise<unknown> = sleep): Patience {
  const mostForOneMs = 6.5 * timeoutMs;
  let leftMs = 2 * mostForOneMs;
  return {
    forOne: () => {
      let leftForOneMs = mostForOneMs;
      let nextMs = Math.min(1_000, timeoutMs);
      return {
        pause: async (retryAfter = '') => {
          const wantedMs = /^\d{1,5}$/.test(retryAfter) ? Number(retryAfter) * 1_000 : nextMs;
          const ms = Math.min(Math.max(1, wantedMs), leftForOneMs, leftMs);
          if (ms <= 0) return false;
          nextMs *= 2;
          leftForOneMs -= ms;
          leftMs -= ms;
          await wait(ms);
          return true;
        },
      };
    },
  };
}
