import { callProfileOperation } from '../../calls/profile-calls.ts';
import { otherSession } from '../../calls/user-session.ts';
import type { Check } from '../../check.ts';
import { type Context, once } from '../../context.ts';
import { type Exchange, succeeded } from '../../core/exchange.ts';
import { NotVerified, PromiseBroken } from '../../core/outcomes.ts';
import { requireFirstSubscription } from '../../subscriptions/create-subscription.ts';
import { subscriptionOfOther } from '../../subscriptions/foreign-subscriptions.ts';
import { pushable } from '../../subscriptions/shared-subscriptions.ts';
import type { Subscription } from '../../subscriptions/subscription-calls.ts';

/** Lists of subscriptions, which show those of the tenant's own sites alone. */
export const foreignLists: readonly Check[] = [
  {
    id: 'auth-6-list-of-subscriptions',
    requirement: 'AUTH-6',
    needs: ['account', 'site', 'creates', 'second-tenant', 'operation:list-subscriptions'],
    isFurther: true,
    run: async (context) => {
      await requireFirstSubscription(context);
      const theirs = await once(context, subscribeForOther);
      const { token } = await otherSession(context);
      await requireListed(context, theirs, token);
      const { apiKey } = context.options;
      for (const own of [undefined, ...(apiKey ? [apiKey] : [])])
        for (const siteID of [context.siteId, theirs.siteID])
          requireNotListed(await listOf(context, siteID, own), theirs);
    },
  },
];

async function subscribeForOther(context: Context): Promise<Subscription> {
  return pushable(await subscriptionOfOther(context, 'to list'));
}

function listOf(context: Context, siteID: unknown, token: string | undefined): Promise<Exchange> {
  return callProfileOperation(context, 'listSubscriptions', {
    values: { siteID },
    ...(token !== undefined && { token }),
  });
}

/** That a list does not have it proves nothing where its owner does not see it either. */
async function requireListed(context: Context, theirs: Subscription, token: string): Promise<void> {
  if (shows(await listOf(context, theirs.siteID, token), theirs)) return;
  throw new NotVerified("another tenant's list of subscriptions does not show its new subscription");
}

function requireNotListed(listed: Exchange, theirs: Subscription): void {
  if (succeeded(listed) && shows(listed, theirs))
    throw new PromiseBroken(
      'a list without the subscriptions of another tenant',
      `the subscription of another tenant on site ${theirs.siteID}, with the receiving URL that ends in ${theirs.path}`,
      listed,
    );
}

/** Recognized by its address, which no other subscription has: identifiers may be counted per site. */
function shows({ response }: Exchange, { path }: Subscription): boolean {
  return new RegExp(`${path}(?![0-9])`).test(response.text.replaceAll('\\/', '/'));
}
