import { readInteger } from '../../contract-tests/core/parse-json.ts';
import type { Given } from './flags.ts';
import { UsageError } from './usage-error.ts';

/** The whole number in a flag, from 0 to `most`; undefined when it is not given. Throws UsageError. */
/** An identifier: a bigint where a number would round it. */
export function readId(given: Given, flag: string): number | bigint | undefined {
  const text = given.text(flag);
  if (text === undefined) return undefined;
  if (!/^\d+$/.test(text) || BigInt(text) > mostId)
    throw new UsageError(`--${flag} is "${text}"; expected a whole number from 0 to ${mostId}`);
  return readInteger(text);
}

const mostId = 2n ** 63n - 1n;

export function readNumber(given: Given, flag: string, most: number): number | undefined {
  const text = given.text(flag);
  if (text === undefined) return undefined;
  if (!/^\d+$/.test(text) || Number(text) > most)
    throw new UsageError(`--${flag} is "${text}"; expected a whole number from 0 to ${most}`);
  return Number(text);
}
