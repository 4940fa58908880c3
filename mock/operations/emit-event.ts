import type { EventName } from '../../openapi/generated/types.ts';
import type { Json } from '../../openapi/json.ts';
import type { OperationContext } from '../service.ts';
import { eventData } from '../webhooks/event-data.ts';
import type { Delivery, Site } from '../world/world.ts';

/** Something that happened on a site, with its values by name. */
export interface SiteEvent {
  event: EventName;
  values: Json;
}

/** Tells every subscription of the site that chose the event; gives the deliveries, which are sent after the answer that is being made. */
export function emitEvent(
  { profile, clock, dispatcher }: OperationContext,
  site: Site,
  { event, values }: SiteEvent,
): Delivery[] {
  return dispatcher.emit({ event, at: clock.now(), site, data: eventData(profile, event, values) });
}
