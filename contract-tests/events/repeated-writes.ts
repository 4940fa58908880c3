// Writes and their repetitions: the same within the window, the same after it, and different ones.
import { randomUUID } from 'node:crypto';
import type { CallOptions } from '../calls/call.ts';
import { isRateLimited } from '../calls/expect-answer.ts';
import {
  callProfileOperation,
  callToEnd,
  canVary,
  gapOf,
  hasKeyHeader,
  refusedCall,
  uniqueText,
} from '../calls/profile-calls.ts';
import { type Context, oncePerRun } from '../context.ts';
import { pastIdempotencyWindowMs } from '../core/documented-limits.ts';
import { type Exchange, succeeded } from '../core/exchange.ts';
import { NotVerified, Unreachable } from '../core/outcomes.ts';
import { changeContent, changeContentIfNeeded, sendSpaced } from './spaced-publishes.ts';
import { resultOf } from './write-results.ts';

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
  made: Write;
  /** It succeeded. */
  first: Exchange;
  /** The same again at once, with any answer. */
  repeat: Exchange;
  /** A different one right after that; undefined where the profile states no way to make two calls differ. */
  other: Exchange | undefined;
}

/** A write and its repeat at once; each kind is sent once a run, and once more where an answer was lost. */
export const repetitionOf = oncePerRun(repeatOrRetry);

async function repeatOrRetry(context: Context, id: IdempotentWrite): Promise<Repetition> {
  try {
    return await repeatWrite(context, id);
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error;
    return repeatWrite(context, id);
  }
}

/** Sends a write, repeats it, and sends a different one, all within ten seconds where the deployment answers in time. */
async function repeatWrite(context: Context, id: IdempotentWrite): Promise<Repetition> {
  if (id === 'publishSite') await changeContent(context);
  const one = newWrite(context);
  const send = () => callProfileOperation(context, id, one);
  const first = id === 'publishSite' ? await sendSpaced(context, send) : await send();
  if (!succeeded(first)) throw refusedCall(context, first);
  const repeat = await callProfileOperation(context, id, { ...one, mayBeReplayed: true });
  const other = isVaried(context, id) ? await differentWrite(context, id, { one, first }) : undefined;
  return { made: one, first, repeat, other };
}

/** What follows a write: the same again, or another one. */
export type SecondWrite = 'same' | 'other';

/** Makes a new write and a second one at once; returns the answer to the second. Throws NotVerified where the first is refused. */
export async function writeTwice(
  context: Context,
  id: IdempotentWrite,
  { second, ...by }: { second: SecondWrite } & Pick<CallOptions, 'token' | 'tenant'>,
): Promise<Exchange> {
  if (id === 'publishSite') await changeContentIfNeeded(context);
  const made = { ...newWrite(context), ...by };
  const send = () => callProfileOperation(context, id, made);
  const first = id === 'publishSite' ? await sendSpaced(context, send) : await send();
  if (!succeeded(first)) throw refusedCall(context, first);
  return second === 'same'
    ? callProfileOperation(context, id, { ...made, mayBeReplayed: true })
    : callProfileOperation(context, id, { ...newWrite(context), ...by });
}

type Publish = 'publishSite' | 'failPublish';

/** Waits, where there is time, until a publish in which nothing can differ is no repetition of the same one before this run. */
export async function awaitEarlierRuns(context: Context, publishes: readonly Publish[]): Promise<void> {
  const { clock, options } = context;
  const isAllowed = clock.isMoved || options.maxWaitMs >= pastIdempotencyWindowMs;
  if (!isAllowed || !publishes.some((id) => mayRepeatEarlierRun(context, id, clock.now()))) return;
  await clock.pass(pastIdempotencyWindowMs, 'the end of the idempotency window of an earlier run');
}

/** Whether a publish at a time may have been taken for a repetition of one that another run has sent. */
export function mayRepeatEarlierRun(context: Context, id: Publish, at: number): boolean {
  const startedAt = context.requests[0]?.at ?? at;
  const isVariable = hasKeyHeader(context) || canVary(context, id, 'note');
  return context.operations.has(id) && !isVariable && at - startedAt < pastIdempotencyWindowMs;
}

/** When a publish is sent again that was refused at once, in milliseconds after the first: another one is under way for a while. */
const laterMs = [6_000, 9_000];

/** Sends a write that differs from another in a single letter outside ASCII, or in everything where that one is refused. */
async function differentWrite(
  context: Context,
  id: IdempotentWrite,
  { one, first }: { one: Write; first: Exchange },
): Promise<Exchange> {
  const isConclusive = (exchange: Exchange) => succeeded(exchange) || isRateLimited(context, exchange);
  let other = await callProfileOperation(context, id, closeWrite(context, id, one));
  if (!isConclusive(other)) other = await callProfileOperation(context, id, newWrite(context));
  for (const ms of id === 'publishSite' ? laterMs : []) {
    if (isConclusive(other) || context.clock.now() > first.at + ms) continue;
    await context.clock.waitUntil(first.at + ms, 'the end of a publish that is under way');
    other = await callProfileOperation(context, id, newWrite(context));
  }
  return other;
}

/** A write that differs from another in a single letter: the same source under another name, or another source where nothing else can differ. */
export function closeWrite(context: Context, id: IdempotentWrite, { values }: Write): Write {
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
    `the identifier of the new site is unknown; state id in ${gapOf(context, 'createSite')}`,
  );
}

/** Two imports with different sources under one name; undefined where the call has no source or no name. The second may be refused. */
export async function importSameSite(
  context: Context,
): Promise<Pick<Repetition, 'first' | 'other'> | undefined> {
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
function keyHeader({ profile }: Context): Record<string, string> {
  return { [profile.values['idempotency.key-header']]: randomUUID() };
}

/** Whether two calls of a write can differ, by their values or by their key. */
export function isVaried(context: Context, id: IdempotentWrite): boolean {
  return hasKeyHeader(context) || hasVariedValues(context, id);
}

/** Whether two calls of a write can differ by their values. */
export function hasVariedValues(context: Context, id: IdempotentWrite): boolean {
  const names = id === 'importSite' ? ['name', 'source'] : [varying[id]];
  return names.some((name) => canVary(context, id, name));
}
