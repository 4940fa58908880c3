// Test messages: the call that causes one, and the push that it causes.
import { untilAccepted } from '../calls/look-again.ts';
import type { Context } from '../context.ts';
import { pastIdempotencyWindowMs } from '../core/documented-limits.ts';
import { describeAnswer, type Exchange, type SentRequest, succeeded } from '../core/exchange.ts';
import { NotVerified } from '../core/outcomes.ts';
import { isSameId } from '../core/parse-json.ts';
import { awaitGreeting, testPushAfter, wasAnyLate } from '../push-receiver/caused-pushes.ts';
import type { Push } from '../push-receiver/push-receiver.ts';
import { arrivalMs, comesWithin, patienceMs } from '../push-receiver/wait-for-push.ts';
import { noteCreated } from './room.ts';
import { type Subscription, sendTest } from './subscription-calls.ts';

/** A test that the deployment accepted. */
export interface SentTest {
  subscription: Subscription;
  /** Sent instead of the session token. */
  token: string | undefined;
  exchange: Exchange;
  /** When it was sent, by performance.now(). */
  order: number;
  /** Whether it was sent once more. */
  isRepeated: boolean;
}

/** A new subscription may not be known to every part of the deployment for so long, in milliseconds. */
const settlingMs = 2_000;

const shortlyMs = 500;

/** Tests a subscription. Throws NotVerified where the test is refused. */
export async function beginTest(
  context: Context,
  subscription: Subscription,
  token?: string,
): Promise<SentTest> {
  if (!context.receiver) throw new NotVerified('there is no receiver that the deployment can reach');
  const test = await sendFirstTest(context, subscription, token);
  if (!succeeded(test.exchange))
    throw new NotVerified(
      `the test of a subscription was refused (${describeAnswer(test.exchange)}); see HOOK-10`,
    );
  return test;
}

/** Tests a subscription that may be new, after its greeting. It is kept until the push has come. */
export async function sendFirstTest(
  context: Context,
  subscription: Subscription,
  token?: string,
): Promise<SentTest> {
  const earlier = earlierTest(context, subscription, token);
  if (earlier) return keepUntilArrival(context, { subscription, token, ...earlier, isRepeated: false });
  if (context.receiver) await awaitGreeting(context, subscription.path);
  let order = 0;
  const exchange = await untilAccepted(context, () => {
    order = performance.now();
    return sendTest(context, subscription, token === undefined ? {} : { token });
  });
  return keepUntilArrival(context, { subscription, token, exchange, order, isRepeated: false });
}

function keepUntilArrival(context: Context, test: SentTest): SentTest {
  const { exchange, subscription } = test;
  const isOver = () => findTestPush(context, test) !== undefined;
  if (succeeded(exchange))
    noteCreated(context, subscription, { until: exchange.at + patienceMs(context), isOver });
  return test;
}

/**
 * A test of the subscription shortly before, in which case another one may be answered as its repeat, and send nothing. It may be such a
 * repeat itself: of several, each shortly after the other, the first one has sent something.
 */
function earlierTest(
  { requests, clock, options }: Context,
  { id, siteID }: Subscription,
  token: string | undefined,
): Pick<SentTest, 'exchange' | 'order'> | undefined {
  const isByKey = (authorization = '') =>
    options.apiKey !== undefined && authorization.endsWith(options.apiKey);
  const tests = requests.filter(
    ({ operation, values, exchange }) =>
      operation === 'testSubscription' &&
      isSameId(values.id, id) &&
      isSameId(values.siteID, siteID) &&
      exchange !== undefined &&
      succeeded(exchange) &&
      isByKey(exchange.request.headers.Authorization) === (token !== undefined),
  );
  let found: SentRequest | undefined;
  for (const test of tests.toReversed())
    if (test.at > (found?.at ?? clock.now()) - pastIdempotencyWindowMs) found = test;
    else break;
  return found?.exchange && { exchange: found.exchange, order: found.order };
}

/** The push that a test has caused; undefined where none has come so far. */
export function findTestPush(context: Context, { subscription, order }: SentTest): Push | undefined {
  return testPushAfter(context, subscription.path, { order });
}

/** Waits for the push that a test has caused; undefined where none has come within --arrival-timeout. */
export async function arrivalOfTest(context: Context, test: SentTest): Promise<Push | undefined> {
  const hasCome = () => findTestPush(context, test) !== undefined;
  // Where one push has been late, the run does not stop at each of the next ones.
  const isShort = !context.clock.isMoved && wasAnyLate(context, arrivalMs(context));
  const soonMs = test.exchange.at + (isShort ? shortlyMs : arrivalMs(context)) - context.clock.now();
  if (!(await comesWithin(context, hasCome, Math.max(soonMs, 0))) && wasTooEarly(test)) {
    test.isRepeated = true;
    await sendTest(context, test.subscription, test.token === undefined ? {} : { token: test.token });
    await comesWithin(context, hasCome, arrivalMs(context));
  }
  return findTestPush(context, test);
}

/** Until when the first test of a run that came to nothing was waited for, by the requests of the run. */
const firstWaits = new WeakMap<Context['requests'], number>();

/** Waits for it for as long as the patience of a run, which in real time is waited out once: several may never come. */
export async function lateArrivalOfTest(context: Context, test: SentTest): Promise<Push | undefined> {
  const { clock, requests } = context;
  const { at } = test.exchange;
  const patient = at + patienceMs(context);
  const first = clock.isMoved ? patient : (firstWaits.get(requests) ?? patient);
  const until = Math.min(patient, Math.max(first, at + arrivalMs(context)));
  await comesWithin(context, () => findTestPush(context, test) !== undefined, until - clock.now());
  const push = findTestPush(context, test);
  if (!push && !firstWaits.has(requests)) firstWaits.set(requests, until);
  return push;
}

/** Whether the subscription was so new that its first test may have passed a part of the deployment that did not know it yet. */
function wasTooEarly({ subscription, exchange, isRepeated }: SentTest): boolean {
  return !isRepeated && exchange.at - subscription.exchange.at < settlingMs;
}
