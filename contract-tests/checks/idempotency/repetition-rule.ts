// What makes a call a repetition is a gap: a repeat that is taken for a new call breaks a promise only where the deployment itself shows
// that it recognizes repetitions as the profile says.
import { randomUUID } from 'node:crypto';
import { callProfileOperation, callToEnd, hasKeyHeader } from '../../calls/profile-calls.ts';
import { type Context, once } from '../../context.ts';
import { NotVerified } from '../../core/outcomes.ts';
import { settle } from '../../core/settled.ts';
import { type IdempotentWrite, newWrite, repetitionOf } from '../../events/repeated-writes.ts';
import { areDifferentResults, isSameResult, resultOf } from '../../events/write-results.ts';

const writes: readonly IdempotentWrite[] = ['createSite', 'publishSite', 'importSite'];

/** Throws NotVerified unless this operation or another one returned the first result of a call that was repeated in the same way. */
export async function requireShownRule(context: Context, id: IdempotentWrite): Promise<void> {
  for (const witness of [id, ...writes.filter((other) => other !== id)])
    if (isPossible(context, witness) && (await showsRule(context, witness))) return;
  await noteOtherRule(context, id);
}

function isPossible({ operations, siteId }: Context, id: IdempotentWrite): boolean {
  return operations.has(id) && (id !== 'publishSite' || siteId !== undefined);
}

/** Whether a repeat at once returned the first result, and a different call another one: a site without changes may have one version anyway. */
async function showsRule(context: Context, id: IdempotentWrite): Promise<boolean> {
  const made = await settle(() => repetitionOf(context, id));
  if (made.error) return false;
  const { first, repeat, other } = made.value();
  if (resultOf(first) === undefined || isSameResult(first, repeat) !== true) return false;
  return other ? areDifferentResults(first, other) : id !== 'publishSite';
}

/** Names of headers that deployments read a key from. */
const usualHeaders = [
  'Idempotency-Key',
  'X-Idempotency-Key',
  'Idempotent-Key',
  'X-Idempotent-Key',
  'Idempotency-Token',
  'X-Idempotency-Token',
];

/** Tries the usual headers, and throws NotVerified with what was found out. */
async function noteOtherRule(context: Context, id: IdempotentWrite): Promise<never> {
  const { profile, observations } = context;
  const isFound = await once(context, isRepeatedByKey, id);
  if (hasKeyHeader(context)) {
    const header = profile.values['idempotency.key-header'];
    observations.drifts('idempotency.key-header', `not ${header}`);
    throw new NotVerified(
      `the deployment treated a call repeated with the same ${header} as a new one, and no operation shows what a repetition is; correct idempotency.repetition and idempotency.key-header${isFound ? ` (one of ${usualHeaders.join(', ')})` : ''}`,
    );
  }
  observations.drifts('idempotency.repetition', isFound ? 'key-header' : 'not identical-request');
  throw new NotVerified(
    isFound
      ? `the deployment distinguishes calls by a key in a header, one of ${usualHeaders.join(', ')}; state idempotency.repetition: key-header and idempotency.key-header in the profile`
      : 'the deployment treated a repeated call as a new one, and no operation shows what a repetition is (a gap); state idempotency.repetition (and idempotency.key-header) in the profile',
  );
}

/** Whether a repeat with the same key in all usual headers returns the first result; made with `once`, for it writes twice. */
async function isRepeatedByKey(context: Context, id: IdempotentWrite): Promise<boolean> {
  const key = randomUUID();
  const keyed = {
    ...newWrite(context),
    headers: Object.fromEntries(usualHeaders.map((name) => [name, key])),
  };
  const first = await settle(() => callToEnd(context, id, keyed));
  if (first.error) return false;
  const repeat = await settle(() => callProfileOperation(context, id, { ...keyed, mayBeReplayed: true }));
  return !repeat.error && isSameResult(first.value(), repeat.value()) === true;
}
