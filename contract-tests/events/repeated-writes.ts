// Writes and their repetitions: the same within the window, the same after it, and different ones.
import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { CallOptions } from '../calls/call.ts';
import { isRateLimited } from '../calls/expect-answer.ts';
import {
  callProfileOperation,
  callToEnd,
  canVary,
  gapOf,
  hasKeyHeader,
  uniqueText,
} from '../calls/profile-calls.ts';
import { type Context, oncePerRun } from '../context.ts';
import { type Exchange, succeeded } from '../core/exchange.ts';
import { NotVerified } from '../core/outcomes.ts';

/** The operations whose repetition returns the first result. */
export type IdempotentWrite = 'createSite' | 'publishSite' | 'importSite';

/** The value in which one call differs from another. */
const varying: Readonly<Record<IdempotentWrite, string>> = {
  createSite: 'name',
  publishSite: 'note',
  importSite: 'name',
};

/** The values of a write, and the idempotency header where the deployment recognizes repetitions by one. */
export type Write = { values: Record<string, unknown> } & Pick<CallOptions, 'headers'>;

interface Repetition {
  /** It succeeded. */
  first: Exchange;
  /** The same again at once, with any answer. */
  repeat: Exchange;
  /** A different one right after that; undefined where the profile states no way to make two calls differ. */
  other: Exchange | undefined;
}

/** A write and its repeat at once; each kind is sent once a run. */
export const repetitionOf = oncePerRun(repeatWrite);

/** Sends a write, repeats it, and sends a different one, all within ten seconds. */
async function repeatWrite(context: Context, id: IdempotentWrite): Promise<Repetition> {
  const one = newWrite(context);
  const first = await callToEnd(context, id, one);
  const repeat = await callProfileOperation(context, id, { ...one, mayBeReplayed: true });
  const other = isVaried(context, id) ? await differentWrite(context, id, one) : undefined;
  return { first, repeat, other };
}

/** Sends a write that differs from another in a single letter outside ASCII, or in everything where that one is refused. */
async function differentWrite(context: Context, id: IdempotentWrite, one: Write): Promise<Exchange> {
  const close = await callProfileOperation(context, id, closeWrite(context, id, one));
  const isConclusive = succeeded(close) || isRateLimited(context, close);
  return isConclusive ? close : callProfileOperation(context, id, newWrite(context));
}

/** The same source under another name, or another source where nothing else can differ. */
function closeWrite(context: Context, id: IdempotentWrite, { values }: Write): Write {
  const another = newWrite(context);
  const text = String(values.name).replace(/é/, 'É');
  const close = { ...values, name: text, note: text };
  return canVary(context, id, varying[id]) ? { ...another, values: close } : another;
}

/** The identifier of a site that the run has created. */
export async function newSite(context: Context): Promise<unknown> {
  const id = resultOf((await repetitionOf(context, 'createSite')).first);
  if (id !== undefined) return id;
  throw new NotVerified(
    `no identifier of the new site is known; state id in ${gapOf(context, 'createSite')}`,
  );
}

/** Two imports with different sources under one name; undefined where the call has no source or no name. The second may be refused. */
export async function importSameSite(context: Context): Promise<Omit<Repetition, 'repeat'> | undefined> {
  const [one, another] = [newWrite(context), newWrite(context)];
  if (!canVary(context, 'importSite', 'name') || !canVary(context, 'importSite', 'source')) return undefined;
  const first = await callToEnd(context, 'importSite', one);
  const values = { ...another.values, name: one.values.name };
  return { first, other: await callProfileOperation(context, 'importSite', { ...another, values }) };
}

/** A new write; to repeat it, send it again unchanged. */
export function newWrite(context: Context): Write {
  const text = uniqueText(context, randomUUID().slice(0, 4));
  const values = { name: text, note: text, source: `https://example.com/import/${randomUUID()}` };
  return { values, ...(hasKeyHeader(context) && { headers: keyHeader(context) }) };
}

/** An idempotency header with a new key. */
export function keyHeader({ profile }: Context): Record<string, string> {
  return { [profile.values['idempotency.key-header']]: randomUUID() };
}

/** Whether two calls of a write can differ, by their values or by their key. */
export function isVaried(context: Context, id: IdempotentWrite): boolean {
  const names = id === 'importSite' ? ['name', 'source'] : [varying[id]];
  return hasKeyHeader(context) || names.some((name) => canVary(context, id, name));
}

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
  if (resultOf(one) !== undefined) return resultOf(one) === resultOf(other);
  return isDeepStrictEqual(dataOf(one), dataOf(other)) ? true : undefined;
}

/** Whether the answer to a later write has the result of the first one. Throws NotVerified where results can't be distinguished. */
export function isResultOf(context: Context, first: Exchange, again: Exchange): boolean {
  if (resultOf(first) !== undefined && resultOf(again) !== undefined)
    return resultOf(first) === resultOf(again);
  throw new NotVerified(
    `the profile does not say where the identifier of a result is; state its pointers in ${gapOf(context, first.operation)}`,
  );
}

function dataOf({ response }: Exchange): unknown {
  return (Object(response.json) as { data?: unknown }).data;
}
