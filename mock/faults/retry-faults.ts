import type { Delivery } from '../world/entries.ts';
import { after, always, both, combineWraps, faultsOf, not, type Wrap, withMemory } from './fault.ts';
import { isChat, onChannel } from './subscription-tools.ts';
import { changeList } from './wrap-calls.ts';
import {
  changeSent,
  type DeliveryTest,
  isEvent,
  isLong,
  isNthRetry,
  isRetry,
  isUnsigned,
  lastOutcome,
  wasAnswered,
  wasStatus,
  wasUnreachable,
} from './wrap-pushes.ts';

const wasRefused: DeliveryTest = (delivery) => /ECONNREFUSED/.test(lastOutcome(delivery).error ?? '');
const minuteMs = 60_000;
/** Milliseconds after which an outcome counts as slow. */
const longMs = 95;

export const retryFaults = faultsOf({
  'RETRY-1 404-not-retried: A push is not retried after status 404.': () => stopRetriesAfter(404),
  'RETRY-1 redirect-taken-for-delivered: A push counts as delivered after a redirect.': () =>
    acceptOutcome(wasBetween(0, 399)),
  'RETRY-1 500-not-retried: A push is not retried after status 500.': () => stopRetriesAfter(500),
  'RETRY-1 400-not-retried: A push is not retried after status 400.': () => stopRetriesAfter(400),
  'RETRY-1 410-not-retried: A push is not retried after status 410, as if the target no longer existed.':
    () => stopRetriesAfter(410),
  'RETRY-1 429-not-retried: A push is not retried after status 429.': () => stopRetriesAfter(429),
  'RETRY-1 503-not-retried: A push is not retried after status 503.': () => stopRetriesAfter(503),
  'RETRY-1 401-not-retried: A push is not retried after status 401.': () => stopRetriesAfter(401),
  'RETRY-1 rare-refusals-not-retried: A push is retried only after the common client errors: 400, 401, 404, 410 and 429.':
    () => stopRetries(both(wasBetween(400, 499), not(wasStatus(400, 401, 404, 410, 429)))),
  'RETRY-1 gateway-errors-taken-for-delivered: A push counts as delivered after status 501 or higher, except 503.':
    () => acceptOutcome(both(wasBetween(501, 999), not(wasStatus(503)))),
  'RETRY-1 307-taken-for-delivered: A push counts as delivered after status 307.': () =>
    acceptOutcome(wasStatus(307)),
  'RETRY-1 feishu-not-retried: Pushes on the channel feishu are not retried.': () =>
    stopRetries(both(wasAnswered, onChannel('feishu'))),
  'RETRY-1 unsigned-not-retried: Pushes to subscriptions without a secret are not retried.': () =>
    stopRetries(both(isUnsigned, wasAnswered)),
  'RETRY-1 comments-not-retried: Pushes of comment.created are not retried.': () =>
    stopRetries(both(wasAnswered, isEvent('comment.created'))),
  'RETRY-1 long-pushes-not-retried: Pushes of more than 4096 bytes are not retried after a redirect or 404.':
    () => stopRetries(both(isLong, wasStatus(302, 404))),
  'RETRY-1 slow-refusal-taken-for-delivered: A push counts as delivered if the target rejects it slowly.':
    () => acceptSlowOutcome(wasAnswered),
  'RETRY-2 silence-taken-for-delivered: A push counts as delivered if the target accepts it but never answers.':
    () => acceptSlowOutcome(wasUnreachable),
  'RETRY-2 refused-connection-not-retried: A push is not retried if the connection is refused.': () =>
    stopRetries(wasRefused),
  'RETRY-2 unreachable-taken-for-delivered: A push counts as delivered if the target cannot be reached.':
    () => acceptOutcome(wasUnreachable),
  'RETRY-2 broken-connection-taken-for-delivered: A push counts as delivered if the connection breaks without an answer.':
    () => acceptOutcome(both(wasUnreachable, not(wasRefused))),
  'RETRY-2 unreachable-retried-once: A push is retried only once if the target cannot be reached.': () =>
    stopRetries(both(wasUnreachable, isNthRetry(1))),
  'RETRY-3 retry-after-two-minutes: The first retry comes after two minutes.': () => delayRetry(1, 1),
  'RETRY-3 first-retry-twenty-seconds-early: The first retry comes after 40 seconds.': () =>
    delayRetry(1, -1 / 3),
  'RETRY-3 retry-after-six-minutes: The second retry comes after six minutes.': () => delayRetry(2, 1),
  'RETRY-3 third-retry-a-minute-early: The third retry comes after 29 minutes.': () => delayRetry(3, -1),
  'RETRY-3 chat-retried-after-three-minutes: The first retry on the chat channels comes after three minutes.':
    () => delayRetry(1, 2, isChat),
  'RETRY-3 404-retried-after-five-minutes: The first retry after status 404 comes after five minutes.': () =>
    delayRetry(1, 4, wasStatus(404)),
  'RETRY-3 unreachable-retried-after-two-minutes: If the target cannot be reached, the first retry comes after two minutes.':
    () => delayRetry(1, 1, wasUnreachable),
  'RETRY-3 second-retry-a-minute-early: The second retry comes after four minutes.': () => delayRetry(2, -1),
  'RETRY-3 second-retry-on-chat-late: The second retry on the chat channels comes after fifteen minutes.':
    () => delayRetry(2, 10, isChat),
  'RETRY-4 third-retry-missing: There are only two retries.': () => stopRetries(isNthRetry(2)),
  'RETRY-4 fourth-retry: There is a fourth retry, 30 minutes after the third.': () => addFourthRetry(always),
  'RETRY-4 chat-retried-twice: There are only two retries on the chat channels.': () =>
    stopRetries(both(isNthRetry(2), isChat)),
  'RETRY-4 fourth-retry-without-secret: If a subscription has no secret, there is a fourth retry, 30 minutes after the third.':
    () => addFourthRetry(isUnsigned),
  'RETRY-5 retried-although-taken-late: A push is retried even though its first retry was accepted.': () =>
    retryDelivered(isNthRetry(1)),
  'RETRY-5 204-retried: A push is retried after status 204, as if only 200 were a success.': () =>
    retryDelivered(wasStatus(204)),
  'RETRY-5 201-retried: A push is retried after status 201.': () => retryDelivered(wasStatus(201)),
  'RETRY-5 202-retried: A push is retried after status 202.': () => retryDelivered(wasStatus(202)),
  'RETRY-5 206-retried: A push is retried after status 206.': () => retryDelivered(wasStatus(206)),
  'RETRY-5 retried-although-taken-at-second-retry: A push is retried even though its second retry was accepted.':
    () => retryDelivered(isNthRetry(2)),
  'RETRY-5 chat-retried-although-taken: A push on a chat channel is retried even though a retry was accepted.':
    () => retryDelivered(both(isRetry, isChat)),
  'LOG-1 log-shows-failures-only: The push log shows only failed deliveries.': () =>
    filterLog(({ state }) => state === 'given-up'),
  'LOG-1 log-forgets-after-a-second: The push log shows only the deliveries of the last second.': () =>
    filterLog(({ createdAt }, now) => createdAt > now - 1_000),
  'LOG-1 log-shows-tests-only: The push log shows only deliveries with more than one attempt.': () =>
    filterLog(({ attempts }) => attempts.length > 1),
  'LOG-1 log-shows-successes-only: The push log does not show failed deliveries.': () =>
    filterLog(({ state }) => state === 'delivered'),
  'LOG-1 log-without-chat: The push log shows no deliveries on the chat channels.': () =>
    filterLog(onChannel('custom')),
  'LOG-1 log-without-secret-is-empty: The push log of a subscription without a secret is empty.': () =>
    filterLog(not(isUnsigned)),
  'LOG-1 log-shows-first-of-each-event: The push log of a subscription shows only the first delivery of each event.':
    () =>
      changeList('listDeliveries', (list) =>
        list.filter(({ event }, index) => !list.slice(index + 1).some((older) => older.event === event)),
      ),
  'LOG-1 log-without-failed-publishes: The push log does not show publish.failed.': () =>
    filterLog(not(isEvent('publish.failed'))),
});

