import type { Moment } from '../deployment/deployment-clock.ts';

const date = String.raw`(\d{4})-?(\d{2})-?(\d{2})`;

const time = String.raw`(\d{2})(?::?(\d{2})(?::?(\d{2}))?)?(?:[.,]\d+)?`;

const utcOffset = String.raw`Z|[+-](?:[01]\d|2[0-3])(?::?[0-5]\d)?`;

/** With separators or, in the basic format, without. */
const isoDateTime = new RegExp(`^${date}T${time}(${utcOffset})$`);

/** The UTC offset of an ISO 8601 date-time, as the extended format writes it; undefined where it has none, or is no date-time. */
export function offsetOf(timestamp: string): string | undefined {
  const [, year, month, day, hour, minute = '00', second = '00', offset] = isoDateTime.exec(timestamp) ?? [];
  const seconds = second === '60' ? '59' : second;
  const isReal = !Number.isNaN(Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${seconds}Z`));
  return isReal
    ? offset?.replace(/^([+-]\d\d):?(\d\d)?$/, (_, hours, minutes = '00') => `${hours}:${minutes}`)
    : undefined;
}

/** How the JSON is written, in the values of webhook.body-style. */
export function styleOf(text: string, body: unknown): string {
  if (text === JSON.stringify(body)) return 'compact';
  if (/^\s*\{\s*\n/.test(text)) return 'pretty';
  if (/\\u[0-9a-f]{4}|\\\//i.test(text)) return 'escaped';
  return /": /.test(text) ? 'spaced' : 'another';
}

/** How far a timestamp may be from our clock, in milliseconds. */
const toleranceMs = 300_000;

/** The unit in which a text of digits is about that moment; undefined where it is in neither. */
export function unitOf(text: string, { from, to }: Moment): 'seconds' | 'milliseconds' | undefined {
  if (!/^\d+$/.test(text)) return undefined;
  const isClose = (ms: number) => ms >= from - toleranceMs && ms <= to + toleranceMs;
  if (isClose(Number(text) * 1_000)) return 'seconds';
  return isClose(Number(text)) ? 'milliseconds' : undefined;
}
