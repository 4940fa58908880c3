import type { EventName } from '../../openapi/generated/types.ts';
import type { Json } from '../../openapi/json.ts';
import type { Mock } from '../service.ts';
import { eventData } from '../webhooks/event-values.ts';
import type { Delivery, Site } from '../world/entries.ts';

/** An event of a site, with its values by name. */
interface SiteEvent {
  event: EventName;
  values: Json;
}

/** Pushes an event to the subscriptions of the site that chose it. Returns the deliveries, which are sent after the current answer. */
export function emitEvent(
  { profile, clock, dispatcher }: Pick<Mock, 'profile' | 'clock' | 'dispatcher'>,
  site: Site,
  { event, values }: SiteEvent,
): Delivery[] {
  return dispatcher.emit({ event, at: clock.now(), site, data: eventData(profile, event, values) });
}
