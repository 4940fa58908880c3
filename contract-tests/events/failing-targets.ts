// Targets that fail in different ways, and the subscriptions to them.
import { createHash } from 'node:crypto';
import { eventNames } from '../../openapi/event-names.ts';
import type { Channel, EventName } from '../../openapi/generated/types.ts';
import type { Context } from '../context.ts';
import { NotVerified } from '../core/outcomes.ts';
import { countAttempts, saysTheSame } from '../push-receiver/attempts.ts';
import { awaitGreeting } from '../push-receiver/caused-pushes.ts';
import type { Push, PushAnswer, Reserved } from '../push-receiver/push-receiver.ts';
import { subscribeForPush } from '../subscriptions/create-subscription.ts';
import { newSecret } from '../subscriptions/secret-forms.ts';
import {
  nextPath,
  type Subscription,
  type SubscriptionRequest,
} from '../subscriptions/subscription-calls.ts';

/** A target: its answers to the attempts (the last one repeats), classes of statuses to draw them from, or that nobody listens there at first. */
interface Target {
  script: readonly PushAnswer[] | { drawn: readonly StatusClass[] } | 'closed';
  channel?: Channel;
  /** Whether the subscription has no signing secret. */
  isUnsigned?: boolean;
  /** Whether the subscription chooses all seven events instead of the failing one. */
  choosesAll?: boolean;
}

const redirectPath = '/moved';

/** How long targets hold their answers back: one so long that most senders still wait, one longer than most do. */
const heldMs = 3_000;
const longHeldMs = 12_000;
/** The same in real time, where the clock is moved. */
const heldInPassingMs = 100;

const status = (...statuses: readonly number[]): PushAnswer[] =>
  statuses.map((one) => (one > 299 && one < 400 ? { status: one, location: redirectPath } : { status: one }));

/**
 * Statuses that are no success, and that no target answers with each time. Left out is what an HTTP client may answer by itself, with a second request
 * (407, 421, 425, 426), and what ends HTTP (101). A redirect without Location leads nowhere.
 */
const failingStatuses = {
  '3xx': [300, 301, 303, 304, 308],
  '4xx': [402, 403, 405, 406, 408, 409, 411, 412, 413, 414, 415, 416, 417, 418, 422, 423, 424, 428, 431, 451],
  '5xx': [501, 502, 504, 505, 506, 507, 508, 510, 511, 520, 599],
} as const;

type StatusClass = keyof typeof failingStatuses;

/** The targets of a run, by name; the most valuable first, for a deployment may take no more than a few. */
const failingTargets = {
  'always-500': { script: status(500) },
  '500-then-200': { script: status(500, 200) },
  'closed-then-open': { script: 'closed' },
  '404-then-201': { script: status(404, 201) },
  '410-then-200': { script: status(410, 200) },
  '302-then-206': { script: status(302, 206), isUnsigned: true },
  '500-twice-then-202': { script: status(500, 500, 202) },
  '204-at-once': { script: status(204) },
  'broken-off-twice': { script: ['reset', 'reset', { status: 200 }] },
  '500-after-a-while-then-200': { script: [{ heldMs, last: { status: 500 } }, { status: 200 }] },
  'silent-then-200': { script: [{ heldMs: longHeldMs, last: 'reset' }, { status: 200 }] },
  'broken-off-without-secret': { script: ['reset', { status: 200 }], isUnsigned: true },
  '400-503-429-500': { script: status(400, 503, 429, 500) },
  '401-410-307-500': { script: status(401, 410, 307, 500), isUnsigned: true },
  'wecom-500': { script: status(500), channel: 'wecom' },
  'dingtalk-500-then-200': { script: status(500, 200), channel: 'dingtalk' },
  'feishu-500-then-200': { script: status(500, 200), channel: 'feishu' },
  'drawn-statuses': { script: { drawn: ['4xx', '5xx', '3xx'] } },
  'drawn-statuses-without-secret': { script: { drawn: ['5xx', '4xx', '4xx'] }, isUnsigned: true },
  'every-event-500-then-200': { script: status(500, 200), choosesAll: true },
} as const satisfies Record<string, Target>;

