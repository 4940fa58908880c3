// The two endpoints that accept a token or an API key, as checks call them.
import type { CallOptions } from '../calls/call.ts';
import { untilAccepted } from '../calls/look-again.ts';
import type { Context } from '../context.ts';
import { describeAnswer, type Exchange, succeeded } from '../core/exchange.ts';
import { NotVerified } from '../core/outcomes.ts';
import { attributeCreationRefusal, attributeTestRefusal } from '../subscriptions/attribute-refusal.ts';
import { requireFirstSubscription } from '../subscriptions/create-subscription.ts';
import { sendCreation, sendTest } from '../subscriptions/subscription-calls.ts';
import { canCreate } from './use-token.ts';

export const endpoints = [
  {
    name: 'create',
    what: 'the creation of a subscription',
    send: async (context: Context, options: CallOptions) =>
      (await sendCreation(context, {}, options)).exchange,
    attributeRefusal: async (context: Context) =>
      (await canCreate(context)) ? 'AUTH-2' : attributeCreationRefusal(context),
  },
  {
    name: 'test',
    what: 'the test of a subscription',
    send: async (context: Context, options: CallOptions) =>
      sendTest(context, await requireFirstSubscription(context), options),
    attributeRefusal: async (context: Context, refusal: Exchange) =>
      attributeTestRefusal(context, await requireFirstSubscription(context), refusal),
  },
] as const;

/** Sends the valid call that must succeed before a refusal of an invalid one means anything. */
export async function sendValidCounterpart(context: Context, endpoint: 'create' | 'test'): Promise<void> {
  const subscription = await requireFirstSubscription(context);
  if (endpoint === 'test') requireTest(await untilAccepted(context, () => sendTest(context, subscription)));
}

export function requireTest(exchange: Exchange): void {
  if (!succeeded(exchange))
    throw new NotVerified(
      `the test of a subscription was refused (${describeAnswer(exchange)}); see HOOK-10`,
    );
}
