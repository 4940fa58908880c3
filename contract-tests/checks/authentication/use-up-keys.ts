// The tenant's API keys, made until no more are given out.
import type { CallOptions } from '../../calls/call.ts';
import { isRateLimited } from '../../calls/expect-answer.ts';
import { callProfileOperation, callToEnd, refusedCall, uniqueText } from '../../calls/profile-calls.ts';
import { otherSession } from '../../calls/user-session.ts';
import { type Context, oncePerRun } from '../../context.ts';
import { type Exchange, succeeded } from '../../core/exchange.ts';
import { NotVerified } from '../../core/outcomes.ts';
import { type CreatedKey, readKey, useKey } from './created-keys.ts';

export const quota = 5;

export interface FilledQuota {
  made: (CreatedKey & { wasAccepted: boolean })[];
  /** How many keys there were; undefined where the profile does not say how to list them. */
  before: number | undefined;
  refusal: Exchange | undefined;
}

/** Creates keys until one is refused, and one more than there may be at most. */
export const filledQuota = oncePerRun(fillQuota);

async function fillQuota(context: Context): Promise<FilledQuota> {
  const before = await countKeys(context);
  const made: FilledQuota['made'] = [];
  while (made.length <= quota) {
    const exchange = await createKey(context);
    if (isRateLimited(context, exchange, 'key-quota')) throw refusedCall(context, exchange);
    if (!succeeded(exchange)) return { made, before, refusal: exchange };
    const one = readKey(context, exchange);
    made.push({ ...one, wasAccepted: succeeded(await useKey(context, one.key)) });
    if ((before ?? 0) + made.length > quota) break;
  }
  return { made, before, refusal: undefined };
}

/** Sends one more creation: that of the tenant's user, or of whom a token is. */
export function createKey(
  context: Context,
  by: Pick<CallOptions, 'token' | 'tenant'> = {},
): Promise<Exchange> {
  return callProfileOperation(context, 'createKey', { values: { name: uniqueText(context, 'key') }, ...by });
}

/** A key of the other tenant's, which is deleted at once. */
export async function createOthersKey(context: Context): Promise<Exchange> {
  const { token } = await otherSession(context);
  const exchange = await createKey(context, { token, tenant: 'other' });
  if (succeeded(exchange))
    await callToEnd(context, 'deleteKey', { values: { keyID: exchange.values.id }, token });
  return exchange;
}

/** Deletes the last of the keys that filled the quota, and creates another in its place. */
export const replacedKey = oncePerRun(replaceKey);

async function replaceKey(context: Context): Promise<Exchange> {
  const { made, refusal } = await filledQuota(context);
  const last = made.at(-1);
  if (!refusal || !last) throw new NotVerified('no key was refused for the number of keys; see KEY-2');
  await callToEnd(context, 'deleteKey', { values: { keyID: last.id } });
  return createKey(context);
}

/** A creation that is refused from the first one on says nothing about the number of keys. */
export function hasCreatedKeys({ exchanges }: Context): boolean {
  return exchanges.some((exchange) => exchange.operation === 'createKey' && succeeded(exchange));
}

async function countKeys(context: Context): Promise<number | undefined> {
  if (!context.operations.has('listKeys')) return undefined;
  const { values } = await callToEnd(context, 'listKeys');
  return typeof values.total === 'number' ? values.total : undefined;
}
