// The results of writes, and whether two of them are the same.
import { isDeepStrictEqual } from 'node:util';
import type { Json } from '../../openapi/json.ts';
import { gapOf } from '../calls/profile-calls.ts';
import type { Context } from '../context.ts';
import { type Exchange, succeeded } from '../core/exchange.ts';
import { NotVerified } from '../core/outcomes.ts';
import { parseExactly, writeJson } from '../core/parse-json.ts';

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
    `the profile does not state where answers contain the identifier of a result; state its pointers in ${gapOf(context, first.operation)}`,
  );
}

/**
 * A member of the first result that its repeat lacks, or has another text in place of what was sent; undefined where there is none. The state of a
 * result may have changed since, so nothing else is compared, unless nothing but the identifier is left.
 */
export function lackOf(first: Exchange, repeat: Exchange): string | undefined {
  const [one, other] = [Object(dataOf(first)), Object(dataOf(repeat))] as [Json, Json];
  const isResult = (value: unknown) => String(value) === String(resultOf(first));
  const members = Object.keys(one).filter((name) => one[name] !== null && !isResult(one[name]));
  if (members.length > 0 && members.every((name) => other[name] === undefined)) return members[0];
  const isSent = (value: unknown) =>
    typeof value === 'string' && value.length > 3 && (first.request.body ?? '').includes(writeJson(value));
  return members.find((name) => isSent(one[name]) && one[name] !== other[name]);
}

function dataOf({ response }: Exchange): unknown {
  return (Object(parseExactly(response.text)) as { data?: unknown }).data;
}