export type TargetName = keyof typeof failingTargets;
export const targetNames = Object.keys(failingTargets) as readonly TargetName[];

export function targetOf(name: TargetName): Target {
  return failingTargets[name];
}

/** Whether the deployment followed a redirect. */
export function wasRedirectFollowed({ receiver }: Context): boolean {
  return receiver?.wasVisited(redirectPath) ?? false;
}

interface TargetOptions {
  name: TargetName;
  event: EventName;
  /** Closed addresses, to be opened later, are added here. */
  closed: Reserved[];
  /** Whether the first attempts are over. */
  hasBegun: () => boolean;
}

/** Subscribes a target to an event, before the event is caused. */
export async function subscribeTarget(context: Context, options: TargetOptions): Promise<Subscription> {
  const { script, channel = 'custom', isUnsigned, choosesAll } = targetOf(options.name);
  const events = choosesAll ? [...eventNames] : [options.event];
  const request = { events, channel, ...(!isUnsigned && { secret: newSecret(context) }) };
  if (script === 'closed') return subscribeClosed(context, request, options.closed);
  const subscription = await subscribeForPush(context, request);
  const { path } = subscription;
  const given = 'drawn' in script ? drawStatuses(context, options.name, script.drawn) : script;
  const answers = given.map((answer) => completeAnswer(answer, context));
  const attempt = (pushes: readonly Push[]) =>
    choosesAll ? Number(options.hasBegun()) : attemptNumberOf(pushes.at(-1), pushes) - 1;
  // Some deployments greet a new subscription, which is neither promised nor forbidden.
  await awaitGreeting(context, path);
  context.receiver?.dismiss(path);
  context.receiver?.answer(
    path,
    (pushes) => answers[Math.min(attempt(pushes), answers.length - 1)] ?? { status: 200 },
  );
  return subscription;
}

/** A status of each class, drawn by the run's seed, and 500 at the end. */
function drawStatuses(
  { options, runId }: Context,
  name: TargetName,
  classes: readonly StatusClass[],
): PushAnswer[] {
  const drawn = classes.map((one, index) => {
    const among = failingStatuses[one];
    const digest = createHash('sha256')
      .update(`${options.seed ?? runId} ${name} ${index}`)
      .digest();
    return among[digest.readUInt32BE() % among.length] ?? 500;
  });
  return [...drawn, 500].map((status) => ({ status }));
}

/** Attempt number of a push within its delivery. */
function attemptNumberOf(push: Push | undefined, pushes: readonly Push[]): number {
  return countAttempts(pushes.filter((other) => push && saysTheSame(other, push)));
}

/** Completes the target of a redirect: another path of the receiver. Where the clock is moved, nobody waits for long. */
function completeAnswer(answer: PushAnswer, { receiver, clock }: Context): PushAnswer {
  if (typeof answer === 'string') return answer;
  if ('heldMs' in answer) return clock.isMoved ? { ...answer, heldMs: heldInPassingMs } : answer;
  if (answer.location === undefined || !receiver) return answer;
  return { ...answer, location: receiver.urlOf(answer.location) };
}

/** Only a receiver that the deployment reaches directly can be closed for a while. */
async function subscribeClosed(
  context: Context,
  request: SubscriptionRequest,
  closed: Reserved[],
): Promise<Subscription> {
  if (!context.receiver || context.options.receiver.url !== undefined)
    throw new NotVerified(
      'a temporarily unreachable target needs a receiver without a proxy in front of it (no --receiver-url)',
    );
  const path = nextPath(context);
  const reserved = await context.receiver.reserve(path);
  closed.push(reserved);
  return { ...(await subscribeForPush(context, { ...request, url: reserved.url })), path };
}
