// Pushes on their way: recorded in the world at once, sent soon after, tried again when they fail, every attempt logged.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Profile } from '../../openapi/profile.ts';
import type { Clock } from '../clock/clock.ts';
import { schedule } from '../clock/jobs.ts';
import type { Scheduler } from '../clock/scheduler.ts';
import type { Attempt, AttemptCause, Delivery, Subscription, World } from '../world/world.ts';
import type { DeliverySteps } from './delivery-steps.ts';
import type { Push } from './push-message.ts';
import type { VaryBody } from './record-delivery.ts';
import { reckonedAt } from './retry-times.ts';
import { robotRefusal } from './robot-refusal.ts';
import type { Message, Reply, Sender, Target } from './send.ts';

export interface Dispatcher {
  /** Records a push to each subscription of its site that chose the event; they are sent after the answer that is being made. */
  emit(push: Push): Delivery[];
  /** Records a test message and sends it, never before the answer that is being made; says whether it was delivered. */
  test(push: Push, subscription: Subscription): Promise<boolean>;
  /** Makes an attempt, whose cause may have gone meanwhile. */
  attempt(deliveryId: number, cause: AttemptCause): Promise<void>;
  /** One of our own inboxes will leave a push to this path unanswered: nobody waits for that who moves the clock. */
  leaveUnanswered(path: string): void;
  abortWaiting(): void;
  close(): Promise<void>;
}

/** What the dispatcher works on and with. */
export interface DispatcherContext {
  /** Both are read anew each time: they can be replaced. */
  state: { readonly world: World; readonly steps: DeliverySteps };
  profile: Profile;
  clock: Clock;
  scheduler: Pick<Scheduler, 'wake' | 'track' | 'isImpatient'>;
  sender: Sender;
  varyBody: VaryBody | undefined;
  /** Called with each attempt as soon as it stands in the log. */
  onAttempt(delivery: Delivery, attempt: Attempt): void;
}

export function createDispatcher(context: DispatcherContext): Dispatcher {
  const { state, profile, clock, scheduler: timekeeper, sender } = context;

  function record(push: Push, subscription: Subscription): Delivery {
    const { world, steps } = state;
    return steps.recordDelivery({ world, profile, varyBody: context.varyBody }, push, subscription);
  }

  function emit(push: Push): Delivery[] {
    const { world, steps } = state;
    const deliveries = steps.recipientsOf(world, push).map((subscription) => record(push, subscription));
    for (const { id } of deliveries)
      schedule(world, push.at, { kind: 'attempt', deliveryId: id, cause: 'event' });
    if (deliveries.length > 0) timekeeper.wake();
    return deliveries;
  }

  async function test(push: Push, subscription: Subscription): Promise<boolean> {
    const delivery = record(push, subscription);
    await timekeeper.track(sendLater(delivery));
    return delivery.state === 'delivered';
  }

  async function sendLater(delivery: Delivery): Promise<void> {
    await nextTurn();
    await send(delivery, 'event');
  }

  async function attempt(deliveryId: number, cause: AttemptCause): Promise<void> {
    const { world } = state;
    const delivery = world.deliveries.get(deliveryId);
    if (!delivery || (cause !== 'redelivery' && delivery.state !== 'pending')) return;
    if (cause === 'retry') {
      if (!world.subscriptions.has(String(delivery.subscriptionId))) return giveUp(delivery);
      delivery.retries++;
    }
    await send(delivery, cause);
  }

  async function send(delivery: Delivery, cause: AttemptCause): Promise<void> {
    const begun = { at: 0, requestHeaders: {}, startedAt: 0 };
    const reply = await sender.send(targetOf(delivery, profile), () => begin(delivery, begun));
    log(delivery, cause, { ...begun, reply });
  }

  /** Before the request: what it sends, and when. */
  function begin(delivery: Delivery, begun: Begun): Message {
    const at = clock.now();
    const message = state.steps.message(delivery, at, profile);
    Object.assign(begun, { at, requestHeaders: message.headers, startedAt: performance.now() });
    return message;
  }

  /** After the request: the attempt in the log, and what comes of it. */
  function log(delivery: Delivery, cause: AttemptCause, ended: Ended): void {
    const { at, requestHeaders, startedAt, reply } = ended;
    const attempt: Attempt = {
      at,
      requestHeaders,
      cause,
      outcome: withRefusal(delivery, reply),
      // On a clock that stands still, nothing takes any time.
      durationMs: state.world.clock.mode === 'manual' ? 0 : Math.round(performance.now() - startedAt),
    };
    delivery.attempts.push(attempt);
    if (state.steps.isDelivered(delivery, attempt, profile)) settleWith(delivery, 'delivered');
    else if (attempt.cause !== 'redelivery') retry(delivery, attempt);
    context.onAttempt(delivery, attempt);
  }

  function retry(delivery: Delivery, { at }: Attempt): void {
    const reckoned = reckonedAt(delivery, at);
    delivery.firstAttemptAt ??= reckoned;
    const next = state.steps.nextRetryAt(delivery, reckoned, profile);
    if (next === undefined) {
      giveUp(delivery);
      return;
    }
    delivery.nextAttemptAt = next;
    schedule(state.world, next, { kind: 'attempt', deliveryId: delivery.id, cause: 'retry' });
    timekeeper.wake();
  }

  return {
    emit,
    test,
    attempt,
    leaveUnanswered: (path) => sender.leaveUnanswered(path, timekeeper.isImpatient()),
    abortWaiting: sender.abortWaiting,
    close: sender.close,
  };
}

/** The start of an attempt: its time by the mock's clock, and by one that nobody moves, in milliseconds. */
interface Begun {
  at: number;
  requestHeaders: Record<string, string>;
  startedAt: number;
}

interface Ended extends Begun {
  reply: Reply;
}

function targetOf({ id, attempts, url }: Delivery, { values }: Profile): Target {
  return {
    attempt: `push ${id}, attempt ${attempts.length + 1}`,
    url,
    timeoutSeconds: values['webhook.timeout'],
    followsRedirects: values['webhook.redirects'] === 'followed',
  };
}

function giveUp(delivery: Delivery): void {
  settleWith(delivery, 'given-up');
}

function settleWith(delivery: Delivery, state: 'delivered' | 'given-up'): void {
  delivery.state = state;
  delete delivery.nextAttemptAt;
}

function withRefusal({ channel }: Delivery, reply: Reply): Attempt['outcome'] {
  if ('error' in reply) return reply;
  const refusal = robotRefusal(channel, reply.body);
  return refusal === undefined ? reply : { ...reply, refusal };
}
