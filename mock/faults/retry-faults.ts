import type { Values } from '../service.ts';
import { isoTime } from '../world/time.ts';
import type { AttemptOutcome, Delivery, Subscription } from '../world/world.ts';
import { faultsOf, type Wrap, withMemory } from './fault.ts';
import { changeResult } from './wrap-calls.ts';
import { type DeliveryTest, isLong } from './wrap-pushes.ts';

const minute = 60_000;
/** How long a target may take for an answer that is believed, in milliseconds. */
const longMs = 60;

/** Faults in retries and in the push log. */
export const retryFaults = faultsOf({
  'RETRY-1': {
    '404-not-retried: A push that is answered with 404 is not retried.': () => stopRetries(wasAnswered(404)),
    'redirect-taken-for-delivered: A push that is answered with a redirect counts as delivered.': () =>
      acceptOutcome((outcome) => 'status' in outcome && outcome.status < 400),
    '500-not-retried: A push that is answered with 500 is not retried.': () => stopRetries(wasAnswered(500)),
    '400-not-retried: A push that is answered with 400 is not retried.': () => stopRetries(wasAnswered(400)),
    '410-not-retried: A push that is answered with 410 is not retried, as if the target were gone for good.':
      () => stopRetries(wasAnswered(410)),
    '429-not-retried: A push that is answered with 429 is not retried.': () => stopRetries(wasAnswered(429)),
    '503-not-retried: A push that is answered with 503 is not retried.': () => stopRetries(wasAnswered(503)),
    '401-not-retried: A push that is answered with 401 is not retried.': () => stopRetries(wasAnswered(401)),
    'rare-refusals-not-retried: A push is retried after the usual statuses of refusals alone: 400, 401, 404, 410 and 429.':
      () =>
        stopRetries(
          (outcome) =>
            'status' in outcome &&
            outcome.status > 399 &&
            outcome.status < 500 &&
            ![400, 401, 404, 410, 429].includes(outcome.status),
        ),
    'gateway-errors-taken-for-delivered: A push that is answered with 501 or more counts as delivered, but for 503.':
      () => acceptOutcome((outcome) => 'status' in outcome && outcome.status > 500 && outcome.status !== 503),
    '307-taken-for-delivered: A push that is answered with 307 counts as delivered.': () =>
      acceptOutcome(wasAnswered(307)),
    'feishu-not-retried: Pushes on the channel feishu are not retried.': () =>
      stopRetries(wasAnyStatus, ({ channel }) => channel === 'feishu'),
    'unsigned-not-retried: Pushes to subscriptions without a secret are not retried.': () =>
      stopRetries(wasAnyStatus, ({ signature }) => signature === undefined),
    'comments-not-retried: Pushes of comment.created are not retried.': () =>
      stopRetries(wasAnyStatus, ({ event }) => event === 'comment.created'),
    'long-pushes-not-retried: Pushes of more than 4096 bytes are not retried where they are refused with a redirect or 404.':
      () => stopRetries(wasAnswered(302, 404), isLong),
    'slow-refusal-taken-for-delivered: A push whose target refuses it only after a while counts as delivered.':
      () => acceptSlowOutcome((outcome) => 'status' in outcome),
  },
  'RETRY-2': {
    'silence-taken-for-delivered: A push whose target takes it and gives no answer counts as delivered.':
      () => acceptSlowOutcome((outcome) => 'error' in outcome),
    'refused-connection-not-retried: A push whose connection is refused is not retried.': () =>
      stopRetries((outcome) => 'error' in outcome && /ECONNREFUSED/.test(outcome.error)),
    'unreachable-taken-for-delivered: A push whose target could not be reached counts as delivered.': () =>
      acceptOutcome((outcome) => 'error' in outcome),
    'broken-connection-taken-for-delivered: A push whose connection is broken off without an answer counts as delivered.':
      () => acceptOutcome((outcome) => 'error' in outcome && !/ECONNREFUSED/.test(outcome.error)),
    'unreachable-retried-once: A push whose target could not be reached is retried once.': () =>
      stopRetries(
        (outcome) => 'error' in outcome,
        ({ retries }) => retries === 1,
      ),
  },
  'RETRY-3': {
    'retry-after-two-minutes: The first retry comes after two minutes.': () => delayRetry(1, minute),
    'first-retry-twenty-seconds-early: The first retry comes after forty seconds.': () =>
      delayRetry(1, -minute / 3),
    'retry-after-six-minutes: The second retry comes after six minutes.': () => delayRetry(2, minute),
    'third-retry-a-minute-early: The third retry comes after 29 minutes.': () => delayRetry(3, -minute),
    'chat-retried-after-three-minutes: The first retry on the chat channels comes after three minutes.': () =>
      delayRetry(1, 2 * minute, ({ channel }) => channel !== 'custom'),
    '404-retried-after-five-minutes: The first retry after an answer of 404 comes after five minutes.': () =>
      delayRetry(1, 4 * minute, (delivery) => wasAnswered(404)(lastOutcome(delivery))),
    'unreachable-retried-after-two-minutes: The first retry after the target could not be reached comes after two minutes.':
      () => delayRetry(1, minute, (delivery) => 'error' in lastOutcome(delivery)),
    'second-retry-a-minute-early: The second retry comes after four minutes.': () => delayRetry(2, -minute),
    'second-retry-on-chat-late: The second retry on the chat channels comes after fifteen minutes.': () =>
      delayRetry(2, 10 * minute, ({ channel }) => channel !== 'custom'),
  },
  'RETRY-4': {
    'third-retry-missing: There are two retries.': () =>
      changeRetryTime((due, { retries }) => (retries === 2 ? undefined : due)),
    'fourth-retry: There is a fourth retry, 30 minutes after the third.': () => addFourthRetry(() => true),
    'chat-retried-twice: There are two retries on the chat channels.': () =>
      changeRetryTime((due, { retries, channel }) =>
        retries === 2 && channel !== 'custom' ? undefined : due,
      ),
    'fourth-retry-without-secret: There is a fourth retry, 30 minutes after the third, where a subscription has no secret.':
      () => addFourthRetry(({ signature }) => signature === undefined),
  },
  'RETRY-5': {
    'retried-although-taken-late: A push that was accepted at its first retry is retried all the same.': () =>
      retryDeliveredPush((_outcome, { retries }) => retries === 1),
    '204-retried: A push that is answered with 204 is retried, as if only 200 were a success.': () =>
      retryDeliveredPush(wasAnswered(204)),
    '201-retried: A push that is answered with 201 is retried.': () => retryDeliveredPush(wasAnswered(201)),
    '202-retried: A push that is answered with 202 is retried.': () => retryDeliveredPush(wasAnswered(202)),
    '206-retried: A push that is answered with 206 is retried.': () => retryDeliveredPush(wasAnswered(206)),
    'retried-although-taken-at-second-retry: A push that was accepted at its second retry is retried all the same.':
      () => retryDeliveredPush((_outcome, { retries }) => retries === 2),
    'chat-retried-although-taken: A push on a chat channel that was accepted at a retry is retried all the same.':
      () => retryDeliveredPush((_outcome, { channel, retries }) => channel !== 'custom' && retries > 0),
  },
  'LOG-1': {
    'log-shows-failures-only: The push log shows the deliveries that failed, and no others.': () =>
      filterLog(({ state }) => state === 'given-up'),
    'log-forgets-after-a-second: The push log shows the deliveries of the last second.': () =>
      filterLog(({ created_at: at }, now) => String(at) > isoTime(now - 1_000)),
    'log-shows-tests-only: The push log shows the deliveries that were tried more than once.': () =>
      filterLog(({ attempts }) => Array.isArray(attempts) && attempts.length > 1),
    'log-shows-successes-only: The push log does not show the deliveries that failed.': () =>
      filterLog(({ state }) => state === 'delivered'),
    'log-without-chat: The push log shows no deliveries on the chat channels.': () =>
      showLogsOnlyOf((subscription) => subscription?.channel === 'custom'),
    'log-without-secret-is-empty: The push log of a subscription without a secret is empty.': () =>
      showLogsOnlyOf((subscription) => Boolean(subscription?.secret)),
    'log-shows-first-of-each-event: The push log of a subscription shows the first delivery of each event alone.':
      () =>
        changeResult('listDeliveries', (values) => {
          const all = values.list as readonly Values[];
          const list = all.filter(
            ({ event }, index) => !all.slice(index + 1).some((older) => older.event === event),
          );
          return { ...values, list, total: list.length };
        }),
    'log-without-failed-publishes: The push log does not show publish.failed.': () =>
      filterLog(({ event }) => event !== 'publish.failed'),
  },
});

