import type { Subscription, World } from '../world.ts';
import type { Push } from './push.ts';

/** The subscriptions that an event is pushed to: those of its site that chose it. */
export function recipientsOf({ subscriptions }: World, { site, event }: Push): Subscription[] {
  return [...subscriptions.values()].filter(
    ({ siteId, events }) => siteId === site.id && events.some((chosen) => chosen === event),
  );
}
