// The tenant's API keys, created until the quota is used up.
import { isRateLimited } from '../../calls/expect-answer.ts';
import { untilAccepted } from '../../calls/look-again.ts';
import { callToEnd, refusedCall } from '../../calls/profile-calls.ts';
import { otherSession } from '../../calls/user-session.ts';
import { type Context, once } from '../../context.ts';
import { type Exchange, succeeded } from '../../core/exchange.ts';
import { NotVerified, Unreachable } from '../../core/outcomes.ts';
import { countKeys, type KeyCount, listBefore, othersCreations } from './counted-keys.ts';
import { type CreatedKey, createKey, readKey, useKey } from './created-keys.ts';
import { deleteKey } from './deleted-keys.ts';

export const quota = 5;

export interface FilledQuota {
  made: CreatedKey[];
  /** Whether the first of them was accepted before a key was refused. */
  wasAccepted: boolean;
  /** The refusal of one more; undefined where more keys exist than there may be. */
  refusal: Exchange | undefined;
  /** The keys at that time. */
  count: KeyCount;
}

/** A lost answer leaves open whether there is a key more. */
const mostTries = 10;

/** Creates keys until one is refused, or until more exist than there may be. */
export async function fillQuota(context: Context): Promise<FilledQuota> {
  await once(context, listBefore);
  const made: CreatedKey[] = [];
  let wasAccepted = false;
  for (let tries = 0; tries < mostTries; tries++) {
    const exchange = await tryCreating(context);
    if (!exchange) continue;
    if (!succeeded(exchange))
      return { made, wasAccepted, refusal: exchange, count: await countKeys(context) };
    const created = readKey(context, exchange);
    made.push(created);
    if (made.length === 1) wasAccepted = succeeded(await useKey(context, created.key));
    if (made.length >= quota - 1 && (await countKeys(context)).sure > quota) break;
  }
  return { made, wasAccepted, refusal: undefined, count: await countKeys(context) };
}

/** A deleted key may keep its place for a moment. Returns undefined where the answer was lost. */
async function tryCreating(context: Context): Promise<Exchange | undefined> {
  try {
    const exchange = await untilAccepted(context, () => createKey(context));
    if (isRateLimited(context, exchange, 'key-quota')) throw refusedCall(context, exchange);
    return exchange;
  } catch (error) {
    if (error instanceof Unreachable) return undefined;
    throw error;
  }
}

/** A key of the other tenant; it is deleted at once. */
export async function createOthersKey(context: Context): Promise<Exchange> {
  const { token } = await otherSession(context);
  const foreign = await once(context, othersCreations);
  const exchange = await untilAccepted(context, () => createKey(context, { token, tenant: 'other' }));
  foreign.add(exchange);
  if (succeeded(exchange))
    await callToEnd(context, 'deleteKey', { values: { keyID: exchange.values.id }, token });
  return exchange;
}

/** Deletes the last of the keys that filled the quota, and creates another in its place. */
export async function replaceKey(context: Context): Promise<Exchange> {
  const { made, refusal } = await once(context, fillQuota);
  const last = made.at(-1);
  if (!refusal || !last) throw new NotVerified('no key was refused for the number of keys; see KEY-2');
  await deleteKey(context, last.id);
  return untilAccepted(context, () => createKey(context));
}

/** Whether any key was created: where every creation is refused, the refusals prove nothing about the quota. */
export function hasCreatedKeys({ exchanges }: Context): boolean {
  return exchanges.some((exchange) => exchange.operation === 'createKey' && succeeded(exchange));
}