type OutcomeTest = (outcome: AttemptOutcome) => boolean;

function lastOutcome({ attempts }: Delivery): AttemptOutcome {
  return attempts.at(-1)?.outcome ?? { error: 'none' };
}

function wasAnswered(...statuses: readonly number[]): OutcomeTest {
  return (outcome) => 'status' in outcome && statuses.includes(outcome.status);
}

function wasAnyStatus(outcome: AttemptOutcome): boolean {
  return 'status' in outcome;
}

/** Counts failed attempts as delivered. */
function acceptOutcome(when: OutcomeTest): Wrap {
  return (steps) => ({
    isDelivered: (delivery, attempt, profile) =>
      when(attempt.outcome) || steps.isDelivered(delivery, attempt, profile),
  });
}

/** Counts failed attempts as delivered where the target took long; in real time, for a moved clock stands still meanwhile. */
function acceptSlowOutcome(when: OutcomeTest): Wrap {
  return withMemory((memory, begun = memory.map<number>('begun')) => (steps) => ({
    message(delivery, now, profile) {
      begun.set(delivery.id, Date.now());
      return steps.message(delivery, now, profile);
    },
    isDelivered(delivery, attempt, profile) {
      const tookMs = Date.now() - (begun.get(delivery.id) ?? Date.now());
      return (tookMs > longMs && when(attempt.outcome)) || steps.isDelivered(delivery, attempt, profile);
    },
  }));
}

