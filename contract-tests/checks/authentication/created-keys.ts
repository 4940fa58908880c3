// The API keys that a run creates, and their use.

import { expectSuccess } from '../../calls/expect-answer.ts';
import { callToEnd, gapOf, uniqueText } from '../../calls/profile-calls.ts';
import { inventToken } from '../../calls/user-session.ts';
import { type Context, once } from '../../context.ts';
import { describeAnswer, type Exchange, succeeded } from '../../core/exchange.ts';
import { NotVerified } from '../../core/outcomes.ts';
import { type Settled, settle } from '../../core/settled.ts';
import { endpoints } from '../../credentials/token-endpoints.ts';
import { requireCapacity } from '../../credentials/use-token.ts';
import { requireFirstSubscription } from '../../subscriptions/create-subscription.ts';
import { sendCreation } from '../../subscriptions/subscription-calls.ts';

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

async function newKey(context: Context, what: string): Promise<CreatedKey> {
  const name = uniqueText(context, what);
  return readKey(context, await callToEnd(context, 'createKey', { values: { name } }));
}

/** The key in the answer to its creation, or the gap that hides it. */
export function readKey(context: Context, exchange: Exchange): CreatedKey {
  const { key, id } = exchange.values;
  if (typeof key !== 'string')
    throw new NotVerified(`no key is where the profile says; state key in ${gapOf(context, 'createKey')}`);
  context.secrets.add('SITEPUB_NEW_API_KEY', key);
  return { exchange, key, id };
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

/** A call that an API key must be accepted for (section 4): the creation of a subscription. */
export async function useKey(context: Context, key: string): Promise<Exchange> {
  await requireFirstSubscription(context);
  return (await sendCreation(context, {}, { token: key })).exchange;
}

/** Throws PromiseBroken where an endpoint refuses a key. */
export async function requireKeyAccepted(
  context: Context,
  { what, send }: Endpoint,
  { key: token, which }: { key: string; which: string },
): Promise<void> {
  const exchange = await send(context, { token });
  await requireCapacity(context, exchange, token);
  expectSuccess(context, exchange, `${what} with ${which}`);
}

interface DeletedKey {
  /** The answers to its use after the deletion, by endpoint. */
  uses: ReadonlyMap<string, Settled<Exchange>>;
  /** The answer to the use of another key. */
  other: Settled<Exchange>;
}

/** A key that is used, deleted, and used again; once a run, since its place may stay taken. */
export async function deleteKey(context: Context): Promise<DeletedKey> {
  const { key: token, id } = await newKey(context, 'to delete');
  const accepted = new Map<string, Settled<void>>();
  for (const endpoint of endpoints)
    accepted.set(endpoint.name, await settle(() => requireAccepted(context, endpoint, token)));
  const before = await settle(async () => useKey(context, (await createdKey(context)).key));
  await callToEnd(context, 'deleteKey', { values: { keyID: id } });
  const uses = new Map<string, Settled<Exchange>>();
  for (const { name, send } of endpoints) {
    const use = async () => {
      accepted.get(name)?.value();
      return send(context, { token });
    };
    uses.set(name, await settle(use));
  }
  return { uses, other: await settle(() => useBeside(context, before.value())) };
}

async function useBeside(context: Context, before: Exchange): Promise<Exchange> {
  if (!succeeded(before)) throw newKeyRefused(before);
  const { key } = await createdKey(context);
  const exchange = await useKey(context, key);
  await requireCapacity(context, exchange, key);
  return exchange;
}

/** Throws NotVerified where an endpoint accepts any key, or refuses this one. */
async function requireAccepted(context: Context, { what, send }: Endpoint, token: string): Promise<void> {
  if (succeeded(await send(context, { token: inventToken(token) })))
    throw new NotVerified(`${what} accepts any API key; see AUTH-4`);
  const exchange = await send(context, { token });
  if (!succeeded(exchange)) throw newKeyRefused(exchange);
}

function newKeyRefused(exchange: Exchange): NotVerified {
  return new NotVerified(`a new API key was refused (${describeAnswer(exchange)}); see AUTH-3`);
}

/** Whether an answer shows a key: whole, or in pieces that follow one another. The secret part alone is as good as the key. */
export function shows({ response }: Exchange, key: string): boolean {
  const secret = key.replace(/^sp_/, '');
  const escaped = JSON.stringify(secret).slice(1, -1);
  return (
    [secret, escaped].some((text) => response.text.includes(text)) ||
    textsIn(response.json).join('').includes(secret)
  );
}

/** The texts of a JSON value, in document order. */
function textsIn(node: unknown): string[] {
  if (typeof node === 'string') return [node];
  if (typeof node !== 'object' || node === null) return [];
  return Object.values(node).flatMap(textsIn);
}
