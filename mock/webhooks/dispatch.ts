// Pushes are recorded at once and sent soon after; every attempt is logged.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Profile } from '../../openapi/profile.ts';
import { scheduleJob } from '../clock/jobs.ts';
import type { Claim, Scheduler } from '../clock/scheduler.ts';
import { type Done, promiseOf, type Rest } from '../clock/work.ts';
import type { Editable, Writable } from '../world/collection.ts';
import type { Attempt, AttemptCause, Delivery, Subscription } from '../world/entries.ts';
import { showLongIds } from '../world/long-ids.ts';
import { drawBetween } from '../world/random.ts';
import { subscriptionIdsOf, subscriptionKey } from '../world/subscription-rules.ts';
import type { Clock } from '../world/time.ts';
import type { Turn } from '../world/turn.ts';
import type { World } from '../world/world.ts';
import { countedAttemptTime, type DeliverySteps, makeRoom, type VaryBody } from './delivery-steps.ts';
import type { Message } from './post.ts';
import type { PushMessage } from './render.ts';
import { robotRefusal } from './robot-message.ts';
import type { Reply, Sender, Sent, Target } from './send.ts';

export type Dispatcher = ReturnType<typeof createDispatcher>;

interface PushingMock {
  /** A loaded world replaces `world`, and a fault replaces `steps`, so read both at each use. */
  readonly world: World;
  readonly steps: DeliverySteps;
  profile: Profile;
  clock: Clock;
  turn: Turn;
  scheduler: Pick<Scheduler, 'wake' | 'track' | 'claim' | 'shouldAbortWaiting'>;
}

interface Sending {
  sender: Sender;
  varyBody: VaryBody | undefined;
  /** Milliseconds in which a new subscription gets no events. */
  unknownAtFirstMs: number;
  onAttempt(delivery: Delivery, attempt: Attempt): void;
}

