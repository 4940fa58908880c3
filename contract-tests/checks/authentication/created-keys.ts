// API keys that a run makes, and what they are good for.

import { callToEnd, gapOf, uniqueText } from '../../calls/profile-calls.ts';
import { inventToken } from '../../calls/user-session.ts';
import { type Context, once, oncePerRun } from '../../context.ts';
import { describeAnswer, type Exchange, succeeded } from '../../core/exchange.ts';
import { NotVerified } from '../../core/outcomes.ts';
import { type Settled, settle } from '../../core/settled.ts';
import { endpoints } from '../../credentials/token-endpoints.ts';
import { requireCapacity } from '../../credentials/use-token.ts';
import { requireFirstSubscription } from '../../subscriptions/create-subscription.ts';
import { sendCreation } from '../../subscriptions/subscription-calls.ts';

export interface CreatedKey {
  exchange: Exchange;
  key: string;
  id: unknown;
}

/** A key that the checks of its form share. */
export function createdKey(context: Context): Promise<CreatedKey> {
  return once(context, newKey, 'to look at');
}

async function newKey(context: Context, what: string): Promise<CreatedKey> {
  return readKey(
    context,
    await callToEnd(context, 'createKey', { values: { name: uniqueText(context, what) } }),
  );
}

/** The key in the answer to its creation, or the gap that hides it. */
export function readKey(context: Context, exchange: Exchange): CreatedKey {
  const { key, id } = exchange.values;
  if (typeof key !== 'string')
    throw new NotVerified(`no key is where the profile says; state key in ${gapOf(context, 'createKey')}`);
  context.secrets.add('SITEPUB_NEW_API_KEY', key);
  return { exchange, key, id };
}

/** All keys that the run has made so far, where the profile says where they stand. */
export function allCreatedKeys({ exchanges }: Context): CreatedKey[] {
  return exchanges
    .filter((exchange) => exchange.operation === 'createKey' && succeeded(exchange))
    .flatMap((exchange) => {
      const { key, id } = exchange.values;
      return typeof key === 'string' ? [{ exchange, key, id }] : [];
    });
}

/** Whether a key is of the documented form: only that of a whole key says something of its use. */
export function isWholeKey(key: string): boolean {
  return /^sp_[^*…\s]{8,}$/.test(key);
}

/** A call that an API key must be good for (section 4): the creation of a subscription. */
export async function useKey(context: Context, key: string): Promise<Exchange> {
  await requireFirstSubscription(context);
  return (await sendCreation(context, {}, { token: key })).exchange;
}

interface DeletedKey {
  /** The answers to its use afterwards, by the endpoint. */
  uses: ReadonlyMap<string, Settled<Exchange>>;
  /** That to the use of a key beside it. */
  other: Settled<Exchange>;
}

/** A key that is used, deleted, and used again; once a run, for its place may stay taken. */
export const deletedKey = oncePerRun(deleteKey);

async function deleteKey(context: Context): Promise<DeletedKey> {
  const { key: token, id } = await newKey(context, 'to delete');
  const twins = new Map<string, Settled<void>>();
  for (const { name, what, send } of endpoints)
    twins.set(name, await settle(() => requireAccepted(context, { token, what, send })));
  const before = await settle(async () => useKey(context, (await createdKey(context)).key));
  await callToEnd(context, 'deleteKey', { values: { keyID: id } });
  const uses = new Map<string, Settled<Exchange>>();
  for (const { name, send } of endpoints)
    uses.set(
      name,
      await settle(() => {
        twins.get(name)?.value();
        return send(context, { token });
      }),
    );
  return { uses, other: await settle(() => useBeside(context, before.value())) };
}

async function useBeside(context: Context, before: Exchange): Promise<Exchange> {
  if (!succeeded(before))
    throw new NotVerified(`a new API key was refused (${describeAnswer(before)}); see AUTH-3`);
  const { key } = await createdKey(context);
  const exchange = await useKey(context, key);
  await requireCapacity(context, exchange, key);
  return exchange;
}

/** Throws NotVerified where an endpoint takes any key, or does not take this one. */
async function requireAccepted(
  context: Context,
  { token, what, send }: { token: string } & Pick<(typeof endpoints)[number], 'what' | 'send'>,
): Promise<void> {
  if (succeeded(await send(context, { token: inventToken(token) })))
    throw new NotVerified(`${what} takes any API key; see AUTH-4`);
  const exchange = await send(context, { token });
  if (!succeeded(exchange))
    throw new NotVerified(`a new API key was refused (${describeAnswer(exchange)}); see AUTH-3`);
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

/** The texts of a JSON value, in the order in which they stand. */
function textsIn(node: unknown): string[] {
  if (typeof node === 'string') return [node];
  if (typeof node !== 'object' || node === null) return [];
  return Object.values(node).flatMap(textsIn);
}
