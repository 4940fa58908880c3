// Pushes to failing targets: the run starts them early, and checks read the attempts towards its end.
import type { Channel, EventName } from '../../openapi/generated/types.ts';
import { asStep, type Context } from '../context.ts';
import { retryDelaysMs } from '../core/documented-limits.ts';
import { NotVerified } from '../core/outcomes.ts';
import { type Settled, settle } from '../core/settled.ts';
import { type Attempt, attemptsOf, saysTheSame } from '../push-receiver/attempts.ts';
import { kindOf } from '../push-receiver/caused-pushes.ts';
import type { Push, Reserved } from '../push-receiver/push-receiver.ts';
import { eventNamed } from '../push-receiver/read-push.ts';
import { allComeWithin, arrivalMs } from '../push-receiver/wait-for-push.ts';
import type { Subscription } from '../subscriptions/subscription-calls.ts';
import { subscribeTarget, type TargetName, targetNames, targetOf } from './failing-targets.ts';
import { marksMs, punctualMs } from './retry-delays.ts';

/** The failed pushes at all targets. */
export interface RetryRun {
  /** The event of the failing pushes; the target that chose every event gets others as well. */
  event: EventName;
  subscriptions: ReadonlyMap<TargetName, Settled<Subscription>>;
  /** Call this when the event has been caused: it waits for the first attempts, and opens the closed targets. */
  begin(): Promise<void>;
  /** When the first attempts were made, in milliseconds since 1970. Throws NotVerified where none was seen. */
  startedAt(): number;
  /** The attempts at a target so far. */
  attemptsAt(name: TargetName): readonly Attempt[];
  /** Leaves a target out to which nothing may have been pushed: what is asked of it is not verified. */
  leaveOut(name: TargetName, why: string): Promise<void>;
  /** The attempts about an event at the target that chose all events. */
  attemptsAbout(event: EventName): readonly Attempt[];
}

/** The step that creates the subscriptions to failing targets. */
export const subscribeTargets = { name: 'subscribeTargets' };

interface FailureOptions {
  event: EventName;
  /** The pushes to a working subscription of the channel to the event; undefined without such a subscription. */
  pushesElsewhere(channel: Channel, event: EventName): readonly Push[] | undefined;
  /** Whether the pushes of a channel name their event reliably. */
  namesEvents(channel: Channel): boolean;
}

/** Subscribes the failing targets to an event, before the event is caused. */
export async function causeFailures(context: Context, options: FailureOptions): Promise<RetryRun> {
  const { event, pushesElsewhere } = options;
  const closed: Reserved[] = [];
  let failed: readonly Push[] = [];
  let isBegun = false;
  const subscriptions: Subscriptions = new Map();
  await asStep(context, subscribeTargets, async () => {
    for (const name of targetNames) {
      const target = { name, event, closed, hasBegun: () => isBegun };
      subscriptions.set(name, await settle(() => subscribeTarget(context, target)));
    }
  });
  const { pushesAt, attemptsAt, startedAt } = attemptReader(context, subscriptions, options);
  const chosenByAll = 'every-event-500-then-200';
  return {
    event,
    subscriptions,
    attemptsAt,
    startedAt,
    leaveOut: async (name, why) => {
      const left = await settle<Subscription>(() => Promise.reject(new NotVerified(why)));
      subscriptions.set(name, left);
    },
    attemptsAbout: (named) => {
      const pushes = pushesAt(chosenByAll).filter((push) => eventNamed(push) === named);
      // The later pushes were answered with success.
      const isFailed = pushes[0] !== undefined && failed.includes(pushes[0]);
      return isFailed ? attemptsOf(pushes, { elsewhere: pushesElsewhere('custom', named) ?? [] }) : [];
    },
    begin: async () => {
      const reached = [...subscriptions].flatMap(([name, { error }]) =>
        error || targetOf(name).script === 'closed' ? [] : [() => pushesAt(name).length > 0],
      );
      await allComeWithin(context, reached, arrivalMs(context));
      // The attempt at the closed port leaves no trace here.
      await context.clock.pass(settlingMs, 'the first attempt at a closed port');
      isBegun = true;
      failed = subscriptions.get(chosenByAll)?.error ? [] : pushesAt(chosenByAll);
      for (const reserved of closed) await reserved.open();
      const isSeen = !subscriptions.get('always-500')?.error && attemptsAt('always-500').length > 0;
      if (isSeen) for (const ms of marksMs) context.clock.mark(startedAt() + ms);
    },
  };
}

type Subscriptions = Map<TargetName, Settled<Subscription>>;

function attemptReader(
  context: Context,
  subscriptions: Subscriptions,
  { event, pushesElsewhere, namesEvents }: FailureOptions,
): Pick<RetryRun, 'attemptsAt' | 'startedAt'> & { pushesAt(name: TargetName): readonly Push[] } {
  const pushesAt = (name: TargetName) => {
    const subscription = subscriptions.get(name);
    if (!subscription) throw new NotVerified(`there is no subscription for ${name}`);
    return pushesCaused(context, subscription.value().path);
  };
  const attemptsAt = (name: TargetName) => {
    const { channel = 'custom' } = targetOf(name);
    const isOwn = (push: Push) => !namesEvents(channel) || (eventNamed(push) ?? event) === event;
    const [reference] = pushesAt(channel === 'custom' ? 'always-500' : name).filter(isOwn);
    const elsewhere = pushesElsewhere(channel, event);
    const own = pushesAt(name).filter(isOwn);
    if (!elsewhere && reference && own.some((push) => !saysTheSame(push, reference)))
      throw new NotVerified(
        `the pushes to ${name} differ, and no working ${channel} subscription shows which are about other events`,
      );
    return attemptsOf(own, { reference, elsewhere: elsewhere ?? [] });
  };
  const startedAt = () => {
    const [first] = attemptsAt('always-500');
    if (first) return first.arrived.to;
    throw new NotVerified(
      'the push that should fail did not arrive at all; see EVENT-4 and EVENT-6 to EVENT-12',
    );
  };
  return { pushesAt, attemptsAt, startedAt };
}

/** A greeting may come after the creation of its target, and be sent again as it fails there. */
function pushesCaused(context: Context, path: string): readonly Push[] {
  const pushes = context.receiver?.pushesTo(path) ?? [];
  const others = pushes.filter((push) => !['event', 'test'].includes(kindOf(context, push)));
  if (others.length === 0) return pushes;
  return pushes.filter((push) => !others.some((other) => other === push || saysTheSame(other, push)));
}

const settlingMs = 2_000;

/** When the last retry should have come, in milliseconds after the first attempt, under either anchor. */
export const lastRetryMs = retryDelaysMs.reduce((sum, delay) => sum + delay + punctualMs, 0);
