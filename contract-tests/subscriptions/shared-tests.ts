// The tests of the subscriptions that checks share.
import type { Channel } from '../../openapi/generated/types.ts';
import { type Context, once, oncePerRun } from '../context.ts';
import { NotSeenYet, NotVerified } from '../core/outcomes.ts';
import type { Settled } from '../core/settled.ts';
import type { Push } from '../push-receiver/push-receiver.ts';
import { isAlive } from './room.ts';
import {
  type CustomSubscription,
  createCustomSubscription,
  customSubscription,
  pushable,
  type Signing,
  type SubscriptionKind,
  subscribePlainly,
  subscriptionOf,
} from './shared-subscriptions.ts';
import type { Subscription } from './subscription-calls.ts';
import { arrivalOfTest, beginTest, lateArrivalOfTest, type SentTest } from './test-messages.ts';

/** A test push on a channel, with a signing secret or without; of one test a run. Throws NotVerified or NotSeenYet where none has come. */
export async function testPush(context: Context, kind: SubscriptionKind): Promise<Push & { secret: string }> {
  const test = await testOf(context, kind);
  const soon = await arrivalOfTest(context, test);
  if (!soon && !context.isLastLook && !context.clock.isMoved)
    throw new NotSeenYet(`the test push on the ${kind.channel} channel`, test.exchange.at);
  const push = soon ?? (await lateArrivalOfTest(context, test));
  if (push) return { ...push, secret: test.subscription.secret ?? '' };
  throw new NotVerified(`no test push arrived on the ${kind.channel} channel; see HOOK-10`);
}

/** The test of the plainest subscription on a channel; once a run. */
export function testOf(context: Context, { channel, signed }: SubscriptionKind): Promise<SentTest> {
  return once(context, testPlainSubscription, channel, signed ? 'signed' : 'unsigned');
}

/** The plainest subscription on a channel, to be used now. */
export async function livingSubscriptionOf(context: Context, kind: SubscriptionKind): Promise<Subscription> {
  const signing = kind.signed ? 'signed' : 'unsigned';
  const made = await subscriptionOf(context, kind);
  return living(context, made, () => subscribePlainly(context, kind.channel, signing));
}

async function testPlainSubscription(
  context: Context,
  channel: Channel,
  signing: Signing,
): Promise<SentTest> {
  return beginTest(context, await livingSubscriptionOf(context, { channel, signed: signing === 'signed' }));
}

/** The test of a subscription on the channel custom; once a run. */
export const customTest = oncePerRun(testCustomSubscription);

async function testCustomSubscription(context: Context, name: CustomSubscription): Promise<SentTest> {
  const token = name === 'by-api-key' ? context.options.apiKey : undefined;
  const made = await customSubscription(context, name);
  const subscription = await living(context, made, () => createCustomSubscription(context, name));
  return beginTest(context, subscription, token);
}

/** Its push, or undefined where none has come in time. */
export async function customTestPush(context: Context, name: CustomSubscription): Promise<Push | undefined> {
  return arrivalOfTest(context, await customTest(context, name));
}

/** A subscription that several checks share may have been deleted to make room for others; then a new one takes its place. */
async function living(
  context: Context,
  made: Settled<Subscription>,
  makeAnother: () => Promise<Subscription>,
): Promise<Subscription> {
  const subscription = pushable(made);
  return isAlive(context, subscription) ? subscription : makeAnother();
}
