import { durationMs } from '../../contract-tests/core/duration.ts';
import type { Given } from './flags.ts';
import { UsageError } from './usage-error.ts';

/** Milliseconds of a duration such as "90s", "36m" or "1.5h"; a number alone is in seconds. `what` names it in the error. */
export function readDuration(what: string, text: string): number {
  const ms = durationMs(text);
  if (Number.isNaN(ms)) throw new UsageError(`${what} is "${text}"; expected a time such as 90s, 36m or 1h`);
  return ms;
}

/** The duration of a flag that can't be 0. */
export function readTimeout(given: Given, flag: string, usual: string): number {
  const ms = readDuration(`--${flag}`, given.text(flag) ?? usual);
  if (ms < 1) throw new UsageError(`--${flag} is 0; expected a time such as ${usual}`);
  return ms;
}

/** Milliseconds that one answer may take. */
export function readRequestTimeout(given: Given): number {
  return readTimeout(given, 'request-timeout', '30s');
}

/** A duration for the control API, given as one of ISO 8601 or as elsewhere. The mock itself says what is wrong with one of ISO 8601. */
export function readIsoDuration(text: string): string {
  if (/^p/i.test(text)) return text.toUpperCase();
  const ms = durationMs(text);
  if (!Number.isNaN(ms)) return `PT${(ms / 1000).toFixed(3)}S`;
  throw new UsageError(`"${text}" is no duration; expected one such as PT36M, or 36m`);
}
