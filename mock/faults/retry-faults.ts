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
  'RETRY-1 404-not-retried: sends no retry after status 404': () => stopRetriesAfter(404),
  'RETRY-1 redirect-taken-for-delivered: counts a redirect as delivered': () =>
    acceptOutcome(wasBetween(0, 399)),
  'RETRY-1 500-not-retried: sends no retry after status 500': () => stopRetriesAfter(500),
  'RETRY-1 400-not-retried: sends no retry after status 400': () => stopRetriesAfter(400),
  'RETRY-1 410-not-retried: sends no retry after status 410, as if the target had been removed': () =>
    stopRetriesAfter(410),
  'RETRY-1 429-not-retried: sends no retry after status 429': () => stopRetriesAfter(429),
  'RETRY-1 503-not-retried: sends no retry after status 503': () => stopRetriesAfter(503),
  'RETRY-1 401-not-retried: sends no retry after status 401': () => stopRetriesAfter(401),
  'RETRY-1 rare-refusals-not-retried: retries after status 400, 401, 404, 410 and 429, but no other 4xx':
    () => stopRetries(both(wasBetween(400, 499), not(wasStatus(400, 401, 404, 410, 429)))),
  'RETRY-1 gateway-errors-taken-for-delivered: counts status 501 and higher, except 503, as delivered': () =>
    acceptOutcome(both(wasBetween(501, 999), not(wasStatus(503)))),
  'RETRY-1 307-taken-for-delivered: counts status 307 as delivered': () => acceptOutcome(wasStatus(307)),
  'RETRY-1 feishu-not-retried: sends no retry on the channel feishu': () =>
    stopRetries(both(wasAnswered, onChannel('feishu'))),
  'RETRY-1 unsigned-not-retried: sends no retry to subscriptions without a secret': () =>
    stopRetries(both(isUnsigned, wasAnswered)),
  'RETRY-1 comments-not-retried: sends no retry of comment.created': () =>
    stopRetries(both(wasAnswered, isEvent('comment.created'))),
  'RETRY-1 long-pushes-not-retried: sends no retry of over 4096 bytes after a redirect or 404': () =>
    stopRetries(both(isLong, wasStatus(302, 404))),
  'RETRY-1 slow-refusal-taken-for-delivered: counts a slow rejection as delivered': () =>
    acceptSlowOutcome(wasAnswered),
  'RETRY-2 silence-taken-for-delivered: counts a push as delivered if the target never answers it': () =>
    acceptSlowOutcome(wasUnreachable),
  'RETRY-2 refused-connection-not-retried: sends no retry if the connection is refused': () =>
    stopRetries(wasRefused),
  'RETRY-2 unreachable-taken-for-delivered: counts a push as delivered if the target cannot be reached': () =>
    acceptOutcome(wasUnreachable),
  'RETRY-2 broken-connection-taken-for-delivered: counts a push as delivered if the connection breaks without an answer':
    () => acceptOutcome(both(wasUnreachable, not(wasRefused))),
  'RETRY-2 unreachable-retried-once: sends only one retry if the target cannot be reached': () =>
    stopRetries(both(wasUnreachable, isNthRetry(1))),
  'RETRY-3 retry-after-two-minutes: sends the first retry after two minutes': () => delayRetry(1, 1),
  'RETRY-3 first-retry-twenty-seconds-early: sends the first retry after 40 seconds': () =>
    delayRetry(1, -1 / 3),
  'RETRY-3 retry-after-six-minutes: sends the second retry after six minutes': () => delayRetry(2, 1),
  'RETRY-3 third-retry-a-minute-early: sends the third retry after 29 minutes': () => delayRetry(3, -1),
  'RETRY-3 chat-retried-after-three-minutes: sends the first retry on the chat channels after three minutes':
    () => delayRetry(1, 2, isChat),
  'RETRY-3 404-retried-after-five-minutes: sends the first retry after status 404 after five minutes': () =>
    delayRetry(1, 4, wasStatus(404)),
  'RETRY-3 unreachable-retried-after-two-minutes: sends the first retry after two minutes if the target was unreachable':
    () => delayRetry(1, 1, wasUnreachable),
  'RETRY-3 second-retry-a-minute-early: sends the second retry after four minutes': () => delayRetry(2, -1),
  'RETRY-3 second-retry-on-chat-late: sends the second retry on the chat channels after fifteen minutes':
    () => delayRetry(2, 10, isChat),
  'RETRY-4 third-retry-missing: sends only two retries': () => stopRetries(isNthRetry(2)),
  'RETRY-4 fourth-retry: sends a fourth retry, 30 minutes after the third': () => addFourthRetry(always),
  'RETRY-4 chat-retried-twice: sends only two retries on the chat channels': () =>
    stopRetries(both(isNthRetry(2), isChat)),
  'RETRY-4 fourth-retry-without-secret: sends a fourth retry after 30 minutes if the subscription has no secret':
    () => addFourthRetry(isUnsigned),
  'RETRY-5 retried-although-taken-late: sends the second retry even if the first one succeeded': () =>
    retryDelivered(isNthRetry(1)),
  'RETRY-5 204-retried: sends a retry after status 204, as if only 200 were success': () =>
    retryDelivered(wasStatus(204)),
  'RETRY-5 201-retried: sends a retry after status 201': () => retryDelivered(wasStatus(201)),
  'RETRY-5 202-retried: sends a retry after status 202': () => retryDelivered(wasStatus(202)),
  'RETRY-5 206-retried: sends a retry after status 206': () => retryDelivered(wasStatus(206)),
  'RETRY-5 retried-although-taken-at-second-retry: sends the third retry even if the second one succeeded':
    () => retryDelivered(isNthRetry(2)),
  'RETRY-5 chat-retried-although-taken: sends further retries on a chat channel even if one succeeded': () =>
    retryDelivered(both(isRetry, isChat)),
  'LOG-1 log-shows-failures-only: shows only failed deliveries in the push log': () =>
    filterLog(({ state }) => state === 'given-up'),
  'LOG-1 log-forgets-after-a-second: shows only the deliveries of the last second in the push log': () =>
    filterLog(({ createdAt }, now) => createdAt > now - 1_000),
  'LOG-1 log-shows-tests-only: shows only deliveries with more than one attempt in the push log': () =>
    filterLog(({ attempts }) => attempts.length > 1),
  'LOG-1 log-shows-successes-only: omits failed deliveries from the push log': () =>
    filterLog(({ state }) => state === 'delivered'),
  'LOG-1 log-without-chat: omits deliveries on the chat channels from the push log': () =>
    filterLog(onChannel('custom')),
  'LOG-1 log-without-secret-is-empty: shows an empty push log for subscriptions without a secret': () =>
    filterLog(not(isUnsigned)),
  'LOG-1 log-shows-first-of-each-event: shows only the first delivery of each event in the push log': () =>
    changeList('listDeliveries', (list) =>
      list.filter(({ event }, index) => !list.slice(index + 1).some((older) => older.event === event)),
    ),
  'LOG-1 log-without-failed-publishes: omits publish.failed from the push log': () =>
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
