// Targets that fail, each in its way, and the subscriptions that lead to them.

import { eventNames } from '../../openapi/event-names.ts';
import type { Channel, EventName } from '../../openapi/generated/types.ts';
import type { Context } from '../context.ts';
import { NotVerified } from '../core/outcomes.ts';
import { countAttempts, saysTheSame } from '../push-receiver/attempts.ts';
import type { Answer, Push, Reserved } from '../push-receiver/push-receiver.ts';
import { subscribeForPush } from '../subscriptions/create-subscription.ts';
import {
  newSecret,
  nextPath,
  type Subscription,
  type SubscriptionRequest,
} from '../subscriptions/subscription-calls.ts';

/** A target: how it answers attempt after attempt (its last answer stays), or that nobody listens there at first. */
interface Target {
  script: readonly Answer[] | 'closed';
  channel?: Channel;
  /** Whether it is without a signing secret; it has one unless this says so. */
  isUnsigned?: boolean;
  /** Whether all seven events are chosen; it is the one that is left to fail unless this says so. */
  choosesAll?: boolean;
}

const moved = '/moved';
const status = (...statuses: readonly number[]): Answer[] =>
  statuses.map((one) => (one > 299 && one < 400 ? { status: one, location: moved } : { status: one }));

/** The targets of a run, by name. */
export const failingTargets = {
  'always-500': { script: status(500) },
  '500-then-200': { script: status(500, 200) },
  '404-then-201': { script: status(404, 201) },
  '302-then-206': { script: status(302, 206), isUnsigned: true },
  '500-twice-then-202': { script: status(500, 500, 202) },
  '204-at-once': { script: status(204) },
  'closed-then-open': { script: 'closed' },
  'broken-off-twice': { script: ['reset', 'reset', { status: 200 }] },
  '400-503-429-500': { script: status(400, 503, 429, 500) },
  '401-410-307-500': { script: status(401, 410, 307, 500), isUnsigned: true },
  'wecom-500': { script: status(500), channel: 'wecom' },
  'dingtalk-500-then-200': { script: status(500, 200), channel: 'dingtalk' },
  'feishu-500-then-200': { script: status(500, 200), channel: 'feishu' },
  'every-event-500-then-200': { script: status(500, 200), choosesAll: true },
} as const satisfies Record<string, Target>;

export type TargetName = keyof typeof failingTargets;
export const targetNames = Object.keys(failingTargets) as readonly TargetName[];

export function targetOf(name: TargetName): Target {
  return failingTargets[name];
}

/** Whether the place that the redirects lead to was visited. */
export function wasRedirectFollowed({ receiver }: Context): boolean {
  return receiver?.wasVisited(moved) ?? false;
}

interface Planting {
  name: TargetName;
  event: EventName;
  /** What is to be opened is added to it. */
  closed: Reserved[];
  /** Whether the first attempts are over. */
  hasBegun: () => boolean;
}

/** Subscribes a target to an event that is to be caused soon. */
export async function subscribeTarget(context: Context, planting: Planting): Promise<Subscription> {
  const { script, channel = 'custom', isUnsigned, choosesAll } = targetOf(planting.name);
  const events = choosesAll ? [...eventNames] : [planting.event];
  const wish = { events, channel, ...(!isUnsigned && { secret: newSecret(context) }) };
  if (script === 'closed') return subscribeClosed(context, wish, planting.closed);
  const subscription = await subscribeForPush(context, wish);
  const { path } = subscription;
  const answers = script.map((answer) => withAddress(answer, context));
  const attempt = (pushes: readonly Push[]) =>
    choosesAll ? Number(planting.hasBegun()) : numberOf(pushes.at(-1), pushes) - 1;
  // Some deployments greet a new subscription, which nobody promised or forbade.
  context.receiver?.dismiss(path);
  context.receiver?.answer(
    path,
    (pushes) => answers[Math.min(attempt(pushes), answers.length - 1)] ?? { status: 200 },
  );
  return subscription;
}

/** The how-manieth attempt at its delivery a push is. */
function numberOf(push: Push | undefined, pushes: readonly Push[]): number {
  return countAttempts(pushes.filter((other) => push && saysTheSame(other, push)));
}

/** A redirect leads to another path of the receiver. */
function withAddress(answer: Answer, { receiver }: Context): Answer {
  if (typeof answer === 'string' || answer.location === undefined || !receiver) return answer;
  return { ...answer, location: receiver.urlOf(answer.location) };
}

/** Only a receiver that the deployment reaches directly can be out of reach and come back. */
async function subscribeClosed(
  context: Context,
  wish: SubscriptionRequest,
  closed: Reserved[],
): Promise<Subscription> {
  if (!context.receiver || context.options.receiver.url !== undefined)
    throw new NotVerified(
      'a target that is out of reach for a while needs a receiver with nothing in front of it (no --receiver-url)',
    );
  const path = nextPath(context);
  const reserved = await context.receiver.reserve(path);
  closed.push(reserved);
  return { ...(await subscribeForPush(context, { ...wish, url: reserved.url })), path };
}
