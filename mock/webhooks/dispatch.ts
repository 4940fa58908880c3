// Pushes on their way: recorded in the world at once, sent soon after, every attempt logged.
import { setImmediate } from 'node:timers/promises';
import type { Service } from '../service.ts';
import type { Attempt, AttemptOutcome, Delivery, Subscription } from '../world.ts';
import type { Push } from './push.ts';
import { pushHeaders } from './push-headers.ts';
import { recordDelivery } from './record-delivery.ts';
import { createSender } from './send.ts';

export interface Dispatcher {
  /** Records a push and sends it, never before the answer that is being made; says whether it was delivered. */
  push(push: Push, subscription: Subscription): Promise<boolean>;
  /** Waits until nothing is under way. */
  drain(): Promise<void>;
  close(): Promise<void>;
}

type Core = Pick<Service, 'profile' | 'world' | 'clock'>;

export function createDispatcher(core: Core): Dispatcher {
  const sender = createSender();
  const underWay = new Set<Promise<unknown>>();

  async function deliver(delivery: Delivery): Promise<boolean> {
    await setImmediate();
    const { profile, clock } = core;
    const at = clock.now();
    const requestHeaders = pushHeaders(delivery, at, profile);
    const timeoutSeconds = profile.values['webhook.timeout'];
    const outcome = await sender.send({
      url: delivery.url,
      body: delivery.body,
      headers: requestHeaders,
      timeoutSeconds,
    });
    return logAttempt(delivery, { at, requestHeaders, outcome, durationMs: clock.now() - at });
  }

  async function track(delivering: Promise<boolean>): Promise<boolean> {
    underWay.add(delivering);
    try {
      return await delivering;
    } finally {
      underWay.delete(delivering);
    }
  }

  async function drain(): Promise<void> {
    while (underWay.size > 0) await Promise.all(underWay);
  }

  return {
    push: (push, subscription) => track(deliver(recordDelivery(core, push, subscription))),
    drain,
    async close() {
      await sender.close();
      await drain();
    },
  };
}

function logAttempt(delivery: Delivery, attempt: Attempt): boolean {
  const delivered = isSuccess(attempt.outcome);
  delivery.attempts.push(attempt);
  delivery.state = delivered ? 'delivered' : 'failed';
  return delivered;
}

function isSuccess(outcome: AttemptOutcome): boolean {
  return 'status' in outcome && outcome.status >= 200 && outcome.status < 300;
}
