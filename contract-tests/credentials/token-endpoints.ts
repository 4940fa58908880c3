// The two endpoints that a token or an API key is for, as checks address them.

import type { CallOptions } from '../calls/call.ts';
import type { Context } from '../context.ts';
import { describeAnswer, type Exchange, succeeded } from '../core/exchange.ts';
import { NotVerified } from '../core/outcomes.ts';
import { attributeCreationRefusal, attributeTestRefusal } from '../subscriptions/attribute-refusal.ts';
import { creationWorks, firstSubscription } from '../subscriptions/create-subscription.ts';
import { type Subscription, sendCreation, sendTest } from '../subscriptions/subscription-calls.ts';
import { canCreate } from './use-token.ts';

export const endpoints = [
  {
    name: 'create',
    what: 'the creation of a subscription',
    send: async (context: Context, options: CallOptions) =>
      (await sendCreation(context, {}, options)).exchange,
    blame: async (context: Context) =>
      (await canCreate(context)) ? 'AUTH-2' : attributeCreationRefusal(context),
  },
  {
    name: 'test',
    what: 'the test of a subscription',
    send: async (context: Context, options: CallOptions) =>
      sendTest(context, await testable(context), options),
    blame: async (context: Context, refusal: Exchange) =>
      attributeTestRefusal(context, await testable(context), refusal),
  },
] as const;

/** A subscription with an identifier, so that its test has a path. */
export async function testable(context: Context): Promise<Subscription> {
  await creationWorks(context);
  return firstSubscription(context);
}

/** The right call that must pass before a refusal of a wrong one means anything. */
export async function sendValidCounterpart(context: Context, endpoint: 'create' | 'test'): Promise<void> {
  await creationWorks(context);
  if (endpoint === 'test') requireTest(await sendTest(context, await testable(context)));
}

export function requireTest(exchange: Exchange): void {
  if (!succeeded(exchange))
    throw new NotVerified(
      `the test of a subscription was refused (${describeAnswer(exchange)}); see HOOK-10`,
    );
}
