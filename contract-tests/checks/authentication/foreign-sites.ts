import { expectRefusal } from '../../calls/expect-answer.ts';
import { otherSession, secondSession, tokensOf } from '../../calls/user-session.ts';
import type { Check, Need } from '../../check.ts';
import { type Context, once } from '../../context.ts';
import { describeAnswer, type Exchange, succeeded } from '../../core/exchange.ts';
import { NotVerified, PromiseBroken } from '../../core/outcomes.ts';
import { requireTest } from '../../credentials/token-endpoints.ts';
import { creationBy, secondUser } from '../../credentials/users.ts';
import { newSite } from '../../events/repeated-writes.ts';
import { requireFirstSubscription } from '../../subscriptions/create-subscription.ts';
import { subscriptionOfOther } from '../../subscriptions/foreign-subscriptions.ts';
import { type Subscription, sendCreation, sendTest } from '../../subscriptions/subscription-calls.ts';

const needs: readonly Need[] = ['account', 'site', 'creates', 'second-tenant'];

/** Calls that one tenant may not make on the sites of another. */
export const foreignSites: readonly Check[] = [
  foreignCheck('auth-6-create-on-foreign-site', async (context, { siteID }) => {
    await requireFirstSubscription(context);
    for (const token of await tokensOf(context)) {
      const { exchange } = await sendCreation(context, { siteID }, { token });
      requireForeignRefused(context, exchange, "the creation of a subscription on another tenant's site");
    }
  }),
  foreignCheck('auth-6-test-on-foreign-site', async (context, theirs) => {
    const { token } = await otherSession(context);
    requireTest(await sendTest(context, theirs, { token }));
    for (const own of await tokensOf(context)) {
      const exchange = await sendTest(context, theirs, { token: own });
      requireForeignRefused(context, exchange, "the test of another tenant's subscription");
    }
  }),
  foreignCheck('auth-6-other-tenant-creates-on-own-site', async (context) => {
    const { token } = await otherSession(context);
    await requireFirstSubscription(context);
    const { exchange } = await sendCreation(context, {}, { token });
    requireForeignRefused(context, exchange, 'the creation of a subscription on the site by another tenant');
  }),
  foreignCheck('auth-6-other-tenant-tests-own-site', async (context) => {
    const { token } = await otherSession(context);
    const ours = await requireFirstSubscription(context);
    requireTest(await sendTest(context, ours));
    const exchange = await sendTest(context, ours, { token });
    requireForeignRefused(context, exchange, 'the test of a subscription by another tenant');
  }),
  {
    ...foreignCheck('auth-6-second-user-creates-on-foreign-site', async (context, { siteID }) => {
      const { token } = await secondSession(context);
      const { brokenRequirement } = await creationBy(context, secondUser);
      if (brokenRequirement)
        throw new NotVerified(`${secondUser.who} cannot create subscriptions; see ${brokenRequirement}`);
      const { exchange } = await sendCreation(context, { siteID }, { token });
      const what = "the creation of a subscription on another tenant's site by a second user";
      requireForeignRefused(context, exchange, what);
    }),
    isFurther: true,
    needs: [...needs, 'second-user', 'disruptive'],
  },
  {
    ...foreignCheck('auth-6-other-tenant-creates-on-new-site', async (context) => {
      await requireFirstSubscription(context);
      const siteID = await newSite(context);
      const own = await sendCreation(context, { siteID });
      const answer = describeAnswer(own.exchange);
      if (!succeeded(own.exchange))
        throw new NotVerified(`no subscription can be created on a new site (${answer})`);
      const { token } = await otherSession(context);
      const { exchange } = await sendCreation(context, { siteID }, { token });
      const what = 'the creation of a subscription on a new site by another tenant';
      requireForeignRefused(context, exchange, what);
    }),
    isFurther: true,
    needs: [...needs, 'operation:create-site'],
  },
];

function foreignCheck(
  id: string,
  requireRefused: (context: Context, theirs: Subscription) => Promise<void>,
): Check {
  return {
    id,
    requirement: 'AUTH-6',
    needs,
    run: async (context) => requireRefused(context, await once(context, subscribeOtherTenant)),
  };
}

/** A subscription of the other tenant on its own site: the other tenant's own calls pass. */
async function subscribeOtherTenant(context: Context): Promise<Subscription> {
  const subscription = await subscriptionOfOther(context, 'to look at');
  if (subscription.error instanceof PromiseBroken)
    throw new NotVerified(
      `another tenant cannot create a subscription on its own site (${subscription.error.actual}); see LOGIN-1 and AUTH-2`,
    );
  return subscription.value();
}

function requireForeignRefused(context: Context, exchange: Exchange, what: string): void {
  expectRefusal(context, exchange, { what, kind: 'foreign-site' });
}