function wasBetween(least: number, most: number): DeliveryTest {
  return (delivery) => {
    const { status = -1 } = lastOutcome(delivery);
    return status >= least && status <= most;
  };
}

function acceptOutcome(when: DeliveryTest): Wrap {
  return after('isDelivered', (isDelivered, delivery) => isDelivered || when(delivery));
}

/** Measures real time, because a manual clock does not advance during an attempt. */
function acceptSlowOutcome(when: DeliveryTest): Wrap {
  return withMemory((memory, begun = memory.map<number>('begun')) =>
    combineWraps(
      changeSent(always, (_message, { id }) => {
        begun.set(id, Date.now());
        return {};
      }),
      acceptOutcome(both(when, ({ id }) => Date.now() - (begun.get(id) ?? Date.now()) > longMs)),
    ),
  );
}

function retryDelivered(when: DeliveryTest): Wrap {
  return after('isDelivered', (isDelivered, delivery) => isDelivered && !when(delivery));
}

function stopRetries(when: DeliveryTest): Wrap {
  return after('nextRetryAt', (due, delivery) => (when(delivery) ? undefined : due));
}

function stopRetriesAfter(status: number): Wrap {
  return stopRetries(wasStatus(status));
}

function delayRetry(retry: number, minutes: number, when: DeliveryTest = always): Wrap {
  const isDelayed = both(isNthRetry(retry - 1), when);
  return after('nextRetryAt', (due, delivery) =>
    due !== undefined && isDelayed(delivery) ? due + minutes * minuteMs : due,
  );
}

function addFourthRetry(when: DeliveryTest): Wrap {
  const isLast = both(isNthRetry(3), when);
  return after('nextRetryAt', (due, delivery, at) => (isLast(delivery) ? at + 30 * minuteMs : due));
}

function filterLog(when: (delivery: Delivery, now: number) => boolean): Wrap {
  return changeList('listDeliveries', (list, { world, now }) =>
    list.filter(({ id }) => {
      const delivery = world.deliveries.get(Number(id));
      return delivery && when(delivery, now);
    }),
  );
}
