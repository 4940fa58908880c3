import type { Values } from '../service.ts';
import type { AttemptOutcome, Delivery, Subscription } from '../world/entries.ts';
import { isoTime } from '../world/time.ts';
import { type Fault, type Wrap, withMemory } from './fault.ts';
import { changeResult } from './wrap-calls.ts';
import { type DeliveryTest, isLong } from './wrap-pushes.ts';

const minute = 60_000;
/** How long a target may take for an answer that is believed, in milliseconds. */
const longMs = 60;

/** Faults in retries and in the push log. */
export const retryFaults: readonly Fault[] = [
  {
    id: '404-not-retried',
    title: 'A push that is answered with 404 is not retried.',
    requirement: 'RETRY-1',
    wrap: stopRetries(wasAnswered(404)),
  },
  {
    id: 'redirect-taken-for-delivered',
    title: 'A push that is answered with a redirect counts as delivered.',
    requirement: 'RETRY-1',
    wrap: acceptOutcome((outcome) => 'status' in outcome && outcome.status < 400),
  },
  {
    id: '500-not-retried',
    title: 'A push that is answered with 500 is not retried.',
    requirement: 'RETRY-1',
    wrap: stopRetries(wasAnswered(500)),
  },
  {
    id: '400-not-retried',
    title: 'A push that is answered with 400 is not retried.',
    requirement: 'RETRY-1',
    wrap: stopRetries(wasAnswered(400)),
  },
  {
    id: '410-not-retried',
    title: 'A push that is answered with 410 is not retried, as if the target were gone for good.',
    requirement: 'RETRY-1',
    wrap: stopRetries(wasAnswered(410)),
  },
  {
    id: '429-not-retried',
    title: 'A push that is answered with 429 is not retried.',
    requirement: 'RETRY-1',
    wrap: stopRetries(wasAnswered(429)),
  },
  {
    id: '503-not-retried',
    title: 'A push that is answered with 503 is not retried.',
    requirement: 'RETRY-1',
    wrap: stopRetries(wasAnswered(503)),
  },
  {
    id: '401-not-retried',
    title: 'A push that is answered with 401 is not retried.',
    requirement: 'RETRY-1',
    wrap: stopRetries(wasAnswered(401)),
  },
  {
    id: 'rare-refusals-not-retried',
    title: 'A push is retried after the usual statuses of refusals alone: 400, 401, 404, 410 and 429.',
    requirement: 'RETRY-1',
    wrap: stopRetries(
      (outcome) =>
        'status' in outcome &&
        outcome.status > 399 &&
        outcome.status < 500 &&
        ![400, 401, 404, 410, 429].includes(outcome.status),
    ),
  },
  {
    id: 'gateway-errors-taken-for-delivered',
    title: 'A push that is answered with 501 or more counts as delivered, but for 503.',
    requirement: 'RETRY-1',
    wrap: acceptOutcome((outcome) => 'status' in outcome && outcome.status > 500 && outcome.status !== 503),
  },
  {
    id: '307-taken-for-delivered',
    title: 'A push that is answered with 307 counts as delivered.',
    requirement: 'RETRY-1',
    wrap: acceptOutcome(wasAnswered(307)),
  },
  {
    id: 'feishu-not-retried',
    title: 'Pushes on the channel feishu are not retried.',
    requirement: 'RETRY-1',
    wrap: stopRetries(wasAnyStatus, ({ channel }) => channel === 'feishu'),
  },
  {
    id: 'unsigned-not-retried',
    title: 'Pushes to subscriptions without a secret are not retried.',
    requirement: 'RETRY-1',
    wrap: stopRetries(wasAnyStatus, ({ signature }) => signature === undefined),
  },
  {
    id: 'comments-not-retried',
    title: 'Pushes of comment.created are not retried.',
    requirement: 'RETRY-1',
    wrap: stopRetries(wasAnyStatus, ({ event }) => event === 'comment.created'),
  },
  {
    id: 'long-pushes-not-retried',
    title: 'Pushes of more than 4096 bytes are not retried where they are refused with a redirect or 404.',
    requirement: 'RETRY-1',
    wrap: stopRetries(wasAnswered(302, 404), isLong),
  },
  {
    id: 'slow-refusal-taken-for-delivered',
    title: 'A push whose target refuses it only after a while counts as delivered.',
    requirement: 'RETRY-1',
    wrap: acceptSlowOutcome((outcome) => 'status' in outcome),
  },
  {
    id: 'silence-taken-for-delivered',
    title: 'A push whose target takes it and gives no answer counts as delivered.',
    requirement: 'RETRY-2',
    wrap: acceptSlowOutcome((outcome) => 'error' in outcome),
  },
  {
    id: 'refused-connection-not-retried',
    title: 'A push whose connection is refused is not retried.',
    requirement: 'RETRY-2',
    wrap: stopRetries((outcome) => 'error' in outcome && /ECONNREFUSED/.test(outcome.error)),
  },
  {
    id: 'unreachable-taken-for-delivered',
    title: 'A push whose target could not be reached counts as delivered.',
    requirement: 'RETRY-2',
    wrap: acceptOutcome((outcome) => 'error' in outcome),
  },
  {
    id: 'broken-connection-taken-for-delivered',
    title: 'A push whose connection is broken off without an answer counts as delivered.',
    requirement: 'RETRY-2',
    wrap: acceptOutcome((outcome) => 'error' in outcome && !/ECONNREFUSED/.test(outcome.error)),
  },
  {
    id: 'unreachable-retried-once',
    title: 'A push whose target could not be reached is retried once.',
    requirement: 'RETRY-2',
    wrap: stopRetries(
      (outcome) => 'error' in outcome,
      ({ retries }) => retries === 1,
    ),
  },
  {
    id: 'retry-after-two-minutes',
    title: 'The first retry comes after two minutes.',
    requirement: 'RETRY-3',
    wrap: delayRetry(1, minute),
  },
  {
    id: 'first-retry-twenty-seconds-early',
    title: 'The first retry comes after forty seconds.',
    requirement: 'RETRY-3',
    wrap: delayRetry(1, -minute / 3),
  },
  {
    id: 'retry-after-six-minutes',
    title: 'The second retry comes after six minutes.',
    requirement: 'RETRY-3',
    wrap: delayRetry(2, minute),
  },
  {
    id: 'third-retry-a-minute-early',
    title: 'The third retry comes after 29 minutes.',
    requirement: 'RETRY-3',
    wrap: delayRetry(3, -minute),
  },
  {
    id: 'chat-retried-after-three-minutes',
    title: 'The first retry on the chat channels comes after three minutes.',
    requirement: 'RETRY-3',
    wrap: delayRetry(1, 2 * minute, ({ channel }) => channel !== 'custom'),
  },
  {
    id: '404-retried-after-five-minutes',
    title: 'The first retry after an answer of 404 comes after five minutes.',
    requirement: 'RETRY-3',
    wrap: delayRetry(1, 4 * minute, (delivery) => wasAnswered(404)(lastOutcome(delivery))),
  },
  {
    id: 'unreachable-retried-after-two-minutes',
    title: 'The first retry after the target could not be reached comes after two minutes.',
    requirement: 'RETRY-3',
    wrap: delayRetry(1, minute, (delivery) => 'error' in lastOutcome(delivery)),
  },
  {
    id: 'second-retry-a-minute-early',
    title: 'The second retry comes after four minutes.',
    requirement: 'RETRY-3',
    wrap: delayRetry(2, -minute),
  },
  {
    id: 'second-retry-on-chat-late',
    title: 'The second retry on the chat channels comes after fifteen minutes.',
    requirement: 'RETRY-3',
    wrap: delayRetry(2, 10 * minute, ({ channel }) => channel !== 'custom'),
  },
  {
    id: 'third-retry-missing',
    title: 'There are two retries.',
    requirement: 'RETRY-4',
    wrap: changeRetryTime((due, { retries }) => (retries === 2 ? undefined : due)),
  },
  {
    id: 'fourth-retry',
    title: 'There is a fourth retry, 30 minutes after the third.',
    requirement: 'RETRY-4',
    wrap: addFourthRetry(() => true),
  },
  {
    id: 'chat-retried-twice',
    title: 'There are two retries on the chat channels.',
    requirement: 'RETRY-4',
    wrap: changeRetryTime((due, { retries, channel }) =>
      retries === 2 && channel !== 'custom' ? undefined : due,
    ),
  },
  {
    id: 'fourth-retry-without-secret',
    title: 'There is a fourth retry, 30 minutes after the third, where a subscription has no secret.',
    requirement: 'RETRY-4',
    wrap: addFourthRetry(({ signature }) => signature === undefined),
  },
  {
    id: 'retried-although-taken-late',
    title: 'A push that was accepted at its first retry is retried all the same.',
    requirement: 'RETRY-5',
    wrap: retryDeliveredPush((_outcome, { retries }) => retries === 1),
  },
  {
    id: '204-retried',
    title: 'A push that is answered with 204 is retried, as if only 200 were a success.',
    requirement: 'RETRY-5',
    wrap: retryDeliveredPush(wasAnswered(204)),
  },
  {
    id: '201-retried',
    title: 'A push that is answered with 201 is retried.',
    requirement: 'RETRY-5',
    wrap: retryDeliveredPush(wasAnswered(201)),
  },
  {
    id: '202-retried',
    title: 'A push that is answered with 202 is retried.',
    requirement: 'RETRY-5',
    wrap: retryDeliveredPush(wasAnswered(202)),
  },
  {
    id: '206-retried',
    title: 'A push that is answered with 206 is retried.',
    requirement: 'RETRY-5',
    wrap: retryDeliveredPush(wasAnswered(206)),
  },
  {
    id: 'retried-although-taken-at-second-retry',
    title: 'A push that was accepted at its second retry is retried all the same.',
    requirement: 'RETRY-5',
    wrap: retryDeliveredPush((_outcome, { retries }) => retries === 2),
  },
  {
    id: 'chat-retried-although-taken',
    title: 'A push on a chat channel that was accepted at a retry is retried all the same.',
    requirement: 'RETRY-5',
    wrap: retryDeliveredPush((_outcome, { channel, retries }) => channel !== 'custom' && retries > 0),
  },
  {
    id: 'log-shows-failures-only',
    title: 'The push log shows the deliveries that failed, and no others.',
    requirement: 'LOG-1',
    wrap: filterLog(({ state }) => state === 'given-up'),
  },
  {
    id: 'log-forgets-after-a-second',
    title: 'The push log shows the deliveries of the last second.',
    requirement: 'LOG-1',
    wrap: filterLog(({ created_at: at }, now) => String(at) > isoTime(now - 1_000)),
  },
  {
    id: 'log-shows-tests-only',
    title: 'The push log shows the deliveries that were tried more than once.',
    requirement: 'LOG-1',
    wrap: filterLog(({ attempts }) => Array.isArray(attempts) && attempts.length > 1),
  },
  {
    id: 'log-shows-successes-only',
    title: 'The push log does not show the deliveries that failed.',
    requirement: 'LOG-1',
    wrap: filterLog(({ state }) => state === 'delivered'),
  },
  {
    id: 'log-without-chat',
    title: 'The push log shows no deliveries on the chat channels.',
    requirement: 'LOG-1',
    wrap: showLogsOnlyOf((subscription) => subscription?.channel === 'custom'),
  },
  {
    id: 'log-without-secret-is-empty',
    title: 'The push log of a subscription without a secret is empty.',
    requirement: 'LOG-1',
    wrap: showLogsOnlyOf((subscription) => Boolean(subscription?.secret)),
  },
  {
    id: 'log-shows-first-of-each-event',
    title: 'The push log of a subscription shows the first delivery of each event alone.',
    requirement: 'LOG-1',
    wrap: changeResult('listDeliveries', (values) => {
      const all = values.list as readonly Values[];
      const list = all.filter(
        ({ event }, index) => !all.slice(index + 1).some((older) => older.event === event),
      );
      return { ...values, list, total: list.length };
    }),
  },
  {
    id: 'log-without-failed-publishes',
    title: 'The push log does not show publish.failed.',
    requirement: 'LOG-1',
    wrap: filterLog(({ event }) => event !== 'publish.failed'),
  },
];

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
