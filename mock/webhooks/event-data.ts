import type { EventName } from '../../openapi/generated/types.ts';
import type { Json } from '../../openapi/json.ts';
import type { Profile } from '../../openapi/profile.ts';
import { fillTemplate } from '../../openapi/template.ts';

/** The `data` of an event. That of `publish.complete` is documented; the profile defines the others. */
export function eventData(profile: Profile, event: EventName, values: Json): Json {
  if (event === 'publish.complete') return values;
  return fillTemplate(profile.values[`event-data.${event}`], values) as Json;
}
