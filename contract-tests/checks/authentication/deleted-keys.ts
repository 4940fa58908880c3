// A key that is used, deleted, and used again.
import { type CallOptions, callOnce } from '../../calls/call.ts';
import { requireOwn } from '../../calls/guard.ts';
import { untilAccepted, untilRefused } from '../../calls/look-again.ts';
import { changedThings } from '../../calls/own-things.ts';
import { callProfileOperation, callToEnd, ownToken } from '../../calls/profile-calls.ts';
import { inventToken } from '../../calls/user-session.ts';
import { type Context, once } from '../../context.ts';
import { describeAnswer, type Exchange, succeeded } from '../../core/exchange.ts';
import { NotVerified } from '../../core/outcomes.ts';
import { type Settled, settle } from '../../core/settled.ts';
import { endpoints } from '../../credentials/token-endpoints.ts';
import { requireCapacity } from '../../credentials/use-token.ts';
import { newWrite } from '../../events/repeated-writes.ts';
import { requireFirstSubscription } from '../../subscriptions/create-subscription.ts';
import { createdKey, newKey, useKey } from './created-keys.ts';

type Endpoint = (typeof endpoints)[number];

interface DeletedKey {
  token: string;
  /** The answers to its use after the deletion, by endpoint; where it was still accepted, those of a minute later. */
  uses: ReadonlyMap<string, Settled<Exchange>>;
  /** The answer to the use of another key. */
  other: Settled<Exchange>;
}

/** How long a check of a deletion may take: a deleted key may be taken for a minute on each endpoint. */
export const longestDeletionMs = 240_000;

/** Deletes a key; once a run, since its place may stay taken. */
export async function deleteUsedKey(context: Context): Promise<DeletedKey> {
  const { key: token, id } = await newKey(context, 'to delete');
  const accepted = new Map<string, Settled<void>>();
  for (const endpoint of endpoints)
    accepted.set(endpoint.name, await settle(() => requireAccepted(context, endpoint, token)));
  const before = await settle(async () => useKey(context, (await createdKey(context)).key));
  await deleteKey(context, id);
  const uses = new Map<string, Settled<Exchange>>();
  for (const { name, send } of endpoints) {
    const use = () => {
      accepted.get(name)?.value();
      return untilRefused(context, () => send(context, { token }));
    };
    uses.set(name, await settle(async () => use()));
  }
  return { token, uses, other: await settle(() => useBeside(context, before.value())) };
}

/** Operations that are not called with a deleted key: those that change or delete what a call names, end a session, or are looked at by themselves. */
const notTried: readonly string[] = [
  ...['login', 'refresh', 'createSubscription', 'testSubscription'],
  ...Object.keys(changedThings),
];

/**
 * Calls every other operation that takes a token with a deleted key, and returns the first call that is accepted a minute later. A call that accepts any
 * key says nothing of this one. Throws NotVerified where no operation could be called.
 */
export async function findAcceptedUse(context: Context): Promise<Exchange | undefined> {
  const { token, uses } = await once(context, deleteUsedKey);
  // Shows that the key was taken before, and its end elsewhere.
  for (const use of uses.values()) use.value();
  const { id: subscriptionID } = await requireFirstSubscription(context);
  let tried = 0;
  for (const { id, auth } of context.operations.values()) {
    if (auth === 'none' || auth === 'session' || notTried.includes(id)) continue;
    const values = { ...newWrite(context).values, subscriptionID };
    const send = (by: string) => callProfileOperation(context, id, { values, token: by });
    const first = await settle(() => send(token));
    if (first.error) continue;
    tried++;
    if (!succeeded(first.value()) || succeeded(await send(inventToken(token)))) continue;
    const last = await untilRefused(context, () => send(token));
    if (succeeded(last)) return last;
  }
  if (tried === 0) throw new NotVerified('the profile states no other operation that takes an API key');
  return undefined;
}

/** Deletes a key of the run, by the tenant's user or the owner of a token. It is noted first, since the answer may be lost. */
export async function deleteKey(
  context: Context,
  id: unknown,
  by: Pick<CallOptions, 'token'> = {},
): Promise<void> {
  const token = by.token ?? (await ownToken(context, 'deleteKey'));
  const key = { what: 'API key', id, site: undefined, tenant: 'main' } as const;
  await requireOwn(context, key, { token, send: callOnce });
  (await once(context, deletionsOf)).add(String(id));
  await callToEnd(context, 'deleteKey', { values: { keyID: id }, ...by });
}

/** The identifiers of the keys whose deletion was tried. */
export async function deletionsOf(): Promise<Set<string>> {
  return new Set();
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
  const exchange = await untilAccepted(context, () => send(context, { token }));
  if (!succeeded(exchange)) throw newKeyRefused(exchange);
}

function newKeyRefused(exchange: Exchange): NotVerified {
  return new NotVerified(`a new API key was refused (${describeAnswer(exchange)}); see AUTH-3`);
}
