// The tenant's API keys, created until the quota is used up.
import { isRateLimited } from '../../calls/expect-answer.ts';
import { untilAccepted } from '../../calls/look-again.ts';
import { callToEnd, refusedCall } from '../../calls/profile-calls.ts';
import { otherSession } from '../../calls/user-session.ts';
import { type Context, once } from '../../context.ts';
import { type Exchange, succeeded } from '../../core/exchange.ts';
import { NotVerified, type RefusalTrial, Unreachable } from '../../core/outcomes.ts';
import { countKeys, type KeyCount, lagMs, listBefore, othersCreations } from './counted-keys.ts';
import { allCreatedKeys, type CreatedKey, createKey, readKey, useKey } from './created-keys.ts';
import { deleteKey, deletionsOf } from './deleted-keys.ts';

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
    await callToEnd(context, 'deleteKey', { values: { keyID: exchange.values.id }, token, tenant: 'other' });
  return exchange;
}

/** Deletes the last of the keys that filled the quota, and creates another in its place. */
export async function replaceKey(context: Context): Promise<Exchange> {
  const { refusal } = await once(context, fillQuota);
  if (!refusal) throw new NotVerified('no creation was refused because of the number of keys; see KEY-2');
  await deleteLastKey(context);
  return untilAccepted(context, () => createKey(context));
}

/** Deletes the newest key of the run that remains. */
async function deleteLastKey(context: Context): Promise<void> {
  const deleted = await once(context, deletionsOf);
  const others = await once(context, othersCreations);
  const isLeft = ({ id, exchange }: CreatedKey) => !deleted.has(String(id)) && !others.has(exchange);
  const last = allCreatedKeys(context).findLast(isLeft);
  if (!last) throw new NotVerified('the run has no API key left to delete');
  await deleteKey(context, last.id);
}

/** How a creation is tried that was refused for the number of keys: with one key less it passes. The place is filled again. */
export function quotaTrial(context: Context, again: (context: Context) => Promise<Exchange>): RefusalTrial {
  const withRoom = async () => {
    await deleteLastKey(context);
    await context.clock.pass(lagMs, 'the API key quota to have room after a deletion');
    const exchange = await again(context);
    if (again !== createKey) await createKey(context);
    return exchange;
  };
  return {
    again: () => again(context),
    ...(context.operations.has('deleteKey') && { plain: withRoom }),
    spoiledBy: 'operation:delete-key',
  };
}

/** Whether any key was created: where every creation is refused, the refusals prove nothing about the quota. */
export function hasCreatedKeys({ exchanges }: Context): boolean {
  return exchanges.some((exchange) => exchange.operation === 'createKey' && succeeded(exchange));
}
