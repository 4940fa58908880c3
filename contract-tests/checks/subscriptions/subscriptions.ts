import { untilAccepted } from '../../calls/look-again.ts';
import type { Check, Need } from '../../check.ts';
import type { Context } from '../../context.ts';
import { describeAnswer, succeeded } from '../../core/exchange.ts';
import { PromiseBroken, WronglyRefused } from '../../core/outcomes.ts';
import { isJsonNumber, writeJson } from '../../core/parse-json.ts';
import { attributeTestRefusal } from '../../subscriptions/attribute-refusal.ts';
import { firstSubscription, subscribe } from '../../subscriptions/create-subscription.ts';
import { addressWithQuery, customSubscription } from '../../subscriptions/shared-subscriptions.ts';
import { type Subscription, sendTest } from '../../subscriptions/subscription-calls.ts';
import { foreignLists } from './foreign-lists.ts';
import { foreignTests } from './foreign-tests.ts';
import { subscriptionChoices } from './subscription-choices.ts';
import { subscriptionRefusals } from './subscription-refusals.ts';
import { subscriptionTests } from './subscription-tests.ts';

const needs: readonly Need[] = ['account', 'site', 'creates'];

/** Creating and testing subscriptions. */
export const subscriptions: readonly Check[] = [
  {
    id: 'hook-1-created-subscription-has-testable-id',
    requirement: 'HOOK-1',
    needs,
    run: async (context) => {
      const subscription = await firstSubscription(context);
      const { id, exchange } = subscription;
      if (!isIdentifier(id))
        throw new PromiseBroken('an identifier of the created subscription', writeJson(id), exchange);
      await requireKnown(context, subscription);
      // Another site may refuse subscriptions because of its state, which is unknown.
      const elsewhere = await customSubscription(context, 'on-another-site');
      if (!elsewhere.error) await requireKnown(context, elsewhere.value());
    },
  },
  {
    id: 'hook-1-url-with-query',
    requirement: 'HOOK-1',
    needs,
    run: async (context) => {
      const { error } = await customSubscription(context, 'with-query');
      // The refusal may be about its secret or its events.
      if (error) await subscribe(context, { url: addressWithQuery(context).url });
    },
  },
  ...subscriptionChoices,
  ...subscriptionRefusals,
  ...subscriptionTests,
  ...foreignTests,
  ...foreignLists,
];

async function requireKnown(context: Context, subscription: Subscription): Promise<void> {
  const test = await untilAccepted(context, () => sendTest(context, subscription));
  if (succeeded(test) || (await attributeTestRefusal(context, subscription, test)) !== 'HOOK-1') return;
  throw new WronglyRefused(
    'the test path to know the identifier of the created subscription',
    test,
    {},
    `the test is refused as for an unknown identifier: ${describeAnswer(test)}`,
  );
}

function isIdentifier(id: unknown): boolean {
  return (typeof id === 'string' && id !== '') || isJsonNumber(id);
}