/** Counts delivered attempts as failed. */
function retryDeliveredPush(when: (outcome: AttemptOutcome, delivery: Delivery) => boolean): Wrap {
  return (steps) => ({
    isDelivered: (delivery, attempt, profile) =>
      !when(attempt.outcome, delivery) && steps.isDelivered(delivery, attempt, profile),
  });
}

/** Changes when the next retry is due after the attempt that counts as made at `attemptAt`; undefined for never. */
function changeRetryTime(
  change: (due: number | undefined, delivery: Delivery, attemptAt: number) => number | undefined,
): Wrap {
  return (steps) => ({
    nextRetryAt: (delivery, attemptAt, profile) =>
      change(steps.nextRetryAt(delivery, attemptAt, profile), delivery, attemptAt),
  });
}

function stopRetries(when: OutcomeTest, whose: DeliveryTest = () => true): Wrap {
  return changeRetryTime((due, delivery) =>
    when(lastOutcome(delivery)) && whose(delivery) ? undefined : due,
  );
}

function delayRetry(retry: number, ms: number, whose: DeliveryTest = () => true): Wrap {
  return changeRetryTime((due, delivery) =>
    due !== undefined && delivery.retries === retry - 1 && whose(delivery) ? due + ms : due,
  );
}

function addFourthRetry(whose: DeliveryTest): Wrap {
  return changeRetryTime((due, delivery, attemptAt) =>
    delivery.retries === 3 && whose(delivery) ? attemptAt + 30 * minute : due,
  );
}

function filterLog(when: (entry: Values, now: number) => boolean): Wrap {
  return changeResult('listDeliveries', (values, { now }) => {
    const list = (values.list as readonly Values[]).filter((entry) => when(entry, now));
    return { ...values, list, total: list.length };
  });
}

/** Shows the log of other subscriptions as empty. */
function showLogsOnlyOf(when: (subscription: Subscription | undefined) => boolean): Wrap {
  return changeResult('listDeliveries', (values, { world, input }) => {
    const subscription = world.subscriptions.get(String(input.subscriptionID));
    return when(subscription) ? values : { ...values, list: [], total: 0 };
  });
}
