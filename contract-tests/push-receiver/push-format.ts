import { parseExactly, writeJson } from '../core/parse-json.ts';
import type { Moment } from '../deployment/deployment-clock.ts';
import { readIsoDateTime } from './iso-date-time.ts';
import type { Push } from './push-receiver.ts';
import { headerOf } from './read-push.ts';

/** The Content-Type in the form of a profile: lower case, one space after each semicolon. */
export function contentTypeOf(push: Push): string {
  const type = headerOf(push, 'Content-Type') ?? '(none)';
  const parts = type.toLowerCase().split(';');
  return parts.map((part) => part.trim()).join('; ');
}

export function offsetOf(timestamp: string): string | undefined {
  return readIsoDateTime(timestamp)?.offset;
}

/** The style of the JSON as a value of webhook.body-style. */
export function styleOf(text: string): string {
  if (text === writeJson(parseExactly(text))) return 'compact';
  if (/^\s*\{\s*\n/.test(text)) return 'pretty';
  if (/\\u[0-9a-f]{4}|\\\//i.test(text)) return 'escaped';
  return /": /.test(text) ? 'spaced' : 'another';
}

/** The allowed difference from the suite's clock, in milliseconds. */
const toleranceMs = 300_000;

type Unit = 'seconds' | 'milliseconds';

/** The unit in which a Unix timestamp is close to the moment, if any. */
export function unitOf(text: string, { from, to }: Moment): Unit | undefined {
  const isClose = (ms: number) => ms >= from - toleranceMs && ms <= to + toleranceMs;
  return readUnixTime(text).find(({ ms }) => isClose(ms))?.unit;
}

/** The possible meanings of a Unix timestamp, in milliseconds since 1970. Empty if it is not a number. */
export function readUnixTime(text: string): { unit: Unit; ms: number }[] {
  if (!/^\d+(?:[.,]\d+)?$/.test(text)) return [];
  const value = Number(text.replace(',', '.'));
  return [
    { unit: 'seconds', ms: value * 1_000 },
    { unit: 'milliseconds', ms: value },
  ];
}
