import { channels } from '../../../openapi/event-names.ts';
import type { CallOptions } from '../../calls/call.ts';
import { expectRefusal, expectSuccess } from '../../calls/expect-answer.ts';
import { callToEnd } from '../../calls/profile-calls.ts';
import { anotherSite } from '../../calls/sites.ts';
import { unmetWait } from '../../calls/wait-budget.ts';
import type { Check, Need } from '../../check.ts';
import { type Context, once } from '../../context.ts';
import { pastIdempotencyWindowMs } from '../../core/documented-limits.ts';
import { describeAnswer, succeeded } from '../../core/exchange.ts';
import { NotVerified, PromiseBroken } from '../../core/outcomes.ts';
import { settle } from '../../core/settled.ts';
import type { Push } from '../../push-receiver/push-receiver.ts';
import { describePush } from '../../push-receiver/read-push.ts';
import { arrivalAt, arrivalMs, notSeen } from '../../push-receiver/wait-for-push.ts';
import { attributeTestRefusal } from '../../subscriptions/attribute-refusal.ts';
import {
  firstSubscription,
  requireFirstSubscription,
  subscribe,
  subscribeForPush,
} from '../../subscriptions/create-subscription.ts';
import {
  addressQuery,
  arrivalOfTest,
  customTestPush,
  testArrival,
} from '../../subscriptions/shared-subscriptions.ts';
import {
  type Subscription,
  sendTest,
  unassignedId,
  unassignedIdLike,
} from '../../subscriptions/subscription-calls.ts';

const needs: readonly Need[] = ['account', 'site', 'creates'];

const customTests = [
  ['by-api-key', 'that an API key has made and tests'],
  ['on-another-site', 'on another site'],
] as const;

/** Tests of subscriptions that exist and of others. */
export const subscriptionTests: readonly Check[] = [
  {
    id: 'hook-10-test-push-arrives',
    requirement: 'HOOK-10',
    needs: [...needs, 'receiver'],
    run: async (context) => {
      await requirePlainTest(context);
      for (const channel of channels)
        for (const signed of [false, true]) {
          const which = `on the channel ${channel} ${signed ? 'with' : 'without'} a secret`;
          await requireTestPush(context, which, () => testArrival(context, { channel, signed }));
        }
      for (const [name, which] of customTests)
        await requireTestPush(context, which, () => customTestPush(context, name));
    },
  },
  {
    id: 'hook-10-whole-receiving-url',
    requirement: 'HOOK-10',
    needs: [...needs, 'receiver'],
    run: async (context) => {
      const push = await customTestPush(context, 'with-query');
      requirePush(context, push, 'a subscription whose receiving URL has capitals and a query');
      if (isWithin(addressQuery, push.search)) return;
      if (context.options.receiver.url !== undefined)
        throw new NotVerified('a proxy in front of the receiver may have dropped the query');
      throw new PromiseBroken(
        `a test message at the whole receiving URL, with its query ${addressQuery}`,
        `the query is ${JSON.stringify(push.search)}: ${describePush(push)}`,
      );
    },
  },
  {
    id: 'hook-10-test-of-one-event',
    requirement: 'HOOK-10',
    needs: [...needs, 'receiver'],
    run: async (context) => {
      const subscription = await subscribeForPush(context, { events: ['publish.failed'] });
      const push = await arrivalOfTest(context, subscription);
      requirePush(context, push, 'a subscription to publish.failed alone');
    },
  },
  refusedTest('hook-11-test-of-unknown-subscription', async (context, { id, siteID }) => {
    await requireTestRefused(context, { id: unassignedIdLike(id), siteID }, 'an unknown subscription');
    const deleted = await settle(() => deletedSubscription(context));
    if (!deleted.error) await requireTestRefused(context, deleted.value(), 'a subscription that was deleted');
  }),
  refusedTest('hook-11-test-of-misspelt-subscription', async (context, { id, siteID }) => {
    for (const other of /^\d+$/.test(String(id)) ? [0, `${id}x`] : [`${id}x`])
      await requireTestRefused(context, { id: other, siteID }, `the unknown subscription ${other}`);
  }),
  refusedTest('hook-11-test-through-another-site', async (context, { id }) => {
    const { siteID, token } = await anotherSite(context);
    const what = 'a subscription that belongs to another site';
    await requireTestRefused(context, { id, siteID }, what, { token });
  }),
  refusedTest('hook-11-test-through-unknown-site', (context, { id }) =>
    requireTestRefused(context, { id, siteID: unassignedId }, 'a subscription through an unknown site'),
  ),
];

/** A list apart: where there is time, this check waits until no window is left in which a test may be taken for a repeat. */
export const laterTests: readonly Check[] = [
  {
    id: 'hook-10-tested-again',
    requirement: 'HOOK-10',
    needs: [...needs, 'receiver'],
    run: async (context) => {
      const subscription = await requireFirstSubscription(context);
      const push = () => arrivalOfTest(context, subscription);
      requirePush(context, await push(), 'the first subscription');
      if (unmetWait('31s', context) !== undefined) return;
      await context.clock.pass(pastIdempotencyWindowMs, 'the end of the idempotency window');
      requirePush(context, await push(), 'a subscription that has been tested before');
    },
  },
];

async function requirePlainTest(context: Context): Promise<void> {
  const subscription = await subscribe(context);
  const exchange = await sendTest(context, subscription);
  const brokenRequirement = succeeded(exchange)
    ? 'HOOK-10'
    : await attributeTestRefusal(context, subscription, exchange);
  if (brokenRequirement !== 'HOOK-10')
    throw new NotVerified(
      `the test of a subscription was refused (${describeAnswer(exchange)}); see ${brokenRequirement}`,
    );
  expectSuccess(context, exchange, 'the test of a subscription');
  const push = await arrivalAt(context, subscription.path);
  requirePush(context, push, 'a subscription');
}

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
  if (succeeded(await sendTest(context, subscription))) return subscription;
  throw new NotVerified('the test of a subscription was refused; see HOOK-10');
}

async function deletedSubscription(context: Context): Promise<Subscription> {
  const subscription = await subscribe(context);
  const { id, siteID } = subscription;
  await callToEnd(context, 'deleteSubscription', { values: { siteID, subscriptionID: id } });
  // The deletion may not have reached every part of the deployment yet.
  if (succeeded(await sendTest(context, subscription))) await context.clock.pass(2_000, 'a deletion');
  return subscription;
}

async function requireTestRefused(
  context: Context,
  { id, siteID }: Pick<Subscription, 'id' | 'siteID'>,
  what: string,
  options: CallOptions = {},
): Promise<void> {
  const kind = siteID === unassignedId ? 'unknown-site' : 'unknown-subscription';
  const exchange = await sendTest(context, { id, siteID }, options);
  expectRefusal(context, exchange, { what: `the test of ${what}`, kind });
}

/** Other checks cover subscriptions that can't be created and tests that are refused. */
async function requireTestPush(
  context: Context,
  which: string,
  test: () => Promise<Push | undefined>,
): Promise<void> {
  const push = await settle(test);
  if (!push.error) requirePush(context, push.value(), `a subscription ${which}`);
}

function requirePush(context: Context, push: Push | undefined, whose: string): asserts push is Push {
  if (!push) throw new PromiseBroken(`a test message at the target of ${whose}`, notSeen(arrivalMs(context)));
}

/** A deployment may add to the query, such as a signature; all that was given must be there. */
function isWithin(given: string, search: string): boolean {
  const arrived = new URLSearchParams(search);
  return [...new URLSearchParams(given)].every(([name, value]) => arrived.getAll(name).includes(value));
}
