import type { Given } from './flags.ts';
import { UsageError } from './usage-error.ts';

/** The whole number in a flag, from 0 to `most`; undefined when it is not given. Throws UsageError. */
export function readNumber(given: Given, flag: string, most: number): number | undefined {
  const text = given.text(flag);
  if (text === undefined) return undefined;
  if (!/^\d+$/.test(text) || Number(text) > most)
    throw new UsageError(`--${flag} is "${text}"; expected a whole number from 0 to ${most}`);
  return Number(text);
}
