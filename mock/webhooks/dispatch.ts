// Delivers pushes: records them at once, sends them soon after, retries failures and logs every attempt.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Profile } from '../../openapi/profile.ts';
import type { Clock } from '../clock/clock.ts';
import { scheduleJob } from '../clock/jobs.ts';
import type { Scheduler } from '../clock/scheduler.ts';
import { drawBetween } from '../world/random.ts';
import { subscriptionIdsOf, subscriptionKey } from '../world/subscription-id.ts';
import type { Attempt, AttemptCause, Delivery, Subscription, World } from '../world/world.ts';
import type { DeliverySteps } from './delivery-steps.ts';
import type { PushMessage } from './push-message.ts';
import { dropOldestDeliveries, firstAttemptAt, type VaryBody } from './record-delivery.ts';
import { countedAttemptTime } from './retry-times.ts';
import { robotRefusal } from './robot-refusal.ts';
import type { Message, Reply, Sender, Target } from './send.ts';

export interface Dispatcher {
  /** Records a push to each recipient; they are sent after the current answer. */
  emit(push: PushMessage): Delivery[];
  /** Records a test message or greeting and sends it, never before the current answer; returns whether it was delivered. Where nobody waits for that, it is sent with the latency of pushes. */
  test(push: PushMessage, subscription: Subscription, isAwaited?: boolean): Promise<boolean>;
  /** Makes an attempt, unless the delivery is gone or settled meanwhile. */
  attempt(deliveryId: number, cause: AttemptCause): Promise<void>;
  /** One of our own inboxes will not answer a push to this path: a caller who moves the clock does not wait for it. */
  leaveUnanswered(path: string): void;
  abortWaiting(): void;
  close(): Promise<void>;
}

interface DispatcherContext {
  /** Both are read anew each time: they can be replaced. */
  state: { readonly world: World; readonly steps: DeliverySteps };
  profile: Profile;
  clock: Clock;
  scheduler: Pick<Scheduler, 'wake' | 'track' | 'shouldAbortWaiting'>;
  sender: Sender;
  varyBody: VaryBody | undefined;
  /** For how long events miss a new subscription. */
  unknownAtFirstMs: number;
  /** Called with each attempt as soon as it is logged. */
  onAttempt(delivery: Delivery, attempt: Attempt): void;
}

