// Pushes on their way: recorded in the world at once, sent soon after, tried again when they fail, every attempt logged.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { schedule } from '../agenda.ts';
import type { Service } from '../service.ts';
import { varySending } from '../variations/vary-sending.ts';
import type { Attempt, AttemptCause, Delivery, Subscription } from '../world.ts';
import type { Push } from './push.ts';
import { reckonedAt } from './retries.ts';
import { robotRefusal } from './robot-refusal.ts';
import { createSender, type Reply } from './send.ts';

export interface Dispatcher {
  /** Records a push to each subscription of its site that chose the event; they are sent after the answer that is being made. */
  emit(push: Push): Delivery[];
  /** Records a test message and sends it, never before the answer that is being made; says whether it was delivered. */
  test(push: Push, subscription: Subscription): Promise<boolean>;
  /** Makes an attempt, whose cause may have gone meanwhile. */
  attempt(deliveryId: number, cause: AttemptCause): Promise<void>;
  /** One of our own inboxes will leave a push to this path unanswered: nobody waits for that who moves the clock. */
  hold(path: string): void;
  hurry(): void;
  close(): Promise<void>;
}

type Core = Pick<
  Service,
  'profile' | 'world' | 'clock' | 'timekeeper' | 'feed' | 'settings' | 'variations' | 'parts'
>;

export function createDispatcher(core: Core): Dispatcher {
  const plainSender = createSender(core.settings);
  const sender = core.variations ? varySending(plainSender, core.variations, core.timekeeper) : plainSender;

  function emit(push: Push): Delivery[] {
    const { recipientsOf, recordDelivery } = core.parts;
    const deliveries = recipientsOf(core.world, push).map((subscription) =>
      recordDelivery(core, push, subscription),
    );
    for (const { id } of deliveries)
      schedule(core.world, push.at, { kind: 'attempt', deliveryId: id, cause: 'event' });
    if (deliveries.length > 0) core.timekeeper.wake();
    return deliveries;
  }

  async function test(push: Push, subscription: Subscription): Promise<boolean> {
    const delivery = core.parts.recordDelivery(core, push, subscription);
    await core.timekeeper.track(sendLater(delivery));
    return delivery.state === 'delivered';
  }

  async function sendLater(delivery: Delivery): Promise<void> {
    await nextTurn();
    await send(delivery, 'event');
  }

  async function attempt(deliveryId: number, cause: AttemptCause): Promise<void> {
    const delivery = core.world.deliveries.get(deliveryId);
    if (!delivery || (cause !== 'redelivery' && delivery.state !== 'pending')) return;
    if (cause === 'retry') {
      if (!core.world.subscriptions.has(String(delivery.subscriptionId))) return giveUp(delivery);
      delivery.retries++;
    }
    await send(delivery, cause);
  }

  async function send(delivery: Delivery, cause: AttemptCause): Promise<void> {
    const { profile, clock, world } = core;
    let sent = { at: 0, requestHeaders: {}, startedAt: 0 };
    const target = {
      attempt: `push ${delivery.id}, attempt ${delivery.attempts.length + 1}`,
      url: delivery.url,
      timeoutSeconds: profile.values['webhook.timeout'],
      followsRedirects: profile.values['webhook.redirects'] === 'followed',
    };
    const reply = await sender.send(target, () => {
      const at = clock.now();
      const message = core.parts.message(delivery, at, profile);
      sent = { at, requestHeaders: message.headers, startedAt: performance.now() };
      return message;
    });
    const { startedAt, ...attempted } = sent;
    // On a clock that stands still, nothing takes any time.
    const durationMs = world.clock.mode === 'manual' ? 0 : Math.round(performance.now() - startedAt);
    log(delivery, { ...attempted, cause, outcome: withRefusal(delivery, reply), durationMs });
  }

  function log(delivery: Delivery, attempt: Attempt): void {
    delivery.attempts.push(attempt);
    if (core.parts.isDelivered(delivery, attempt, core.profile)) settleWith(delivery, 'delivered');
    else if (attempt.cause !== 'redelivery') retry(delivery, attempt);
    core.feed.emit('attempt', delivery, attempt);
  }

  function retry(delivery: Delivery, { at }: Attempt): void {
    const reckoned = reckonedAt(delivery, at);
    delivery.firstAttemptAt ??= reckoned;
    const next = core.parts.nextRetryAt(delivery, reckoned, core.profile);
    if (next === undefined) {
      giveUp(delivery);
      return;
    }
    delivery.nextAttemptAt = next;
    schedule(core.world, next, { kind: 'attempt', deliveryId: delivery.id, cause: 'retry' });
    core.timekeeper.wake();
  }

  return {
    emit,
    test,
    attempt,
    hold: (path) => sender.hold(path, core.timekeeper.isImpatient()),
    hurry: sender.hurry,
    close: sender.close,
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
