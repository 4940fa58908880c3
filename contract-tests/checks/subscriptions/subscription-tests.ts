import { channels } from '../../../openapi/event-names.ts';
import { expectSuccess } from '../../calls/expect-answer.ts';
import { unmetWait } from '../../calls/wait-budget.ts';
import type { Check, Need } from '../../check.ts';
import { type Context, once } from '../../context.ts';
import { pastIdempotencyWindowMs } from '../../core/documented-limits.ts';
import { describeAnswer, succeeded } from '../../core/exchange.ts';
import { NotVerified, PromiseBroken } from '../../core/outcomes.ts';
import { settle } from '../../core/settled.ts';
import type { Push } from '../../push-receiver/push-receiver.ts';
import { describePush } from '../../push-receiver/read-push.ts';
import { requireArrival } from '../../push-receiver/wait-for-push.ts';
import { attributeTestRefusal } from '../../subscriptions/attribute-refusal.ts';
import {
  requireFirstSubscription,
  subscribe,
  subscribeForPush,
} from '../../subscriptions/create-subscription.ts';
import { staysBehind } from '../../subscriptions/left-behind.ts';
import { holdWhile, isAlive } from '../../subscriptions/room.ts';
import { addressQuery, pushable, subscriptionToOne } from '../../subscriptions/shared-subscriptions.ts';
import { customTest, testOf } from '../../subscriptions/shared-tests.ts';
import {
  arrivalOfTest,
  beginTest,
  findTestPush,
  type SentTest,
  sendFirstTest,
} from '../../subscriptions/test-messages.ts';

const needs: readonly Need[] = ['account', 'site', 'creates'];

const customTests = [
  ['by-api-key', 'that an API key created and tests'],
  ['on-another-site', 'on another site'],
] as const;

/** Tests of subscriptions. */
export const subscriptionTests: readonly Check[] = [
  {
    id: 'hook-10-test-push-arrives',
    requirement: 'HOOK-10',
    needs: [...needs, 'receiver'],
    run: async (context) => {
      await requireTestPush(context, 'a subscription', await once(context, testNewSubscription));
      for (const channel of channels)
        for (const signed of [false, true]) {
          const which = `on the channel ${channel} ${signed ? 'with' : 'without'} a secret`;
          await requireOtherTestPush(context, which, () => testOf(context, { channel, signed }));
        }
      for (const [name, which] of customTests)
        await requireOtherTestPush(context, which, () => customTest(context, name));
    },
  },
  {
    id: 'hook-10-whole-receiving-url',
    requirement: 'HOOK-10',
    needs: [...needs, 'receiver'],
    run: async (context) => {
      const whose = 'a subscription whose receiving URL has capitals and a query';
      const push = await requireTestPush(context, whose, await customTest(context, 'with-query'));
      if (isWithin(addressQuery, push.search)) return;
      if (context.options.receiver.url !== undefined)
        throw new NotVerified('a proxy in front of the receiver may have dropped the query');
      throw new PromiseBroken(
        `a test message at the complete receiving URL, with its query ${addressQuery}`,
        `the query is ${JSON.stringify(push.search)}: ${describePush(push)}`,
      );
    },
  },
  {
    id: 'hook-10-test-of-one-event',
    requirement: 'HOOK-10',
    needs: [...needs, 'receiver'],
    run: async (context) => {
      const whose = 'a subscription to only one event';
      await requireTestPush(context, whose, await once(context, testSubscriptionToOne));
    },
  },
];

/** A list apart: where there is time, this check waits until no window is left in which a test may be taken for a repeat. */
export const laterTests: readonly Check[] = [
  {
    id: 'hook-10-tested-again',
    requirement: 'HOOK-10',
    needs: [...needs, 'receiver'],
    run: async (context) => {
      const first = await once(context, testNewSubscription);
      await requireTestPush(context, 'a subscription', first);
      if (unmetWait('31s', context) !== undefined) return;
      const whose = 'a subscription that has been tested before';
      await requireTestPush(context, whose, await once(context, testSubscriptionAgain));
    },
  },
];

async function testNewSubscription(context: Context): Promise<SentTest> {
  const subscription = staysBehind(context)
    ? await requireFirstSubscription(context)
    : await subscribe(context);
  const test = await sendFirstTest(context, subscription);
  const { exchange } = test;
  const brokenRequirement = succeeded(exchange)
    ? 'HOOK-10'
    : await attributeTestRefusal(context, subscription, exchange);
  if (brokenRequirement !== 'HOOK-10')
    throw new NotVerified(
      `the test of a subscription was refused (${describeAnswer(exchange)}); see ${brokenRequirement}`,
    );
  expectSuccess(context, exchange, 'the test of a subscription');
  return test;
}

async function testSubscriptionToOne(context: Context): Promise<SentTest> {
  if (!staysBehind(context))
    return beginTest(context, await subscribeForPush(context, { events: ['publish.failed'] }));
  return beginTest(context, pushable(await subscriptionToOne(context, 'wecom')));
}

/** The second test of the subscription comes when the first can't be repeated any more. */
async function testSubscriptionAgain(context: Context): Promise<SentTest> {
  const first = await once(context, testNewSubscription);
  const { subscription, exchange } = isAlive(context, first.subscription)
    ? first
    : await testAnother(context);
  await context.clock.waitUntil(exchange.at + pastIdempotencyWindowMs, 'the end of the idempotency window');
  return beginTest(context, subscription);
}

/** Where the first one had to make room for others, another takes its place, and is kept for the second test. */
async function testAnother(context: Context): Promise<SentTest> {
  const until = context.clock.now() + 2 * pastIdempotencyWindowMs;
  return beginTest(context, await holdWhile({ until }, () => subscribe(context)));
}

/** Other checks cover subscriptions that can't be created and tests that are refused. */
async function requireOtherTestPush(
  context: Context,
  which: string,
  begin: () => Promise<SentTest>,
): Promise<void> {
  const test = await settle(begin);
  if (!test.error) await requireTestPush(context, `a subscription ${which}`, test.value());
}

/** The document promises no latency: a test message may come late. */
async function requireTestPush(context: Context, whose: string, test: SentTest): Promise<Push> {
  await arrivalOfTest(context, test);
  return requireArrival(context, {
    find: () => findTestPush(context, test),
    since: test.exchange.at,
    expected: `a test message at the target of ${whose}`,
    exchange: test.exchange,
  });
}

/** A deployment may add to the query, such as a signature; all that was given must be there. */
function isWithin(given: string, search: string): boolean {
  const arrived = new URLSearchParams(search);
  return [...new URLSearchParams(given)].every(([name, value]) => arrived.getAll(name).includes(value));
}
