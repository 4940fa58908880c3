// Tries generated cases one after the other, and shrinks the first one that breaks a promise.
import { type Arbitrary, asyncProperty, check } from 'fast-check';
import { type Context, once } from '../../context.ts';
import { type Exchange, envelopeOf, succeeded } from '../../core/exchange.ts';
import { PromiseBroken, WronglyRefused } from '../../core/outcomes.ts';
import { curlLine } from '../../deployment/curl.ts';
import { staysBehind } from '../../subscriptions/left-behind.ts';
import { deriveSeed, drawSeed } from './case-seed.ts';
import { casesOf } from './case-settings.ts';

/** Each kind gets an equal share of the cases; the first kinds get the remainder. */
export interface Cases<T> {
  kinds: readonly Arbitrary<T>[];
  /** The most cases, however many are asked for. */
  most?: number;
  /** The part of all cases that is enough; all of them by default. */
  part?: number;
  /** Throws PromiseBroken where the deployment breaks the promise, and anything else where it can't be told. */
  tryOne(one: T): Promise<void>;
}

/** Shrinking ends after this many smaller requests, or after a few where what they create by mistake stays. */
const mostShrinks = 200;
const fewShrinks = 4;

/** Tries the cases of a check. Throws what is wrong with the smallest one that fails. */
export async function tryCases<T>(
  context: Context,
  checkId: string,
  { kinds, tryOne, most = Number.POSITIVE_INFINITY, part = 1 }: Cases<T>,
): Promise<void> {
  const seed = await once(context, drawSeed);
  const asked = casesOf(context.options);
  const cases = Math.min(Math.ceil(asked * part), most);
  const before = context.exchanges.length;
  const shrinks = staysBehind(context) ? fewShrinks : mostShrinks;
  try {
    for (const [index, kind] of kinds.entries()) {
      const numRuns = Math.floor(cases / kinds.length) + (index < cases % kinds.length ? 1 : 0);
      const drawnFrom = { seed: deriveSeed(seed, `${checkId} ${index}`), numRuns, shrinks };
      if (numRuns > 0) await tryKind(kind, tryOne, drawnFrom);
    }
  } catch (error) {
    if (!(error instanceof PromiseBroken)) throw error;
    const again = `the smallest generated case that fails; run again with --seed ${seed} --cases ${asked}`;
    const actual = `${error.actual} (${again})`;
    throw error instanceof WronglyRefused
      ? new WronglyRefused(error.expected, error.refusal, error.trial, actual)
      : new PromiseBroken(error.expected, actual, error.exchange);
  } finally {
    noteServerErrors(context, checkId, context.exchanges.slice(before));
  }
}

/** An error that is no verdict ends all: nothing is shrunk for a deployment that is unreachable or full. */
async function tryKind<T>(
  kind: Arbitrary<T>,
  tryOne: (one: T) => Promise<void>,
  { shrinks: most, ...drawnFrom }: { seed: number; numRuns: number; shrinks: number },
): Promise<void> {
  let broken: PromiseBroken | undefined;
  let ended: { error: unknown } | undefined;
  let shrinks = 0;
  const holds = async (one: T) => {
    if (ended || (broken && ++shrinks > most)) return true;
    try {
      await tryOne(one);
      return true;
    } catch (error) {
      if (error instanceof PromiseBroken) broken = error;
      else ended = { error };
      return ended !== undefined;
    }
  };
  await check(asyncProperty(kind, holds), drawnFrom);
  if (broken) throw broken;
  if (ended) throw ended.error;
}

/** The document promises no statuses, so a status of 500 or more is noted only; one without an envelope breaks ENV-7. */
function noteServerErrors(context: Context, checkId: string, exchanges: readonly Exchange[]): void {
  const refusals = exchanges.filter(isServerError);
  const [first] = refusals;
  if (!first || isUsual(context, first)) return;
  const { secrets, options } = context;
  const line = curlLine(first.request, { secrets, connection: options.connection });
  context.notes.push(
    secrets.redact(
      `${checkId}: ${refusals.length} generated requests were answered with a status of 500 or more (HTTP ${first.response.status}): ${line}`,
    ),
  );
}

function isServerError(exchange: Exchange): boolean {
  const hasCode = typeof envelopeOf(exchange).code === 'number';
  return hasCode && exchange.response.status >= 500 && !succeeded(exchange);
}

/** Whether the profile states this status for refusals. */
function isUsual({ profile }: Context, { response }: Exchange): boolean {
  return JSON.stringify(profile.values['errors.http-status']).includes(String(response.status));
}
