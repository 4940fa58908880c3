import type { Moment } from '../deployment/deployment-clock.ts';

export const date = String.raw`(\d{4})-?(\d{2})-?(\d{2})`;

export const time = String.raw`(\d{2})(?::?(\d{2})(?::?(\d{2}))?)?(?:[.,]\d+)?`;

const utcOffset = String.raw`Z|[+-](?:[01]\d|2[0-3])(?::?[0-5]\d)?`;

/** With its separators or, in the basic format, without. */
const isoDateTime = new RegExp(`^${date}T${time}(${utcOffset})$`);

/** The UTC offset of an ISO 8601 date-time; undefined where there is none, or where it is no date-time. */
export function offsetOf(timestamp: string): string | undefined {
  const [, year, month, day, hour, minute = '00', second = '00', offset] = isoDateTime.exec(timestamp) ?? [];
  const seconds = second === '60' ? '59' : second;
  const isReal = !Number.isNaN(Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${seconds}Z`));
  return isReal ? offset : undefined;
}

/** How the JSON was written, by the names of webhook.body-style. */
export function styleOf(text: string, body: unknown): string {
  if (text === JSON.stringify(body)) return 'compact';
  if (/^\s*\{\s*\n/.test(text)) return 'pretty';
  if (/\\u[0-9a-f]{4}|\\\//i.test(text)) return 'escaped';
  return /": /.test(text) ? 'spaced' : 'another';
}

/** By how many milliseconds a timestamp may differ from our clock and still be now. */
const toleranceMs = 300_000;

/** The unit in which a text of digits is a moment, give or take a little; undefined where it is in neither. */
export function unitOf(text: string, { from, to }: Moment): 'seconds' | 'milliseconds' | undefined {
  if (!/^\d+$/.test(text)) return undefined;
  const isThen = (ms: number) => ms >= from - toleranceMs && ms <= to + toleranceMs;
  if (isThen(Number(text) * 1_000)) return 'seconds';
  return isThen(Number(text)) ? 'milliseconds' : undefined;
}
