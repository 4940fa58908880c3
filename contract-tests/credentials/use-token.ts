import { call } from '../calls/call.ts';
import { requireNotLimited } from '../calls/expect-answer.ts';
import { untilAccepted } from '../calls/look-again.ts';
import {
  inventToken,
  isSessionAccepted,
  listsSitesBySession,
  renew,
  sessionToken,
} from '../calls/user-session.ts';
import type { Context } from '../context.ts';
import { areAlike, describeAnswer, type Exchange, succeeded } from '../core/exchange.ts';
import { NotVerified, WronglyRefused } from '../core/outcomes.ts';
import { settle } from '../core/settled.ts';
import { requireFirstSubscription } from '../subscriptions/create-subscription.ts';
import { sendCreation, sendTest } from '../subscriptions/subscription-calls.ts';
import { sendWithToken } from '../subscriptions/token-call.ts';

/**
 * Uses a session token to create a subscription, or to test one; where none can be created, to renew it. Throws WronglyRefused where it is refused;
 * `what` completes "expected … to be accepted".
 */
export async function useToken(context: Context, token: string, what: string): Promise<void> {
  const exchange = await untilAccepted(context, () => sendWith(context, token));
  if (succeeded(exchange)) return;
  requireNotLimited(context, exchange, 'the use of the token');
  if (exchange.operation === 'refresh') await requireTokenRefused(context, exchange, token);
  else await requireCapacity(context, exchange, token);
  throw new WronglyRefused(`${what} to be accepted (code 0)`, exchange);
}

/**
 * Whether the creation of a subscription, or the test of one, accepts a session token; undefined where none can be created. A renewal would be no test: a
 * deployment may treat the second renewal of a token as theft, and end the session.
 */
export async function isAccepted(context: Context, token: string): Promise<boolean | undefined> {
  return (await canCreate(context)) ? succeeded(await sendWithToken(context, { token })) : undefined;
}

/** Throws WronglyRefused where an API key can create a subscription while the token of the login can neither do that nor list sites. */
export async function requireMoreThanRenewal(context: Context, token: string): Promise<void> {
  const { apiKey, tier } = context.options;
  if (!apiKey || tier === 'smoke' || context.siteId === undefined) return;
  if (!listsSitesBySession(context) || (await canCreate(context))) return;
  if (await isSessionAccepted(context)) return;
  const create = async (by: string) => (await sendCreation(context, {}, { token: by })).exchange;
  const refusal = await create(token);
  if (succeeded(refusal) || !succeeded(await create(apiKey))) return;
  throw new WronglyRefused(
    'the calls that accept an API key to accept the token of a login',
    refusal,
    { again: async () => create(await sessionToken(context)), plain: () => create(apiKey) },
    `it is renewed, but refused by the creation of a subscription and the list of sites: ${describeAnswer(refusal)}`,
  );
}

async function sendWith(context: Context, token: string): Promise<Exchange> {
  if (await canCreate(context)) return sendWithToken(context, { token, shouldPass: true });
  return renew(context, token);
}

/**
 * The deployment may accept no more subscriptions: where it refuses even the plainest one by now, the token is tried on a test. Throws
 * NotVerified where the refusal was not for the token.
 */
export async function requireCapacity(context: Context, refusal: Exchange, token: string): Promise<void> {
  if (refusal.operation !== 'createSubscription' || succeeded(refusal)) return;
  if (succeeded((await sendCreation(context)).exchange)) return;
  const first = await settle(() => requireFirstSubscription(context));
  if (first.error || !succeeded(await sendTest(context, first.value(), { token }))) return;
  throw new NotVerified(`no subscription can be created any more (${describeAnswer(refusal)})`);
}

/** The body of a renewal is a gap, and may be the reason of a refusal: then the refusal of an invented token differs. */
async function requireTokenRefused(context: Context, refusal: Exchange, token: string): Promise<void> {
  const invented = inventToken(token);
  const other = await call(context, 'refresh', { values: { token: invented }, token: invented });
  if (areAlike(refusal, other)) return;
  throw new NotVerified(
    `the renewal of the token was refused (${describeAnswer(refusal)}), but not in the same way as for an invented token; state refresh.request in the profile`,
  );
}

/** Whether any call but a renewal accepts the session token. */
export async function isSessionUsable(context: Context): Promise<boolean> {
  return (await canCreate(context)) || isSessionAccepted(context);
}

/** Whether the plainest subscription can be created. */
export async function canCreate(context: Context): Promise<boolean> {
  if (context.options.tier === 'smoke' || context.siteId === undefined) return false;
  try {
    await requireFirstSubscription(context);
    return true;
  } catch (error) {
    if (error instanceof NotVerified) return false;
    throw error;
  }
}