export function createDispatcher(context: DispatcherContext): Dispatcher {
  const { state, profile, clock, scheduler, sender, varyBody, unknownAtFirstMs } = context;

  function record(push: PushMessage, subscription: Subscription): Delivery {
    const { world, steps } = state;
    return steps.recordDelivery({ world, profile, varyBody }, push, subscription);
  }

  function emit(push: PushMessage): Delivery[] {
    const { world, steps } = state;
    return steps
      .recipientsOf(world, push)
      .filter(({ createdAt }) => createdAt + unknownAtFirstMs <= push.at)
      .map((subscription) => queue(push, subscription));
  }

  function queue(push: PushMessage, subscription: Subscription): Delivery {
    const delivery = record(push, subscription);
    const task = { kind: 'attempt', deliveryId: delivery.id, cause: 'event' } as const;
    scheduleJob(state.world, firstAttemptAt(push, profile), task);
    scheduler.wake();
    return delivery;
  }

  async function test(push: PushMessage, subscription: Subscription, isAwaited = true): Promise<boolean> {
    if (!isAwaited && firstAttemptAt(push, profile) > push.at) {
      queue(push, subscription);
      return false;
    }
    const { world } = state;
    const { id } = record(push, subscription);
    await scheduler.track(sendLater({ world, id, cause: 'event' }));
    return world.deliveries.get(id)?.state === 'delivered';
  }

  async function sendLater(due: DueAttempt): Promise<void> {
    await nextTurn();
    await send(due);
  }

  function attempt(id: number, cause: AttemptCause): Promise<void> {
    const due = { world: state.world, id, cause };
    return isStillDue(due) ? send(due) : Promise.resolve();
  }

  /** Counts a retry. */
  function isStillDue({ world, id, cause }: DueAttempt): boolean {
    const delivery = world.deliveries.get(id);
    if (!delivery || (cause !== 'redelivery' && delivery.state !== 'pending')) return false;
    if (cause !== 'retry') return true;
    if (world.subscriptions.has(keyOf(delivery))) delivery.retries++;
    else settle(delivery, 'given-up');
    return delivery.state === 'pending';
  }

  /** While it waits for its turn, only its id is kept: what the log drops is not sent. */
  async function send({ world, id, cause }: DueAttempt): Promise<void> {
    const start = { at: 0, requestHeaders: {}, startedAt: 0 };
    const target = targetOf(world.deliveries.get(id), profile);
    if (!target) return;
    const reply = await sender.send(target, () => startAttempt(world.deliveries.get(id), start));
    const delivery = reply && world.deliveries.get(id);
    if (delivery) endAttempt(delivery, cause, { ...start, reply });
  }

  /** Makes the message of an attempt and fills in its start. */
  function startAttempt(delivery: Delivery | undefined, start: AttemptStart): Message | undefined {
    if (!delivery) return undefined;
    start.at = clock.now();
    const message = state.steps.message(delivery, start.at, profile);
    start.requestHeaders = message.headers;
    start.startedAt = performance.now();
    return message;
  }

  /** Logs an attempt, and settles the delivery or schedules its retry. */
  function endAttempt(
    delivery: Delivery,
    cause: AttemptCause,
    { at, requestHeaders, startedAt, reply }: AttemptStart & { reply: Reply },
  ): void {
    const attempt: Attempt = {
      at,
      requestHeaders,
      cause,
      outcome: withRefusal(delivery, reply),
      // On a stopped clock, nothing takes any time.
      durationMs: state.world.clock.mode === 'manual' ? 0 : Math.round(performance.now() - startedAt),
    };
    delivery.attempts.push(attempt);
    dropOldestDeliveries(state.world, attempt);
    if (state.steps.isDelivered(delivery, attempt, profile)) settle(delivery, 'delivered');
    // It may have been given up meanwhile.
    else if (cause !== 'redelivery' && delivery.state === 'pending') scheduleRetry(delivery, at);
    context.onAttempt(delivery, attempt);
  }

  function scheduleRetry(delivery: Delivery, at: number): void {
    const attemptedAt = countedAttemptTime(delivery, at);
    delivery.firstAttemptAt ??= attemptedAt;
    const next = state.steps.nextRetryAt(delivery, attemptedAt, profile);
    if (next === undefined) {
      settle(delivery, 'given-up');
      return;
    }
    delivery.nextAttemptAt = next;
    const task = { kind: 'attempt', deliveryId: delivery.id, cause: 'retry' } as const;
    scheduleJob(state.world, next + lateness(), task);
    scheduler.wake();
  }

  /** Of a queue that is looked through now and then. */
  function lateness(): number {
    const mostMs = profile.values['webhook.retry-delay'] * 1000;
    return mostMs === 0 ? 0 : drawBetween(state.world, 0, mostMs);
  }

  function keyOf({ siteId, subscriptionId: id }: Delivery): string {
    return subscriptionKey({ siteId, id }, subscriptionIdsOf(profile));
  }

  return {
    emit,
    test,
    attempt,
    leaveUnanswered: (path) => sender.leaveUnanswered(path, scheduler.shouldAbortWaiting()),
    abortWaiting: sender.abortWaiting,
    close: sender.close,
  };
}

interface DueAttempt {
  /** The one that it was due in, whatever is loaded meanwhile. */
  world: World;
  id: number;
  cause: AttemptCause;
}

interface AttemptStart {
  /** By the mock's clock. */
  at: number;
  requestHeaders: Record<string, string>;
  /** By performance.now(), in milliseconds. */
  startedAt: number;
}

function targetOf(delivery: Delivery | undefined, { values }: Profile): Target | undefined {
  if (!delivery) return undefined;
  const { id, attempts, url, body } = delivery;
  return {
    attempt: `push ${id}, attempt ${attempts.length + 1}`,
    url,
    bytes: Buffer.byteLength(body),
    timeoutSeconds: values['webhook.timeout'],
    redirects: values['webhook.redirects'],
  };
}

function settle(delivery: Delivery, state: 'delivered' | 'given-up'): void {
  delivery.state = state;
  // A deleted property would turn the object into a slower one.
  delivery.nextAttemptAt = undefined;
}

function withRefusal({ channel }: Delivery, reply: Reply): Attempt['outcome'] {
  if ('error' in reply) return reply;
  const refusal = robotRefusal(channel, reply.body);
  return refusal === undefined ? reply : { ...reply, refusal };
}
