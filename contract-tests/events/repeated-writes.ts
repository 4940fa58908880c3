// Writes that are repeated: the same within the window, the same after it, and different ones.
import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { CallOptions } from '../calls/call.ts';
import { isRateLimited } from '../calls/expect-answer.ts';
import { callProfileOperation, callToEnd, canVary, gapOf, uniqueText } from '../calls/profile-calls.ts';
import { type Context, once } from '../context.ts';
import { type Exchange, succeeded } from '../core/exchange.ts';
import { NotVerified } from '../core/outcomes.ts';

/** The operations whose repetition gives the first result, and the value by which one call differs from another. */
export type IdempotentWrite = 'createSite' | 'publishSite' | 'importSite';

const varying: Readonly<Record<IdempotentWrite, string>> = {
  createSite: 'name',
  publishSite: 'note',
  importSite: 'name',
};

/** The values of a write, and the header that makes a repetition of it where the deployment goes by one. */
export type Write = { values: Record<string, unknown> } & Pick<CallOptions, 'headers'>;

export interface Repetition {
  /** It has passed. */
  first: Exchange;
  /** The same again at once, whatever the answer. */
  repeat: Exchange;
  /** Another one right after that; undefined where the profile knows no way to make two calls differ. */
  other: Exchange | undefined;
}

/** Makes a write, repeats it, and makes a different one, all within ten seconds. */
export async function repeatWrite(context: Context, id: IdempotentWrite): Promise<Repetition> {
  const one = newWrite(context);
  const first = await callToEnd(context, id, one);
  const repeat = await callProfileOperation(context, id, { ...one, mayBeReplayed: true });
  const other = isVaried(context, id) ? await differentWrite(context, id, one) : undefined;
  return { first, repeat, other };
}

/** A write that differs from another one in a single letter that is not ASCII, or in all where such a one is refused. */
async function differentWrite(context: Context, id: IdempotentWrite, one: Write): Promise<Exchange> {
  const close = await callProfileOperation(context, id, closeWrite(context, id, one));
  const isTaken = succeeded(close) || isRateLimited(context, close);
  return isTaken ? close : callProfileOperation(context, id, newWrite(context));
}

/** The same source under another name, or another source where that is all that can differ. */
function closeWrite(context: Context, id: IdempotentWrite, { values }: Write): Write {
  const another = newWrite(context);
  const text = String(values.name).replace(/é/, 'É');
  const close = { ...values, name: text, note: text };
  return canVary(context, id, varying[id]) ? { ...another, values: close } : another;
}

/** The same for a site creation or an import, once a run. */
export function repeated(context: Context, id: 'createSite' | 'importSite'): Promise<Repetition> {
  return once(context, repeatWrite, id);
}

/** A site that the run has created. */
export async function newSite(context: Context): Promise<unknown> {
  const id = resultOf((await repeated(context, 'createSite')).first);
  if (id !== undefined) return id;
  throw new NotVerified(
    `no identifier of the new site is known; state id in ${gapOf(context, 'createSite')}`,
  );
}

/** Two imports that differ in their source only, where a call has one. The second may be refused: names may have to differ. */
export async function importSameSite(context: Context): Promise<Omit<Repetition, 'repeat'> | undefined> {
  const [one, another] = [newWrite(context), newWrite(context)];
  if (!canVary(context, 'importSite', 'name') || !canVary(context, 'importSite', 'source')) return undefined;
  const first = await callToEnd(context, 'importSite', one);
  const values = { ...another.values, name: one.values.name };
  return { first, other: await callProfileOperation(context, 'importSite', { ...another, values }) };
}

/** A write that nobody has made before; to be sent as it is each time that it is to be the same. */
export function newWrite(context: Context): Write {
  const text = uniqueText(context, randomUUID().slice(0, 4));
  const values = { name: text, note: text, source: `https://example.com/import/${randomUUID()}` };
  const isKeyed = context.profile.values['idempotency.repetition'] === 'key-header';
  return { values, ...(isKeyed && { headers: keyHeader(context) }) };
}

/** A header that makes a call a repetition of the one that bore the same, where the deployment goes by keys. */
export function keyHeader({ profile }: Context): Record<string, string> {
  return { [profile.values['idempotency.key-header']]: randomUUID() };
}

/** Whether two calls differ, by what they say or by their key. */
export function isVaried(context: Context, id: IdempotentWrite): boolean {
  const names = id === 'importSite' ? ['name', 'source'] : [varying[id]];
  const isKeyed = context.profile.values['idempotency.repetition'] === 'key-header';
  return isKeyed || names.some((name) => canVary(context, id, name));
}

/** What tells one result from another: the identifier or the version, where the profile says where they are. */
export function resultOf({ values }: Exchange): unknown {
  return values.id ?? values.version;
}

/** Whether the version that a publish gave can't be that of a new site: it counts, and has come further than such a one has. */
export function canTellSites(first: Exchange): boolean {
  const version = resultOf(first);
  return typeof version === 'number' && version > 5 && version < 1_000_000;
}

/** Whether an answer gives the same result as another; undefined where that can't be told. */
export function isSameResult(one: Exchange, other: Exchange): boolean | undefined {
  if (!succeeded(one) || !succeeded(other)) return false;
  if (resultOf(one) !== undefined) return resultOf(one) === resultOf(other);
  return isDeepStrictEqual(dataOf(one), dataOf(other)) ? true : undefined;
}

/** Whether an answer to another write gives the result of the first one. Throws NotVerified where results can't be told apart. */
export function isResultOf(context: Context, first: Exchange, again: Exchange): boolean {
  if (resultOf(first) !== undefined && resultOf(again) !== undefined)
    return resultOf(first) === resultOf(again);
  throw new NotVerified(
    `the profile does not say what tells two results apart; state its pointers in ${gapOf(context, first.operation)}`,
  );
}

function dataOf({ response }: Exchange): unknown {
  return (Object(response.json) as { data?: unknown }).data;
}
