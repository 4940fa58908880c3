// The results of writes, and whether two of them are the same.
import { isDeepStrictEqual } from 'node:util';
import { gapOf } from '../calls/profile-calls.ts';
import type { Context } from '../context.ts';
import { type Exchange, succeeded } from '../core/exchange.ts';
import { NotVerified } from '../core/outcomes.ts';
import { parseExactly } from '../core/parse-json.ts';

/** The identifier or version of a result; undefined where the profile does not say where it is. */
export function resultOf({ values }: Exchange): unknown {
  return values.id ?? values.version;
}

/** Whether the version of a publish can't be that of a new site: it is a counter, and beyond the first few. */
export function canTellSites(first: Exchange): boolean {
  const version = resultOf(first);
  return typeof version === 'number' && version > 5 && version < 1_000_000;
}

/** Whether two answers have the same result; undefined where that can't be decided. */
export function isSameResult(one: Exchange, other: Exchange): boolean | undefined {
  if (!succeeded(one) || !succeeded(other)) return false;
  if (resultOf(one) !== undefined) return String(resultOf(one)) === String(resultOf(other));
  return isDeepStrictEqual(dataOf(one), dataOf(other)) ? true : undefined;
}

/** Whether two answers name results, and different ones. */
export function areDifferentResults(one: Exchange, other: Exchange): boolean {
  const known = [one, other].every((exchange) => succeeded(exchange) && resultOf(exchange) !== undefined);
  return known && String(resultOf(one)) !== String(resultOf(other));
}

/** Whether the answer to a later write has the result of the first one. Throws NotVerified where results can't be distinguished. */
export function isResultOf(context: Context, first: Exchange, again: Exchange): boolean {
  if (resultOf(first) !== undefined && resultOf(again) !== undefined)
    return String(resultOf(first)) === String(resultOf(again));
  throw new NotVerified(
    `the profile does not say where the identifier of a result is; state its pointers in ${gapOf(context, first.operation)}`,
  );
}

function dataOf({ response }: Exchange): unknown {
  return (Object(parseExactly(response.text)) as { data?: unknown }).data;
}
