// What becomes of pushes to targets that fail: left to happen while a run goes on, and looked at towards its end.
import type { Channel, EventName } from '../../openapi/generated/types.ts';
import type { Context } from '../context.ts';
import { NotVerified } from '../core/outcomes.ts';
import { type Settled, settle } from '../core/settled.ts';
import { type Attempt, attemptsOf } from '../push-receiver/attempts.ts';
import type { Push, Reserved } from '../push-receiver/push-receiver.ts';
import { eventNamed } from '../push-receiver/read-push.ts';
import { arrivalAt, arrivalMs } from '../push-receiver/wait-for-push.ts';
import type { Subscription } from '../subscriptions/subscription-calls.ts';
import { subscribeTarget, type TargetName, targetNames, targetOf } from './failing-targets.ts';
import { delaysMs, lateMs, marksMs } from './retry-delays.ts';

/** A push that was left to fail at each target. */
export interface RetryRun {
  /** What is left to fail at all targets but the one that chose every event. */
  event: EventName;
  subscriptions: ReadonlyMap<TargetName, Settled<Subscription>>;
  /** To be called when the event has been caused: waits for the first attempts, and opens what was closed. */
  begin(): Promise<void>;
  /** When the first attempts were made, in milliseconds since 1970; throws NotVerified where none was seen. */
  startedAt(): number;
  /** The attempts at a target so far. */
  attemptsAt(name: TargetName): readonly Attempt[];
  /** The attempts to push an event to the target that chose all of them. */
  attemptsAbout(event: EventName): readonly Attempt[];
}

interface Planting {
  event: EventName;
  /** What came to another subscription of the channel to the event, that did not fail. */
  toldElsewhere(channel: Channel, event: EventName): readonly Push[];
  /** Whether what a push names on a channel can be relied upon. */
  canName(channel: Channel): boolean;
}

/** Subscribes the failing targets to an event that is to be caused soon. */
export async function causeFailures(
  context: Context,
  { event, toldElsewhere, canName }: Planting,
): Promise<RetryRun> {
  const closed: Reserved[] = [];
  let failed: readonly Push[] = [];
  let isBegun = false;
  const subscriptions = new Map<TargetName, Settled<Subscription>>();
  for (const name of targetNames) {
    const planting = { name, event, closed, hasBegun: () => isBegun };
    subscriptions.set(name, await settle(() => subscribeTarget(context, planting)));
  }
  const pushesAt = (name: TargetName) => {
    const kept = subscriptions.get(name);
    if (!kept) throw new NotVerified(`there is no subscription for ${name}`);
    return context.receiver?.pushesTo(kept.value().path) ?? [];
  };
  const pushesAtMost = (name: TargetName) => (subscriptions.get(name)?.error ? [] : pushesAt(name));
  const attemptsAt = (name: TargetName) => {
    const { channel = 'custom' } = targetOf(name);
    const isOwn = (push: Push) => !canName(channel) || (eventNamed(push) ?? event) === event;
    const [reference] = pushesAt(channel === 'custom' ? 'always-500' : name).filter(isOwn);
    const pushes = pushesAt(name).filter(isOwn);
    return attemptsOf(pushes, { reference, elsewhere: toldElsewhere(channel, event) });
  };
  const startedAt = () => {
    const [first] = attemptsAt('always-500');
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
    attemptsAbout: (named) => {
      const pushes = pushesAt('every-event-500-then-200').filter((push) => eventNamed(push) === named);
      // What came after the first attempts was answered with success.
      const isFailed = pushes[0] !== undefined && failed.includes(pushes[0]);
      return isFailed ? attemptsOf(pushes, { elsewhere: toldElsewhere('custom', named) }) : [];
    },
    begin: async () => {
      for (const [name, kept] of subscriptions)
        if (!kept.error && targetOf(name).script !== 'closed')
          await arrivalAt(context, kept.value().path, arrivalMs(context));
      // The attempt at the closed port went out with the others; its refusal leaves no trace here.
      await context.clock.pass(settlingMs, 'the first attempt at a closed port');
      isBegun = true;
      failed = pushesAtMost('every-event-500-then-200');
      for (const reserved of closed) await reserved.open();
      if (attemptsAt('always-500')[0]) for (const ms of marksMs) context.clock.mark(startedAt() + ms);
    },
  };
}

const settlingMs = 2_000;

/** When the last retry ought to have come, in milliseconds after the first attempt, whichever anchor it counts from. */
export const lastRetryMs = delaysMs.reduce((sum, delay) => sum + delay, 0) + delaysMs.length * lateMs;
