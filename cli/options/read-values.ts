import { durationMs } from '../../contract-tests/core/duration.ts';
import { readInteger } from '../../contract-tests/core/parse-json.ts';
import { requestTimeoutMs } from '../../contract-tests/core/suite-options.ts';
import { didYouMean } from '../../openapi/nearest.ts';
import type { Given } from './flags.ts';
import { UsageError } from './usage-error.ts';

/** Undefined if the flag is missing. Throws UsageError if `parse` returns undefined. */
export function readFlag<Value>(
  given: Given,
  flag: string,
  { expected, parse }: { expected: string; parse(text: string): Value | undefined },
): Value | undefined {
  const text = given.text(flag);
  if (text === undefined) return undefined;
  const value = parse(text);
  if (value === undefined) throw new UsageError(`--${flag} is "${text}"; expected ${expected}`);
  return value;
}

/** Milliseconds of "90s", "36m" or "1.5h"; without a unit, seconds. `least` is 1 if 0 is not allowed. */
export function readDuration(given: Given, flag: string, usualMs: number, least: 0 | 1 = 0): number {
  const expected = `a time${least > 0 ? ' above 0' : ''} such as 90s, 36m or 1h`;
  const parse = (text: string) => {
    const ms = durationMs(text);
    return ms >= least ? ms : undefined;
  };
  return readFlag(given, flag, { expected, parse }) ?? usualMs;
}

/** In milliseconds. */
export function readRequestTimeout(given: Given): number {
  return readDuration(given, 'request-timeout', requestTimeoutMs, 1);
}

/** ISO 8601, for the control API. The mock checks durations that are in ISO 8601 already. */
export function readIsoDuration(text: string): string {
  if (/^p/i.test(text)) return text.toUpperCase();
  const ms = durationMs(text);
  if (!Number.isNaN(ms)) return `PT${(ms / 1000).toFixed(3)}S`;
  throw new UsageError(`"${text}" is not a duration; expected for example PT36M or 36m`);
}

const mostId = 2n ** 63n - 1n;

/** A bigint if a number would round it. */
export function readId(given: Given, flag: string): number | bigint | undefined {
  return readFlag(given, flag, {
    expected: `a whole number from 0 to ${mostId}`,
    parse: (text) => (/^\d+$/.test(text) && BigInt(text) <= mostId ? readInteger(text) : undefined),
  });
}

export function readNumber(given: Given, flag: string, most: number): number | undefined {
  return readFlag(given, flag, {
    expected: `a whole number from 0 to ${most}`,
    parse: (text) => (/^\d+$/.test(text) && Number(text) <= most ? Number(text) : undefined),
  });
}

export function readSeed(given: Given): number | undefined {
  return readNumber(given, 'seed', 2 ** 32 - 1);
}

export function readChoice<Word extends string>(
  given: Given,
  flag: string,
  words: readonly Word[],
): Word | undefined {
  const expected = words.length === 2 ? words.join(' or ') : words.join(', ');
  return readFlag(given, flag, { expected, parse: (text) => words.find((word) => word === text) });
}

/** Compares names without case. Throws UsageError for an unknown name; `otherwise` ends the message if no known name is similar. */
export function readNames(
  given: Given,
  flag: string,
  { known, noun, otherwise }: { known: readonly string[]; noun: string; otherwise?: string },
): string[] {
  const inAnyCase = new Map(known.map((name) => [name.toLowerCase(), name]));
  return given.list(flag).map((name) => {
    const found = known.includes(name) ? name : inAnyCase.get(name.toLowerCase());
    if (found !== undefined) return found;
    const hint = didYouMean(name, known, otherwise ?? `; there are ${known.join(', ')}`);
    throw new UsageError(`--${flag}: there is no ${noun} "${name}"${hint}`);
  });
}

/** "HOOK" for "HOOK-4". */
export function groupOf(id: string): string {
  return id.replace(/-\d+$/, '');
}

export function groupsOf(ids: readonly string[]): string[] {
  return [...new Set(ids.map(groupOf))];
}
