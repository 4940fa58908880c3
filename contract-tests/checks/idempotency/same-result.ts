// Whether a repeated write returns the first result, and a different one another.

import { callOnce } from '../../calls/call.ts';
import { isRateLimited } from '../../calls/expect-answer.ts';
import { requireNotOfOthers } from '../../calls/guard.ts';
import { gapOf, hasKeyHeader, ownToken, refusedCall } from '../../calls/profile-calls.ts';
import type { Need } from '../../check.ts';
import type { Context } from '../../context.ts';
import { shortestWindowMs } from '../../core/documented-limits.ts';
import { describeAnswer, type Exchange, succeeded } from '../../core/exchange.ts';
import { NotVerified, PromiseBroken, type RefusalTrial, WronglyRefused } from '../../core/outcomes.ts';
import { writeJson } from '../../core/parse-json.ts';
import { hasVariedValues, type IdempotentWrite, type SecondWrite } from '../../events/repeated-writes.ts';
import { isResultOf, isSameResult, lackOf, resultOf } from '../../events/write-results.ts';
import { requireShownRule } from './repetition-rule.ts';

export interface IdempotentKind {
  id: IdempotentWrite;
  requirement: string;
  operation: Need;
  what: string;
}

/** The writes that section 8 names, and what is promised of their repetition. */
export const repeatedKinds: readonly IdempotentKind[] = [
  { id: 'createSite', requirement: 'IDEM-1', operation: 'operation:create-site', what: 'site creation' },
  { id: 'publishSite', requirement: 'IDEM-2', operation: 'operation:publish-site', what: 'publish' },
  { id: 'importSite', requirement: 'IDEM-3', operation: 'operation:import-site', what: 'import' },
];

/** For checks that need more publishes: a safe run uses only a few of the ten a minute. */
export function needsOfMore(write: IdempotentKind, ...more: readonly Need[]): readonly Need[] {
  return [...needsOf(write), ...more, ...(write.id === 'publishSite' ? (['disruptive'] as const) : [])];
}

/** Part of the ids of the checks. */
export function nameOf({ what }: IdempotentKind): string {
  return what.replace(' ', '-');
}

export function needsOf({ operation, id }: IdempotentKind): readonly Need[] {
  return id === 'publishSite' ? ['account', 'site', 'creates', operation] : ['account', 'creates', operation];
}

interface Same {
  write: IdempotentKind;
  first: Exchange;
  repeat: Exchange;
  /** Completes "… when it is repeated …". */
  when: string;
  /** Makes a new write of the kind and repeats it in the same way, or sends another one in place of the repeat. Returns the answer to that. */
  tryAgain(second: SecondWrite): Promise<Exchange>;
}

/** Throws PromiseBroken where a repeat returns another result, or none. */
export async function requireSame(
  context: Context,
  { write, first, repeat, when, tryAgain }: Same,
): Promise<void> {
  if (isRateLimited(context, repeat)) throw refusedCall(context, repeat);
  await requireOwnResultOf(context, first);
  const isSame = isSameResult(first, repeat);
  if (isSame === undefined)
    throw new NotVerified(
      `the two answers differ, and the profile does not state what to compare; state the pointers in ${gapOf(context, write.id)}`,
    );
  const lacking = isSame ? lackOf(first, repeat) : undefined;
  if (isSame && lacking === undefined)
    return context.observations.agrees('idempotency.repetition', 'as the profile says');
  requireInTime(first, repeat);
  requireOwnResult(context, first);
  await requireShownRule(context, write.id);
  const expected =
    lacking === undefined
      ? `the first result, ${writeJson(resultOf(first))}, when the same ${write.what} is repeated ${when}`
      : `the complete first result, including "${lacking}", when the same ${write.what} is repeated ${when}: ${describeAnswer(first)}`;
  if (succeeded(repeat)) throw new PromiseBroken(expected, describeAnswer(repeat), repeat);
  throw new WronglyRefused(expected, repeat, trialOf(write.id, when, tryAgain));
}

/** A limit refuses another write in place of the repeat as well. Publishes are few, and a deployment may make one after the other: another one at once proves nothing. */
function trialOf(id: IdempotentWrite, when: string, tryAgain: Same['tryAgain']): RefusalTrial {
  const again = () => tryAgain('same');
  const plain = () => tryAgain('other');
  if (id !== 'publishSite') return { again, plain };
  return { again, plain: when.startsWith('immediately') ? null : plain, looks: 2 };
}

/** Throws NotVerified where the result is that of something else than what was created: the profile says wrongly where it is, and results show nothing. */
export async function requireOwnResultOf(context: Context, { operation, values }: Exchange): Promise<void> {
  if (operation === 'publishSite' || values.id === undefined) return;
  const site = { what: 'site', id: values.id, site: undefined, tenant: 'main' } as const;
  await requireNotOfOthers(context, site, { token: await ownToken(context, operation), send: callOnce });
}

/** The window may last ten seconds only, and count from the first request. */
export function requireInTime(first: Exchange, repeat: Exchange): void {
  if (repeat.answeredAt - first.at >= shortestWindowMs)
    throw new NotVerified(
      `the calls took ${Math.round((repeat.answeredAt - first.at) / 1_000)} s, longer than the longest idempotency window`,
    );
}

/** Where the first call had the result of another one already, it began no window of its own; see IDEM-5. */
function requireOwnResult({ exchanges }: Context, first: Exchange): void {
  const isOwn = ({ operation, at, request }: Exchange) =>
    operation !== first.operation || at >= first.at || request.body === first.request.body;
  if (exchanges.some((exchange) => !isOwn(exchange) && isSameResult(first, exchange)))
    throw new NotVerified('the first call returned the result of an earlier one, so a repeat proves nothing');
}

interface Other {
  first: Exchange;
  other: Exchange;
  expected: string;
  /** What it means that the result is that of the first write. */
  got: string;
}

/** Throws PromiseBroken where another write returns the result of the first one. */
export async function requireOtherResult(
  context: Context,
  { first, other, expected, got }: Other,
): Promise<void> {
  if (!succeeded(other)) throw refusedCall(context, other);
  await requireOwnResultOf(context, first);
  if (!isResultOf(context, first, other)) return;
  const result = writeJson(resultOf(other));
  throw new PromiseBroken(expected, `${got}, ${result}: ${describeAnswer(other)}`, other);
}

export function cannotDiffer(context: Context, id: IdempotentWrite): NotVerified {
  return new NotVerified(`two calls of ${gapOf(context, id)} cannot differ; put a placeholder into its body`);
}

/** Where calls differ by their keys alone, a deployment that compares the calls takes them for the same. */
export function requireNotByRequest(context: Context, id: IdempotentWrite): void {
  if (!hasKeyHeader(context) || hasVariedValues(context, id)) return;
  context.observations.drifts('idempotency.repetition', 'identical-request');
  throw new NotVerified(
    `calls with different keys and the same values return one result; correct idempotency.repetition, or put a placeholder into the body of ${gapOf(context, id)}`,
  );
}
