// The tenant's API keys, created until the quota is used up.
import type { CallOptions } from '../../calls/call.ts';
import { isRateLimited } from '../../calls/expect-answer.ts';
import { readList } from '../../calls/pages.ts';
import { callProfileOperation, callToEnd, refusedCall, uniqueText } from '../../calls/profile-calls.ts';
import { otherSession } from '../../calls/user-session.ts';
import { type Context, once } from '../../context.ts';
import { type Exchange, succeeded } from '../../core/exchange.ts';
import { NotVerified } from '../../core/outcomes.ts';
import { type CreatedKey, readKey, useKey } from './created-keys.ts';

export const quota = 5;

export interface FilledQuota {
  made: (CreatedKey & { wasAccepted: boolean })[];
  /** How many keys existed before; undefined where the profile does not say how to list them. */
  before: number | undefined;
  refusal: Exchange | undefined;
}

/** Creates keys until one is refused, at most one more than the quota. */
export async function fillQuota(context: Context): Promise<FilledQuota> {
  const before = await countKeys(context);
  const made: FilledQuota['made'] = [];
  while (made.length <= quota) {
    const exchange = await createKey(context);
    if (isRateLimited(context, exchange, 'key-quota')) throw refusedCall(context, exchange);
    if (!succeeded(exchange)) return { made, before, refusal: exchange };
    const created = readKey(context, exchange);
    made.push({ ...created, wasAccepted: succeeded(await useKey(context, created.key)) });
    if ((before ?? 0) + made.length > quota) break;
  }
  return { made, before, refusal: undefined };
}

/** Sends one more creation, by the tenant's user or by the owner of a token. */
export function createKey(
  context: Context,
  by: Pick<CallOptions, 'token' | 'tenant'> = {},
): Promise<Exchange> {
  return callProfileOperation(context, 'createKey', { values: { name: uniqueText(context, 'key') }, ...by });
}

/** A key of the other tenant; it is deleted at once. */
export async function createOthersKey(context: Context): Promise<Exchange> {
  const { token } = await otherSession(context);
  const exchange = await createKey(context, { token, tenant: 'other' });
  if (succeeded(exchange))
    await callToEnd(context, 'deleteKey', { values: { keyID: exchange.values.id }, token });
  return exchange;
}

/** Deletes the last of the keys that filled the quota, and creates another in its place. */
export async function replaceKey(context: Context): Promise<Exchange> {
  const { made, refusal } = await once(context, fillQuota);
  const last = made.at(-1);
  if (!refusal || !last) throw new NotVerified('no key was refused for the number of keys; see KEY-2');
  await callToEnd(context, 'deleteKey', { values: { keyID: last.id } });
  return createKey(context);
}

/** Whether any key was created: where every creation is refused, the refusals prove nothing about the quota. */
export function hasCreatedKeys({ exchanges }: Context): boolean {
  return exchanges.some((exchange) => exchange.operation === 'createKey' && succeeded(exchange));
}

async function countKeys(context: Context): Promise<number | undefined> {
  if (!context.operations.has('listKeys')) return undefined;
  return (await readList(context, 'listKeys')).total;
}
