// The steps of a delivery, and the mock's own. A fault puts others in their place.
import type { Profile } from '../../openapi/profile.ts';
import type { Attempt, Delivery, Subscription, World } from '../world/world.ts';
import { pushHeaders } from './push-headers.ts';
import type { Push } from './push-message.ts';
import { type RecordingContext, recordDelivery } from './record-delivery.ts';
import { nextRetryAt } from './retry-times.ts';
import type { Message } from './send.ts';

export interface DeliverySteps {
  /** The subscriptions that an event is pushed to. */
  recipientsOf(world: World, push: Push): Subscription[];
  /** Puts a push into the log of deliveries, with all that is fixed before its first attempt. */
  recordDelivery(context: RecordingContext, push: Push, subscription: Subscription): Delivery;
  /** What an attempt sends. */
  message(delivery: Delivery, now: number, profile: Profile): Message;
  /** Whether an attempt ends a delivery; otherwise it is tried again. */
  isDelivered(delivery: Delivery, attempt: Attempt, profile: Profile): boolean;
  /** When the next retry is due after the attempt that counts as made at `reckoned`; undefined where there are no more. */
  nextRetryAt(delivery: Delivery, reckoned: number, profile: Profile): number | undefined;
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

/** Those of the event's site that chose it. */
function recipientsOf({ subscriptions }: World, { site, event }: Push): Subscription[] {
  return [...subscriptions.values()].filter(
    ({ siteId, events }) => siteId === site.id && events.some((chosen) => chosen === event),
  );
}

function isDelivered(_delivery: Delivery, { outcome }: Attempt, profile: Profile): boolean {
  if ('error' in outcome || outcome.status < 200 || outcome.status > 299) return false;
  return outcome.refusal === undefined || profile.values['webhook.robot-refusal'] === 'delivered';
}
