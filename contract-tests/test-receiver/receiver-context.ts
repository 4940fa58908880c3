// What the checks of a receiver share: how pushes are made and sent, and the results so far.

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
import type { ReceiverOptions } from './receiver-options.ts';
import { secretsOfReceiver } from './receiver-secrets.ts';
import { createRunBudget, type RunBudget } from './run-budget.ts';
import { sendPush } from './send-push.ts';
import type { SentPush } from './sent-push.ts';

export interface ReceiverContext {
  options: ReceiverOptions;
  factory: PushFactory;
  observations: Observations;
  secrets: Secrets;
  signal: AbortSignal;
  /**
   * Sends a push; again when the connection breaks or, after pauses, when the answer is 429 or 503, as those of a gateway that bounds the rate
   * are. Throws NotVerified when that does not help.
   */
  send(push: SentPush): Promise<PushTrial>;
  /** Sends a push once, whatever the answer; `end` cuts it short. */
  sendOnce(push: SentPush, end?: AbortSignal): Promise<PushTrial>;
  /** What is waited for in all. */
  budget: RunBudget;
  /** Makes a push and sends it. */
  sendNew(difference?: Difference): Promise<PushTrial>;
  /** All pushes so far, in order. */
  trials: readonly PushTrial[];
  /** The wrong pushes so far, by the check that sent them. */
  refusals: { id: string; trial: PushTrial }[];
  /** Right pushes that were not accepted, with the check before them. */
  breakdowns: { after: string; trial: PushTrial }[];
  /** Warns of something that was seen on the way, as the check of advice would. */
  advise(id: string, found: UnexpectedAnswer): void;
  /** What was advised on the way, by the id of the check. */
  advised: ReadonlyMap<string, UnexpectedAnswer>;
}

export function createReceiverContext(options: ReceiverOptions, signal: AbortSignal): ReceiverContext {
  const factory = createPushFactory(options);
  const secrets = secretsOfReceiver(options);
  const trials: PushTrial[] = [];
  const budget = createRunBudget(options.timeoutMs);
  const sendOnce = async (push: SentPush, end?: AbortSignal) => {
    // A push that is cut short may last as long as another one that is sent meanwhile.
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

interface Sending {
  patience: Patience;
  /** Whether a plain right push is accepted now. */
  isTaken(): Promise<boolean>;
}

async function sendPatiently(
  once: () => Promise<PushTrial>,
  { patience, isTaken }: Sending,
): Promise<PushTrial> {
  const { pause } = patience.forOne();
  let isMeant = 0;
  for (let isFirst = true; ; isFirst = false) {
    const trial = await retryWhenClosed(once);
    const { answer } = trial;
    if (!hasStatus(answer, 429, 503)) return trial;
    // A gateway that bounds the rate does not choose among pushes: where plain ones are accepted meanwhile, this one is refused for itself.
    if (answer.status === 503 && !isFirst && (await isTaken()) && ++isMeant === 2) return trial;
    if (!(await pause(answer.retryAfter)))
      throw new NotVerified(
        `refused for its rate (${describeAnswer(answer)}); let the receiver accept more pushes from this run`,
      );
  }
}

/** A connection may break by chance, and senders try again: only the second break counts. */
async function retryWhenClosed(once: () => Promise<PushTrial>): Promise<PushTrial> {
  const trial = await once();
  if (trial.answer.kind === 'answered' || trial.answer.how !== 'closed') return trial;
  const again = await once();
  return again.answer.kind === 'answered' ? again : trial;
}

interface Patience {
  /** The pauses for one push. */
  forOne(): Pauses;
}

interface Pauses {
  /** Waits as long as the answer asks for, or twice as long as before. Returns false, and does not wait, when there is no patience left. */
  pause(retryAfter: string | undefined): Promise<boolean>;
}

/** With the usual timeout of ten seconds there is patience for two whole minutes in a run, and for one with a single push. */
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
