// The API keys that a run creates, and their use.

import type { CallOptions } from '../../calls/call.ts';
import { expectSuccess } from '../../calls/expect-answer.ts';
import { untilAccepted } from '../../calls/look-again.ts';
import { callProfileOperation, canVary, gapOf, refusedCall, uniqueText } from '../../calls/profile-calls.ts';
import { inventToken } from '../../calls/user-session.ts';
import { type Context, once } from '../../context.ts';
import { areAlike, describeAnswer, type Exchange, succeeded } from '../../core/exchange.ts';
import { NotVerified, Unreachable } from '../../core/outcomes.ts';
import type { endpoints } from '../../credentials/token-endpoints.ts';
import { requireCapacity } from '../../credentials/use-token.ts';
import { requireFirstSubscription } from '../../subscriptions/create-subscription.ts';
import { sendWithToken } from '../../subscriptions/token-call.ts';

type Endpoint = (typeof endpoints)[number];

export interface CreatedKey {
  exchange: Exchange;
  key: string;
  id: unknown;
}

/** The key that most checks look at. */
export function createdKey(context: Context): Promise<CreatedKey> {
  return once(context, newKey, 'to look at');
}

/** A new key, or another one where the answer was lost. */
export async function newKey(context: Context, what: string): Promise<CreatedKey> {
  const create = () => untilAccepted(context, () => createKey(context, { what }));
  const exchange = await create().catch((error: unknown) => {
    if (error instanceof Unreachable) return create();
    throw error;
  });
  if (!succeeded(exchange)) throw refusedCall(context, exchange);
  return readKey(context, exchange);
}

/** Sends one more creation, by the tenant's user or by the owner of a token. */
export function createKey(
  context: Context,
  { what = 'key', ...by }: Pick<CallOptions, 'token' | 'tenant'> & { what?: string } = {},
): Promise<Exchange> {
  return callProfileOperation(context, 'createKey', { values: { name: uniqueText(context, what) }, ...by });
}

/** The key in the answer to its creation, or the gap that hides it. */
export function readKey(context: Context, exchange: Exchange): CreatedKey {
  const { key, id } = exchange.values;
  if (typeof key !== 'string')
    throw new NotVerified(
      `the answer has no key at the pointer in the profile; state key in ${gapOf(context, 'createKey')}`,
    );
  context.secrets.add('SITEPUB_NEW_API_KEY', key);
  requireNewKey(context, exchange);
  return { exchange, key, id };
}

/** Where creations can't differ, one may have the result of the one before. */
function requireNewKey(context: Context, exchange: Exchange): void {
  const isSame = (other: Exchange) =>
    other !== exchange && other.operation === 'createKey' && other.values.key === exchange.values.key;
  if (!context.exchanges.some(isSame)) return;
  const hint = canVary(context, 'createKey', 'name')
    ? ''
    : `; put "{name}" into the body of ${gapOf(context, 'createKey')}`;
  throw new NotVerified(`a creation returned the key of an earlier one${hint}`);
}

/** All keys that the run has created so far, where the profile says where answers have them. */
export function allCreatedKeys({ exchanges }: Context): CreatedKey[] {
  const creations = exchanges.filter(({ operation }) => operation === 'createKey').filter(succeeded);
  return creations.flatMap((exchange) => {
    const { key, id } = exchange.values;
    return typeof key === 'string' ? [{ exchange, key, id }] : [];
  });
}

/** Whether a key has the documented form. The use of a masked key proves nothing. */
export function isWholeKey(key: string): boolean {
  return /^sp_[^*…\s]{8,}$/.test(key);
}

/** A call that an API key must be accepted for (section 4): the creation of a subscription, or the test of one. */
export async function useKey(context: Context, key: string): Promise<Exchange> {
  await requireFirstSubscription(context);
  return untilAccepted(context, () => sendWithToken(context, { token: key, shouldPass: true }));
}

/** Throws PromiseBroken where an endpoint refuses a key. */
export async function requireKeyAccepted(
  context: Context,
  { what, send }: Endpoint,
  { key: token, which }: { key: string; which: string },
): Promise<void> {
  const exchange = await untilAccepted(context, () => send(context, { token }));
  await requireCapacity(context, exchange, token);
  if (!succeeded(exchange)) await requireRefusedAsKey(context, exchange, { send, key: token });
  const trial = { again: () => send(context, { token }), plain: () => send(context, {}) };
  expectSuccess(context, exchange, `${what} with ${which}`, trial);
}

/** A key may be one that is not for webhooks: then it gets another refusal than one that nobody has. */
async function requireRefusedAsKey(
  context: Context,
  refusal: Exchange,
  { send, key }: { send: Endpoint['send']; key: string },
): Promise<void> {
  const invented = await send(context, { token: inventToken(key) });
  if (succeeded(invented) || areAlike(refusal, invented)) return;
  throw new NotVerified(
    `the deployment knows the API key and refuses it (${describeAnswer(refusal)}), unlike an invented one; the key may not be for this call`,
  );
}
