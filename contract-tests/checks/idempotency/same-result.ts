// Whether a repeated write returns the first result, and a different one another.

import { isRateLimited } from '../../calls/expect-answer.ts';
import { callProfileOperation, callToEnd, gapOf, refusedCall } from '../../calls/profile-calls.ts';
import type { Need } from '../../check.ts';
import type { Context } from '../../context.ts';
import { describeAnswer, type Exchange, succeeded } from '../../core/exchange.ts';
import { NotVerified, PromiseBroken } from '../../core/outcomes.ts';
import {
  type IdempotentWrite,
  isResultOf,
  isSameResult,
  keyHeader,
  newWrite,
  repetitionOf,
  resultOf,
} from '../../events/repeated-writes.ts';

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
export function needsOfMore(write: IdempotentKind, more: Need): readonly Need[] {
  return [...needsOf(write), more, ...(write.id === 'publishSite' ? (['disruptive'] as const) : [])];
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
}

/** Throws PromiseBroken where a repeat returns another result, or none. */
export async function requireSame(context: Context, { write, first, repeat, when }: Same): Promise<void> {
  if (isRateLimited(context, repeat)) throw refusedCall(context, repeat);
  const isSame = isSameResult(first, repeat);
  if (isSame === undefined)
    throw new NotVerified(
      `the two answers differ, and the profile does not say what to compare; state its pointers in ${gapOf(context, write.id)}`,
    );
  const gap = 'idempotency.repetition';
  if (isSame) return context.observations.agrees(gap, 'as the profile says');
  await requireNotByKey(context, write);
  throw new PromiseBroken(
    `the first result of a ${write.what}, ${JSON.stringify(resultOf(first))}, when it is repeated ${when}`,
    describeAnswer(repeat),
    repeat,
  );
}

interface Other {
  first: Exchange;
  other: Exchange;
  expected: string;
  /** What it means that the result is that of the first write. */
  got: string;
}

/** Throws PromiseBroken where another write returns the result of the first one. */
export function requireOtherResult(context: Context, { first, other, expected, got }: Other): void {
  if (!succeeded(other)) throw refusedCall(context, other);
  if (!isResultOf(context, first, other)) return;
  const result = JSON.stringify(resultOf(other));
  throw new PromiseBroken(expected, `${got}, ${result}: ${describeAnswer(other)}`, other);
}

export function cannotDiffer(context: Context, id: IdempotentWrite): NotVerified {
  return new NotVerified(
    `two calls of ${gapOf(context, id)} can't be made to differ; put a placeholder into its body`,
  );
}

/** The document does not say what makes a call a repetition: a deployment may go by a key that the profile does not state. */
async function requireNotByKey(context: Context, { id }: IdempotentKind): Promise<void> {
  const { profile, observations } = context;
  const gap = 'idempotency.repetition';
  if (profile.values[gap] === 'key-header' || (await isSameAtOnce(context, id))) return;
  const keyed = { ...newWrite(context), headers: keyHeader(context) };
  const first = await callToEnd(context, id, keyed);
  const repeat = await callProfileOperation(context, id, { ...keyed, mayBeReplayed: true });
  if (isSameResult(first, repeat)) {
    observations.drifts(gap, 'key-header');
    throw new NotVerified(
      `calls are told apart by a key in a header; state ${gap}: key-header in the profile`,
    );
  }
  if (!profile.stated.has(gap))
    throw new NotVerified(
      `a repeated call was taken for a new one; what makes a call a repetition is a gap: state ${gap} (and idempotency.key-header) in the profile`,
    );
}

/** Where a plain repeat at once returns the first result, the deployment does not go by keys. */
async function isSameAtOnce(context: Context, id: IdempotentWrite): Promise<boolean> {
  const { first, repeat } = await repetitionOf(context, id);
  return isSameResult(first, repeat) === true;
}