export function createDispatcher(
  mock: PushingMock,
  { sender, varyBody, unknownAtFirstMs, onAttempt }: Sending,
) {
  const { profile, clock, scheduler, turn } = mock;

  function emit(push: PushMessage): Delivery[] {
    return mock.steps
      .recipientsOf(mock.world, push)
      .filter(({ createdAt }) => createdAt + unknownAtFirstMs <= push.at)
      .map((subscription) => queue(push, subscription));
  }

  function queue(push: PushMessage, subscription: Subscription): Delivery {
    const delivery = record(push, subscription);
    scheduleAttempt(delivery.nextAttemptAt ?? push.at, delivery.id, 'event');
    return delivery;
  }

  function record(push: PushMessage, subscription: Subscription): Delivery {
    return mock.steps.recordDelivery({ world: mock.world, profile, varyBody }, push, subscription);
  }

  function scheduleAttempt(at: number, deliveryId: number, cause: AttemptCause): void {
    scheduleJob(mock.world, at, { kind: 'attempt', deliveryId, cause });
    scheduler.wake();
  }

  /** Sends the message without latency once it is persisted, and reports whether it arrived. */
  async function test(push: PushMessage, subscription: Subscription): Promise<boolean> {
    const { world } = mock;
    const { id } = record(push, subscription);
    const claim = scheduler.claim({ kind: 'attempt', deliveryId: id, cause: 'event' });
    await scheduler.track(sendLater({ world, id, cause: 'event', claim }));
    return (claim ? mock.world : world).deliveries.get(id)?.state === 'delivered';
  }

  async function sendLater(due: DueAttempt): Promise<void> {
    await nextTurn();
    await turn(() => {});
    await promiseOf((done) => send(due, done));
  }

  /** Undefined if the delivery was evicted or is settled. */
  function begin(id: number, cause: AttemptCause, claim?: Claim): Rest | undefined {
    const { world } = mock;
    // A manual clock may move on before the store persists this turn.
    const at = world.clock.mode === 'manual' ? clock.now() : undefined;
    const due = { world, id, cause, at, claim };
    if (isStillDue(due)) return (done) => send(due, done);
    claim?.release();
    return undefined;
  }

  /** Also counts the retry, or gives up a delivery whose subscription was deleted. */
  function isStillDue({ world, id, cause, claim }: DueAttempt): boolean {
    const delivery = world.deliveries.get(id);
    if (!delivery || (cause !== 'redelivery' && delivery.state !== 'pending')) return false;
    if (cause !== 'retry') return true;
    if (!world.subscriptions.has(keyOf(delivery))) {
      settle(world.deliveries.edit(id), 'given-up');
      return false;
    }
    if (!claim?.isAgain) world.deliveries.edit(id).retries++;
    return true;
  }

  /** A waiting attempt has only an id, so a delivery that the log evicts before is not sent. */
  function send(due: DueAttempt, done: Done): void {
    const delivery = worldOf(due).deliveries.get(due.id);
    const end: Sent = (reply, failure) => {
      if (failure !== undefined) done(failure);
      else changeSurely(() => endAttempt(due, reply), done);
    };
    if (delivery) sender.send(targetOf(delivery), () => startAttempt(due), end);
    else end();
  }

  /** Releasing a claim shows whether the attempt still counts; an attempt without a claim belongs to the world in which it began. */
  function worldOf({ claim, world }: DueAttempt): World {
    return claim ? mock.world : world;
  }

  function changeSurely(work: () => void, done: Done): void {
    try {
      const persisted: unknown = turn(work, { isSure: true });
      if (persisted instanceof Promise) persisted.then(() => done(), done);
      else done();
    } catch (error) {
      done(error);
    }
  }

  function startAttempt(due: DueAttempt): Message | undefined {
    const delivery = worldOf(due).deliveries.get(due.id);
    if (!delivery) return undefined;
    due.at ??= clock.now();
    const { headers, body } = mock.steps.message(delivery, due.at, profile);
    due.requestHeaders = headers;
    due.startedAt = performance.now();
    return { headers, body: showLongIds(body) };
  }

  function endAttempt(due: DueAttempt, reply: Reply | undefined): void {
    const { id, cause, claim, at = 0, requestHeaders = {}, startedAt = 0 } = due;
    if (claim && !claim.release()) return;
    const world = worldOf(due);
    if (!reply || !world.deliveries.has(id)) return;
    const delivery = makeRoom(world, () => world.deliveries.edit(id));
    const attempt: Writable<Attempt> = {
      at,
      requestHeaders,
      cause,
      outcome: withRefusal(delivery, reply),
      // A manual clock does not advance during an attempt.
      durationMs: mock.world.clock.mode === 'manual' ? 0 : Math.round(performance.now() - startedAt),
    };
    delivery.attempts.push(attempt);
    if (mock.steps.isDelivered(delivery, attempt, profile)) settle(delivery, 'delivered');
    // The delivery may have been given up meanwhile.
    else if (cause !== 'redelivery' && delivery.state === 'pending') scheduleRetry(delivery, at);
    onAttempt(delivery, attempt);
  }

  function scheduleRetry(delivery: Editable<Delivery>, at: number): void {
    const attemptedAt = countedAttemptTime(delivery, at);
    delivery.firstAttemptAt ??= attemptedAt;
    const next = mock.steps.nextRetryAt(delivery, attemptedAt, profile);
    if (next === undefined) {
      settle(delivery, 'given-up');
      return;
    }
    delivery.nextAttemptAt = next;
    scheduleAttempt(next + lateness(), delivery.id, 'retry');
  }

  /** Random milliseconds, since a deployment may poll its retry queue at intervals. */
  function lateness(): number {
    const mostMs = profile.values['webhook.retry-delay'] * 1000;
    return mostMs === 0 ? 0 : drawBetween(mock.world, 0, mostMs);
  }

  function keyOf({ siteId, subscriptionId: id }: Delivery): string {
    return subscriptionKey({ siteId, id }, subscriptionIdsOf(profile));
  }

  return {
    emit,
    queue(push: PushMessage, subscription: Subscription): void {
      queue(push, subscription);
    },
    test,
    begin,
    /** A mock's inbox leaves a push to this path unanswered; a caller that moves the clock must not wait for it. */
    leaveUnanswered: (path: string) => sender.leaveUnanswered(path, scheduler.shouldAbortWaiting()),
    abortWaiting: sender.abortWaiting,
    close: sender.close,
  };
}

interface DueAttempt {
  /** The world in which it began, even if another one has been loaded since. */
  world: World;
  id: number;
  cause: AttemptCause;
  claim?: Claim | undefined;
  /** Milliseconds since 1970 by the mock's clock; known in advance only with a manual clock. */
  at?: number | undefined;
  requestHeaders?: Record<string, string>;
  /** Milliseconds by performance.now(). */
  startedAt?: number;
}

function targetOf({ id, attempts, url, body }: Delivery): Target {
  return { push: id, attempt: attempts.length + 1, url, bytes: Buffer.byteLength(body) };
}

function settle(delivery: Editable<Delivery>, state: 'delivered' | 'given-up'): void {
  delivery.state = state;
  // V8 slows down objects with a deleted property.
  delivery.nextAttemptAt = undefined;
}

function withRefusal({ channel }: Delivery, reply: Reply): Attempt['outcome'] {
  if ('error' in reply) return reply;
  const refusal = robotRefusal(channel, reply.body);
  return refusal === undefined ? reply : { ...reply, refusal };
}
