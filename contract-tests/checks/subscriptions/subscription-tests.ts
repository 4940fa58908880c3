import { channels } from '../../../openapi/event-names.ts';
import { expectRefusal, expectSuccess } from '../../calls/expect-answer.ts';
import { callToEnd } from '../../calls/profile-calls.ts';
import { anotherSite } from '../../calls/sites.ts';
import { unmetWait } from '../../calls/wait-budget.ts';
import type { Check, Need } from '../../check.ts';
import { type Context, once } from '../../context.ts';
import { describeAnswer, succeeded } from '../../core/exchange.ts';
import { NotVerified, PromiseBroken } from '../../core/outcomes.ts';
import { settle } from '../../core/settled.ts';
import type { Push } from '../../push-receiver/push-receiver.ts';
import { describePush } from '../../push-receiver/read-push.ts';
import { arrivalAt, arrivalMs, notSeen } from '../../push-receiver/wait-for-push.ts';
import { attributeTestRefusal } from '../../subscriptions/attribute-refusal.ts';
import {
  creationWorks,
  firstSubscription,
  subscribe,
  subscribeForPush,
} from '../../subscriptions/create-subscription.ts';
import {
  addressQuery,
  arrivalOfTest,
  customTestPush,
  testArrival,
} from '../../subscriptions/shared-subscriptions.ts';
import { nobody, type Subscription, sendTest, unlike } from '../../subscriptions/subscription-calls.ts';

const needs: readonly Need[] = ['account', 'site', 'creates'];

/** Testing subscriptions, those that there are and others. */
export const subscriptionTests: readonly Check[] = [
  {
    id: 'hook-10-test-push-arrives',
    requirement: 'HOOK-10',
    needs: [...needs, 'receiver'],
    run: async (context) => {
      const subscription = await subscribe(context);
      const exchange = await sendTest(context, subscription);
      const blamed = succeeded(exchange)
        ? 'HOOK-10'
        : await attributeTestRefusal(context, subscription, exchange);
      if (blamed !== 'HOOK-10')
        throw new NotVerified(
          `the test of a subscription was refused (${describeAnswer(exchange)}); see ${blamed}`,
        );
      expectSuccess(context, exchange, 'the test of a subscription');
      const push = await arrivalAt(context, subscription.path, arrivalMs(context));
      requirePush(context, push, 'a subscription');
      for (const channel of channels)
        for (const signed of [false, true])
          await requireTestPush(
            context,
            () => testArrival(context, { channel, signed }),
            `on the channel ${channel} ${signed ? 'with' : 'without'} a secret`,
          );
      await requireTestPush(
        context,
        () => customTestPush(context, 'by-api-key'),
        'that an API key has made and tests',
      );
      await requireTestPush(context, () => customTestPush(context, 'on-another-site'), 'on another site');
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
        throw new NotVerified('what stands in front of the receiver may have dropped the query');
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
      requirePush(
        context,
        await arrivalOfTest(context, subscription),
        'a subscription to publish.failed alone',
      );
    },
  },
  {
    id: 'hook-11-test-of-unknown-subscription',
    requirement: 'HOOK-11',
    needs,
    run: async (context) => {
      const { id, siteID } = await testedSubscription(context);
      await refuseTest(context, { id: unlike(id), siteID }, 'an unknown subscription');
      const deleted = await settle(() => deletedSubscription(context));
      if (!deleted.error) await refuseTest(context, deleted.value(), 'a subscription that was deleted');
    },
  },
  {
    id: 'hook-11-test-of-misspelt-subscription',
    requirement: 'HOOK-11',
    needs,
    run: async (context) => {
      const { id, siteID } = await testedSubscription(context);
      for (const other of /^\d+$/.test(String(id)) ? [0, `${id}x`] : [`${id}x`])
        await refuseTest(context, { id: other, siteID }, `the subscription ${other}, which there is not,`);
    },
  },
  {
    id: 'hook-11-test-through-another-site',
    requirement: 'HOOK-11',
    needs,
    run: async (context) => {
      const { id } = await testedSubscription(context);
      const { siteID, token } = await anotherSite(context);
      const what = 'a subscription that belongs to another site';
      await refuseTest(context, { id, siteID, token }, what);
    },
  },
  {
    id: 'hook-11-test-through-unknown-site',
    requirement: 'HOOK-11',
    needs,
    run: async (context) => {
      const { id } = await testedSubscription(context);
      await refuseTest(context, { id, siteID: nobody }, 'a subscription through a site that there is not');
    },
  },
];

/** Beside those above, for it waits, where there is time, for the end of any window in which a test may be taken for a repeat. */
export const laterTests: readonly Check[] = [
  {
    id: 'hook-10-tested-again',
    requirement: 'HOOK-10',
    needs: [...needs, 'receiver'],
    run: async (context) => {
      await creationWorks(context);
      const subscription = await firstSubscription(context);
      const push = () => arrivalOfTest(context, subscription);
      requirePush(context, await push(), 'the first subscription');
      if (unmetWait('31s', context) !== undefined) return;
      await context.clock.pass(pastWindowMs, 'the end of the idempotency window');
      requirePush(context, await push(), 'a subscription that has been tested before');
    },
  },
];

const pastWindowMs = 31_000;

/** The twin of every test that is to be refused. */
async function testedSubscription(context: Context): Promise<Subscription> {
  await creationWorks(context);
  return once(context, testFirstSubscription);
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
  // Not every part of a deployment may have heard of it at once.
  if (succeeded(await sendTest(context, subscription))) await context.clock.pass(2_000, 'a deletion');
  return subscription;
}

async function refuseTest(
  context: Context,
  { id, siteID, token }: Pick<Subscription, 'id' | 'siteID'> & { token?: string },
  what: string,
): Promise<void> {
  const kind = siteID === nobody ? 'unknown-site' : 'unknown-subscription';
  const exchange = await sendTest(context, { id, siteID }, token === undefined ? {} : { token });
  expectRefusal(context, exchange, { what: `the test of ${what}`, kind });
}

/** That such a subscription can't be had, or its test is refused, is another matter. */
async function requireTestPush(
  context: Context,
  test: () => Promise<Push | undefined>,
  which: string,
): Promise<void> {
  const kept = await settle(test);
  if (!kept.error) requirePush(context, kept.value(), `a subscription ${which}`);
}

function requirePush(context: Context, push: Push | undefined, whose: string): asserts push is Push {
  if (!push) throw new PromiseBroken(`a test message at the target of ${whose}`, notSeen(arrivalMs(context)));
}

/** More may be added, such as a sign of the product's own; all that was given must be there. */
function isWithin(given: string, search: string): boolean {
  const arrived = new URLSearchParams(search);
  return [...new URLSearchParams(given)].every(([name, value]) => arrived.getAll(name).includes(value));
}
