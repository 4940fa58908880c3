// Values of flags: durations, numbers, identifiers and names.
import { durationMs } from '../../contract-tests/core/duration.ts';
import { readInteger } from '../../contract-tests/core/parse-json.ts';
import { didYouMean } from '../../openapi/nearest.ts';
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

/** An identifier: a bigint where a number would round it. */
export function readId(given: Given, flag: string): number | bigint | undefined {
  const text = given.text(flag);
  if (text === undefined) return undefined;
  if (!/^\d+$/.test(text) || BigInt(text) > mostId)
    throw new UsageError(`--${flag} is "${text}"; expected a whole number from 0 to ${mostId}`);
  return readInteger(text);
}

const mostId = 2n ** 63n - 1n;

/** The whole number in a flag, from 0 to `most`; undefined when it is not given. Throws UsageError. */
export function readNumber(given: Given, flag: string, most: number): number | undefined {
  const text = given.text(flag);
  if (text === undefined) return undefined;
  if (!/^\d+$/.test(text) || Number(text) > most)
    throw new UsageError(`--${flag} is "${text}"; expected a whole number from 0 to ${most}`);
  return Number(text);
}

/** The names in a list flag, in any case. Throws UsageError for an unknown one; `otherwise` ends its message when no known name is near. */
export function readNames(
  given: Given,
  flag: string,
  { known, noun, otherwise }: { known: readonly string[]; noun: string; otherwise?: string },
): string[] {
  const inAnyCase = new Map(known.map((name) => [name.toLowerCase(), name]));
  const isKnown = (name: string) => known.includes(name);
  const names = given
    .list(flag)
    .map((name) => (isKnown(name) ? name : (inAnyCase.get(name.toLowerCase()) ?? name)));
  const unknown = names.find((name) => !isKnown(name));
  if (unknown === undefined) return names;
  const hint = didYouMean(unknown, known, otherwise ?? `; there are ${known.join(', ')}`);
  throw new UsageError(`--${flag}: there is no ${noun} "${unknown}"${hint}`);
}

/** "HOOK" of "HOOK-4". */
export function groupOf(id: string): string {
  return id.replace(/-\d+$/, '');
}

/** The groups of requirements, each once. */
export function groupsOf(ids: readonly string[]): string[] {
  return [...new Set(ids.map(groupOf))];
}

/** One of two words; the first where none is given. Throws UsageError. */
export function readChoice<Word extends string>(
  given: Given,
  name: string,
  [usual, other]: readonly [Word, Word],
): Word {
  const word = given.text(name) ?? usual;
  if (word === usual || word === other) return word as Word;
  throw new UsageError(`--${name} is "${word}"; expected ${usual} or ${other}`);
}
