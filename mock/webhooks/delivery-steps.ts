// The steps of a delivery, and their defaults, which a fault may replace.
import type { Profile } from '../../openapi/profile.ts';
import type { Attempt, Delivery, Subscription } from '../world/entries.ts';
import type { World } from '../world/world.ts';
import { pushHeaders } from './push-headers.ts';
import type { PushMessage } from './push-message.ts';
import { type RecordingContext, recordDelivery } from './record-delivery.ts';
import { nextRetryAt } from './retry-times.ts';
import type { Message } from './send.ts';

export interface DeliverySteps {
  /** The subscriptions that an event is pushed to. */
  recipientsOf(world: World, push: PushMessage): Subscription[];
  /** Adds a push to the log of deliveries, with everything that is fixed before its first attempt. */
  recordDelivery(context: RecordingContext, push: PushMessage, subscription: Subscription): Delivery;
  message(delivery: Delivery, now: number, profile: Profile): Message;
  /** Whether an attempt succeeded; otherwise the push is retried. */
  isDelivered(delivery: Delivery, attempt: Attempt, profile: Profile): boolean;
  /** When the next retry is due after the attempt that counts as made at `attemptedAt`; undefined after the last one. */
  nextRetryAt(delivery: Delivery, attemptedAt: number, profile: Profile): number | undefined;
}

export const defaultDeliverySteps: DeliverySteps = {
  recipientsOf,
  recordDelivery,
  message: (delivery, now, profile) => ({
    headers: pushHeaders(delivery, now, profile),
    body: delivery.body,
  }),
  isDelivered,
  nextRetryAt,
};

/** The subscriptions of the event's site that chose it. */
function recipientsOf({ subscriptions }: World, { site, event }: PushMessage): Subscription[] {
  const found: Subscription[] = [];
  for (const subscription of subscriptions.of(site.id).values())
    if (subscription.events.some((chosen) => chosen === event)) found.push(subscription);
  return found;
}

function isDelivered(_delivery: Delivery, { outcome }: Attempt, profile: Profile): boolean {
  if ('error' in outcome || outcome.status < 200 || outcome.status > 299) return false;
  return outcome.refusal === undefined || profile.values['webhook.robot-refusal'] === 'delivered';
}
