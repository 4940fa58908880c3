// Subscriptions whose targets fail, each in its way, and what becomes of the pushes to them.
import type { Channel, EventName } from '../openapi/generated/types.ts';
import { arrivalAt, arrivalMs } from './arrivals.ts';
import { type Attempt, attemptsOf } from './attempts.ts';
import type { Context } from './context.ts';
import type { Subscription } from './hook-calls.ts';
import { newSecret, nextPath } from './hook-calls.ts';
import { subscribeForPush } from './hooks.ts';
import { type Kept, keep } from './keep.ts';
import { NotVerified } from './outcomes.ts';
import type { Answer, Reserved } from './receiver.ts';
import { delaysMs, lateMs, marksMs } from './retry-delays.ts';

/** A target: how it answers push after push (its last answer stays), or that nobody listens there at first. */
interface Target {
  script: readonly Answer[] | 'closed';
  channel?: Channel;
}

const moved = '/moved';

/** The targets of a run, by name. */
export const failingTargets = {
  'always-500': { script: [{ status: 500 }] },
  '500-then-200': { script: [{ status: 500 }, { status: 200 }] },
  '404-then-200': { script: [{ status: 404 }, { status: 200 }] },
  '302-then-200': { script: [{ status: 302, location: moved }, { status: 200 }] },
  '204-at-once': { script: [{ status: 204 }] },
  'closed-then-open': { script: 'closed' },
  'chat-500-then-200': { script: [{ status: 500 }, { status: 200 }], channel: 'wecom' },
} as const satisfies Record<string, Target>;

export type TargetName = keyof typeof failingTargets;

/** A push that was left to fail at each target. */
export interface RetryStory {
  event: EventName;
  subscriptions: ReadonlyMap<TargetName, Kept<Subscription>>;
  /** To be called when the event has been caused: waits for the first attempts, and opens what was closed. */
  begin(): Promise<void>;
  /** When the first attempts were made, in milliseconds since 1970; throws NotVerified where none was seen. */
  startedAt(): number;
  /** The attempts at a target so far. */
  attemptsAt(name: TargetName): readonly Attempt[];
  /** Whether the target of the redirect was visited. */
  wasRedirectFollowed(): boolean;
}

/** Subscribes the failing targets to an event that is to be caused soon. */
export async function plantFailures(context: Context, event: EventName): Promise<RetryStory> {
  const closed: Reserved[] = [];
  const subscriptions = new Map<TargetName, Kept<Subscription>>();
  for (const name of Object.keys(failingTargets) as TargetName[])
    subscriptions.set(name, await keep(() => subscribeTarget(context, { name, event, closed })));
  const pushesAt = (name: TargetName) => context.receiver?.pushesTo(subscriptionAt(name).path) ?? [];
  const attemptsAt = (name: TargetName) => attemptsOf(pushesAt(name), pushesAt('always-500')[0]);
  const subscriptionAt = (name: TargetName) => {
    const kept = subscriptions.get(name);
    if (!kept) throw new NotVerified(`there is no subscription for ${name}`);
    return kept.value();
  };
  const startedAt = () => {
    const first = attemptsAt('always-500')[0];
    if (first) return first.arrived.to;
    throw new NotVerified(
      'the push that was to fail did not come in the first place; see EVENT-4 and EVENT-6 to EVENT-12',
    );
  };
  return {
    event,
    subscriptions,
    attemptsAt,
    startedAt,
    wasRedirectFollowed: () => context.receiver?.wasVisited(moved) ?? false,
    begin: async () => {
      for (const [name, kept] of subscriptions)
        if (!kept.error && failingTargets[name].script !== 'closed')
          await arrivalAt(context, kept.value().path, arrivalMs(context));
      // The attempt at the closed port went out with the others; its refusal leaves no trace here.
      await context.clock.pass(settlingMs, 'the first attempt at a closed port');
      for (const reserved of closed) await reserved.open();
      if (attemptsAt('always-500')[0]) for (const ms of marksMs) context.clock.mark(startedAt() + ms);
    },
  };
}

const settlingMs = 2_000;

/** When the last retry ought to have come, in milliseconds after the first attempt, whichever anchor it counts from. */
export const lastRetryMs = delaysMs.reduce((sum, delay) => sum + delay, 0) + delaysMs.length * lateMs;

interface Planting {
  name: TargetName;
  event: EventName;
  closed: Reserved[];
}

async function subscribeTarget(context: Context, { name, event, closed }: Planting): Promise<Subscription> {
  const { script, channel = 'custom' }: Target = failingTargets[name];
  const wish = { events: [event], channel, secret: newSecret(context) };
  if (script === 'closed') return subscribeClosed(context, wish, closed);
  const subscription = await subscribeForPush(context, wish);
  context.receiver?.answer(
    subscription.path,
    script.map((answer) => withAddress(answer, context)),
  );
  return subscription;
}

/** A redirect leads to another path of the receiver. */
function withAddress(answer: Answer, { receiver }: Context): Answer {
  if (answer === 'held' || answer.location === undefined || !receiver) return answer;
  return { ...answer, location: receiver.urlOf(answer.location) };
}

/** Only a receiver that the deployment reaches directly can be out of reach and come back. */
async function subscribeClosed(
  context: Context,
  wish: { events: EventName[]; channel: Channel; secret: string },
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
