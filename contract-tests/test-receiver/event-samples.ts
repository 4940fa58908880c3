// Realistic bodies for the seven events.
import type { EventName } from '../../openapi/generated/types.ts';
import { gapValue, type Profile } from '../../openapi/profile.ts';
import { fillTemplate } from '../../openapi/template.ts';

/** The body of a push on the custom channel (section 6.3). */
export interface EventBody {
  event: string;
  timestamp: string;
  site_id: number | bigint;
  site_name: string;
  data: Record<string, unknown>;
}

/** Used if the options state no site of the receiver. */
const sampleSite = { id: 101, name: 'Harbour Books' };

interface EventOptions {
  profile: Profile;
  site: { id?: number | bigint; name?: string };
}

/** An event of now. A different number makes a different event. */
export function eventOf(event: EventName, number: number, { profile, site }: EventOptions): EventBody {
  return {
    event,
    timestamp: timestampOf(Date.now(), profile.values['webhook.timestamp-offset']),
    site_id: site.id ?? sampleSite.id,
    site_name: site.name ?? sampleSite.name,
    data: dataOf(event, number, profile),
  };
}

/** ISO 8601 to the second, with an offset such as "+08:00". */
export function timestampOf(ms: number, offset: string): string {
  const [, sign = '+', hours = 0, minutes = 0] = /^([+-])(\d\d):(\d\d)$/.exec(offset) ?? [];
  const shift = (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -1 : 1);
  return `${new Date(ms + shift * 60_000).toISOString().slice(0, 19)}${offset}`;
}

/** The interface document shows only the data of `publish.complete`. The profile states the others. */
function dataOf(event: EventName, number: number, profile: Profile): Record<string, unknown> {
  if (event === 'publish.complete') return { message: 'Published 12 pages', pages: 12, version: number };
  const values = { id: number, ...samples };
  return fillTemplate(gapValue(profile, `event-data.${event}`), values) as Record<string, unknown>;
}

/** A value for every placeholder that `event-data` gaps have. */
const samples = {
  title: 'Opening hours in spring',
  form: 'contact',
  fields: { name: 'Ada Bell', message: 'Do you have atlases?' },
  author: 'Ben Reed',
  text: 'See you on Friday.',
  message: 'The template of page 7 has an error',
};
