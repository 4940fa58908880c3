import { parseExactly, writeJson } from '../core/parse-json.ts';
import type { Moment } from '../deployment/deployment-clock.ts';
import { readIsoDateTime } from './iso-date-time.ts';
import type { Push } from './push-receiver.ts';
import { headerOf } from './read-push.ts';

/** The Content-Type of a push as a profile would say it: case and blanks make no difference. */
export function contentTypeOf(push: Push): string {
  const type = headerOf(push, 'Content-Type') ?? '(none)';
  const parts = type.toLowerCase().split(';');
  return parts.map((part) => part.trim()).join('; ');
}

/** The UTC offset of an ISO 8601 date-time, as Z or with hours and minutes; undefined where it has none, or is no date-time. */
export function offsetOf(timestamp: string): string | undefined {
  return readIsoDateTime(timestamp)?.offset;
}

/** How the JSON is written, in the values of webhook.body-style. */
export function styleOf(text: string): string {
  if (text === writeJson(parseExactly(text))) return 'compact';
  if (/^\s*\{\s*\n/.test(text)) return 'pretty';
  if (/\\u[0-9a-f]{4}|\\\//i.test(text)) return 'escaped';
  return /": /.test(text) ? 'spaced' : 'another';
}

/** How far a timestamp may be from our clock, in milliseconds. */
const toleranceMs = 300_000;

type Unit = 'seconds' | 'milliseconds';

/** The unit in which a Unix timestamp is about that moment; undefined where it is in neither. */
export function unitOf(text: string, { from, to }: Moment): Unit | undefined {
  const isClose = (ms: number) => ms >= from - toleranceMs && ms <= to + toleranceMs;
  return readUnixTime(text).find(({ ms }) => isClose(ms))?.unit;
}

/** What a Unix timestamp may mean, in milliseconds since 1970; nothing where it is no number. */
export function readUnixTime(text: string): { unit: Unit; ms: number }[] {
  if (!/^\d+(?:[.,]\d+)?$/.test(text)) return [];
  const value = Number(text.replace(',', '.'));
  return [
    { unit: 'seconds', ms: value * 1_000 },
    { unit: 'milliseconds', ms: value },
  ];
}
