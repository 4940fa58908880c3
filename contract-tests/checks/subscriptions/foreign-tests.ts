import { expectRefusal } from '../../calls/expect-answer.ts';
import { untilAccepted, untilRefused } from '../../calls/look-again.ts';
import { callToEnd } from '../../calls/profile-calls.ts';
import { anotherSite } from '../../calls/sites.ts';
import type { Check, Need } from '../../check.ts';
import { type Context, once } from '../../context.ts';
import { type Exchange, succeeded } from '../../core/exchange.ts';
import { NotVerified, PromiseBroken } from '../../core/outcomes.ts';
import { isSameId } from '../../core/parse-json.ts';
import { settle } from '../../core/settled.ts';
import { awaitGreeting } from '../../push-receiver/caused-pushes.ts';
import type { Push } from '../../push-receiver/push-receiver.ts';
import { describePush } from '../../push-receiver/read-push.ts';
import { arrivalMs, comesWithin } from '../../push-receiver/wait-for-push.ts';
import {
  firstSubscription,
  requireFirstSubscription,
  subscribe,
  subscribeForPush,
} from '../../subscriptions/create-subscription.ts';
import { isSparing, staysBehind } from '../../subscriptions/left-behind.ts';
import { expectRefusalOrRemark, resemblesId } from '../../subscriptions/lenient-values.ts';
import { askForNobody, nobodysIdsLike, nobodysSites } from '../../subscriptions/nobodys-ids.ts';
import { type Subscription, sendTest } from '../../subscriptions/subscription-calls.ts';

const needs: readonly Need[] = ['account', 'site', 'creates'];

/** Tests of subscriptions that do not exist, or not on that site. */
export const foreignTests: readonly Check[] = [
  refusedTest('hook-11-test-of-unknown-subscription', async (context, { id, siteID }) => {
    const ask = (other: unknown) => sendTest(context, { id: other, siteID });
    const unknown = await askForNobody(nobodysIdsLike(id), ask);
    requireRefused(context, unknown.exchange, 'an unknown subscription');
    const deleted = await settle(() => once(context, deletedSubscription));
    if (deleted.error) return;
    const exchange = await untilRefused(context, () => sendTest(context, deleted.value()));
    requireRefused(context, exchange, 'a subscription that was deleted');
  }),
  refusedTest('hook-11-test-of-misspelt-subscription', async (context, { id, siteID }) => {
    for (const other of /^\d+$/.test(String(id)) ? [0, `${id}x`] : [`${id}x`]) {
      const exchange = await sendTest(context, { id: other, siteID });
      expectRefusalOrRemark(context, exchange, {
        what: `the test of the unknown subscription ${other}`,
        kind: 'unknown-subscription',
        remark: resemblesId(other, id) ? 'lenient-identifier' : undefined,
      });
    }
  }),
  refusedTest('hook-11-test-through-another-site', requireRefusedElsewhere),
  refusedTest('hook-11-test-through-unknown-site', async (context, { id }) => {
    const ask = (siteID: unknown) => sendTest(context, { id, siteID });
    const { exchange } = await askForNobody(await nobodysSites(context), ask);
    requireRefused(context, exchange, 'a subscription through an unknown site', 'unknown-site');
  }),
];

/** A check of a test that must be refused. The test of a subscription that exists has passed before. */
function refusedTest(
  id: string,
  requireRefused: (context: Context, tested: Subscription) => Promise<void>,
): Check {
  return {
    id,
    requirement: 'HOOK-11',
    needs,
    run: async (context) => {
      await requireFirstSubscription(context);
      await requireRefused(context, await once(context, testFirstSubscription));
    },
  };
}

async function testFirstSubscription(context: Context): Promise<Subscription> {
  const subscription = await firstSubscription(context);
  if (succeeded(await untilAccepted(context, () => sendTest(context, subscription)))) return subscription;
  throw new NotVerified('the test of a subscription was refused; see HOOK-10');
}

async function deletedSubscription(context: Context): Promise<Subscription> {
  if (staysBehind(context)) throw new NotVerified('no subscription can be deleted');
  const subscription = await subscribe(context);
  const { id, siteID } = subscription;
  await callToEnd(context, 'deleteSubscription', { values: { siteID, subscriptionID: id } });
  return subscription;
}

/**
 * Identifiers may be counted per site: then the other site may have a subscription of the same number, whose test is no mistake. What shows
 * a mistake is a push to the first site's target. Nothing else is pushed to that of a new subscription, and the other site hardly has its number.
 */
async function requireRefusedElsewhere(context: Context): Promise<void> {
  const { siteID, token } = await anotherSite(context);
  const subscription = await once(context, subscribeToTestElsewhere);
  const order = performance.now();
  const exchange = await sendTest(context, { id: subscription.id, siteID }, { token });
  if (!succeeded(exchange)) return requireRefused(context, exchange, foreign);
  // A shared target may get the message of another test at any time.
  const push = isSparing(context) ? undefined : await arrivalAfter(context, subscription, order);
  if (push)
    throw new PromiseBroken(
      `the test of ${foreign} to be refused (a code other than 0)`,
      `a test message at the target of the subscription on the first site: ${describePush(push)}`,
      exchange,
    );
  await requireListed(context, exchange, { siteID, token });
  throw new NotVerified(
    `the test of subscription ${subscription.id} through site ${siteID} was accepted, but the target on site ${subscription.siteID} got nothing; the other site may have a subscription with the same number`,
  );
}

const foreign = 'a subscription that belongs to another site';

/** To an event that others cause rarely, and settled, so that a greeting is over. */
async function subscribeToTestElsewhere(context: Context): Promise<Subscription> {
  if (isSparing(context)) return requireFirstSubscription(context);
  const subscription = await subscribeForPush(context, { events: ['publish.failed'] });
  if (context.receiver) await awaitGreeting(context, subscription.path);
  return subscription;
}

async function arrivalAfter(
  context: Context,
  { path }: Subscription,
  order: number,
): Promise<Push | undefined> {
  const find = () => context.receiver?.pushesTo(path).find((push) => push.order > order);
  if (context.receiver) await comesWithin(context, () => find() !== undefined, arrivalMs(context));
  return find();
}

/** Where the whole list of the other site has no such subscription, it exists nowhere. */
async function requireListed(
  context: Context,
  exchange: Exchange,
  { siteID, token }: { siteID: unknown; token: string },
): Promise<void> {
  const { id } = await once(context, subscribeToTestElsewhere);
  const listed = await settle(() => callToEnd(context, 'listSubscriptions', { values: { siteID }, token }));
  if (listed.error) return;
  const { list, total } = listed.value().values;
  if (!Array.isArray(list) || total !== list.length) return;
  const ids = (list as { id?: unknown }[]).map((item) => item.id);
  if (ids.some((one) => one === undefined || isSameId(one, id))) return;
  expectRefusal(context, exchange, { what: `the test of ${foreign}`, kind: 'unknown-subscription' });
}

function requireRefused(
  context: Context,
  exchange: Exchange,
  what: string,
  kind: 'unknown-subscription' | 'unknown-site' = 'unknown-subscription',
): void {
  expectRefusal(context, exchange, { what: `the test of ${what}`, kind });
}
