import { dateTime } from '../operations/pages.ts';
import type { Values } from '../service.ts';
import type { AttemptOutcome, Delivery } from '../world/world.ts';
import type { Fault, Wrap } from './fault.ts';
import { wrapHandler } from './wrap-calls.ts';

const minute = 60_000;

/** Of retries, and of the push log. */
export const retryFaults: readonly Fault[] = [
  {
    id: '404-not-retried',
    title: 'A push that is answered with 404 is not retried.',
    requirement: 'RETRY-1',
    wrap: givingUp((outcome) => 'status' in outcome && outcome.status === 404),
  },
  {
    id: 'redirect-taken-for-delivered',
    title: 'A push that is answered with a redirect counts as delivered.',
    requirement: 'RETRY-1',
    wrap: (steps) => ({
      isDelivered: (delivery, attempt, profile) =>
        ('status' in attempt.outcome && attempt.outcome.status < 400) ||
        steps.isDelivered(delivery, attempt, profile),
    }),
  },
  {
    id: '500-not-retried',
    title: 'A push that is answered with 500 is not retried.',
    requirement: 'RETRY-1',
    wrap: givingUp(wasAnswered(500)),
  },
  {
    id: '400-not-retried',
    title: 'A push that is answered with 400 is not retried.',
    requirement: 'RETRY-1',
    wrap: givingUp(wasAnswered(400)),
  },
  {
    id: '410-not-retried',
    title: 'A push that is answered with 410 is not retried, as if the target were gone for good.',
    requirement: 'RETRY-1',
    wrap: givingUp(wasAnswered(410)),
  },
  {
    id: '429-not-retried',
    title: 'A push that is answered with 429 is not retried.',
    requirement: 'RETRY-1',
    wrap: givingUp(wasAnswered(429)),
  },
  {
    id: '503-not-retried',
    title: 'A push that is answered with 503 is not retried.',
    requirement: 'RETRY-1',
    wrap: givingUp(wasAnswered(503)),
  },
  {
    id: '401-not-retried',
    title: 'A push that is answered with 401 is not retried.',
    requirement: 'RETRY-1',
    wrap: givingUp(wasAnswered(401)),
  },
  {
    id: '307-taken-for-delivered',
    title: 'A push that is answered with 307 counts as delivered.',
    requirement: 'RETRY-1',
    wrap: (steps) => ({
      isDelivered: (delivery, attempt, profile) =>
        wasAnswered(307)(attempt.outcome) || steps.isDelivered(delivery, attempt, profile),
    }),
  },
  {
    id: 'feishu-not-retried',
    title: 'Pushes on the channel feishu are not retried.',
    requirement: 'RETRY-1',
    wrap: givingUp(wasAnyStatus, ({ channel }) => channel === 'feishu'),
  },
  {
    id: 'unsigned-not-retried',
    title: 'Pushes to subscriptions without a secret are not retried.',
    requirement: 'RETRY-1',
    wrap: givingUp(wasAnyStatus, ({ signature }) => signature === undefined),
  },
  {
    id: 'comments-not-retried',
    title: 'Pushes of comment.created are not retried.',
    requirement: 'RETRY-1',
    wrap: givingUp(wasAnyStatus, ({ event }) => event === 'comment.created'),
  },
  {
    id: 'long-pushes-not-retried',
    title: 'Pushes of more than 4096 bytes are not retried where they are refused with a redirect or 404.',
    requirement: 'RETRY-1',
    wrap: givingUp(
      (outcome) => wasAnswered(302)(outcome) || wasAnswered(404)(outcome),
      ({ body }) => Buffer.byteLength(body) > 4_096,
    ),
  },
  {
    id: 'refused-connection-not-retried',
    title: 'A push whose connection is refused is not retried.',
    requirement: 'RETRY-2',
    wrap: givingUp((outcome) => 'error' in outcome && /ECONNREFUSED/.test(outcome.error)),
  },
  {
    id: 'unreachable-taken-for-delivered',
    title: 'A push whose target could not be reached counts as delivered.',
    requirement: 'RETRY-2',
    wrap: (steps) => ({
      isDelivered: (delivery, attempt, profile) =>
        'error' in attempt.outcome || steps.isDelivered(delivery, attempt, profile),
    }),
  },
  {
    id: 'broken-connection-taken-for-delivered',
    title: 'A push whose connection is broken off without an answer counts as delivered.',
    requirement: 'RETRY-2',
    wrap: (steps) => ({
      isDelivered: (delivery, attempt, profile) =>
        ('error' in attempt.outcome && !/ECONNREFUSED/.test(attempt.outcome.error)) ||
        steps.isDelivered(delivery, attempt, profile),
    }),
  },
  {
    id: 'unreachable-retried-once',
    title: 'A push whose target could not be reached is retried once.',
    requirement: 'RETRY-2',
    wrap: givingUp(
      (outcome) => 'error' in outcome,
      ({ retries }) => retries === 1,
    ),
  },
  {
    id: 'retry-after-two-minutes',
    title: 'The first retry comes after two minutes.',
    requirement: 'RETRY-3',
    wrap: delaying(1, minute),
  },
  {
    id: 'retry-after-six-minutes',
    title: 'The second retry comes after six minutes.',
    requirement: 'RETRY-3',
    wrap: delaying(2, minute),
  },
  {
    id: 'third-retry-a-minute-early',
    title: 'The third retry comes after 29 minutes.',
    requirement: 'RETRY-3',
    wrap: delaying(3, -minute),
  },
  {
    id: 'chat-retried-after-three-minutes',
    title: 'The first retry on the chat channels comes after three minutes.',
    requirement: 'RETRY-3',
    wrap: delaying(1, 2 * minute, ({ channel }) => channel !== 'custom'),
  },
  {
    id: '404-retried-after-five-minutes',
    title: 'The first retry after an answer of 404 comes after five minutes.',
    requirement: 'RETRY-3',
    wrap: delaying(1, 4 * minute, (delivery) => wasAnswered(404)(lastOutcome(delivery))),
  },
  {
    id: 'unreachable-retried-after-two-minutes',
    title: 'The first retry after the target could not be reached comes after two minutes.',
    requirement: 'RETRY-3',
    wrap: delaying(1, minute, (delivery) => 'error' in lastOutcome(delivery)),
  },
  {
    id: 'second-retry-a-minute-early',
    title: 'The second retry comes after four minutes.',
    requirement: 'RETRY-3',
    wrap: delaying(2, -minute),
  },
  {
    id: 'second-retry-on-chat-late',
    title: 'The second retry on the chat channels comes after fifteen minutes.',
    requirement: 'RETRY-3',
    wrap: delaying(2, 10 * minute, ({ channel }) => channel !== 'custom'),
  },
  {
    id: 'third-retry-missing',
    title: 'There are two retries.',
    requirement: 'RETRY-4',
    wrap: (steps) => ({
      nextRetryAt: (delivery, reckoned, profile) =>
        delivery.retries === 2 ? undefined : steps.nextRetryAt(delivery, reckoned, profile),
    }),
  },
  {
    id: 'fourth-retry',
    title: 'There is a fourth retry, 30 minutes after the third.',
    requirement: 'RETRY-4',
    wrap: (steps) => ({
      nextRetryAt: (delivery, reckoned, profile) =>
        delivery.retries === 3 ? reckoned + 30 * minute : steps.nextRetryAt(delivery, reckoned, profile),
    }),
  },
  {
    id: 'chat-retried-twice',
    title: 'There are two retries on the chat channels.',
    requirement: 'RETRY-4',
    wrap: (steps) => ({
      nextRetryAt: (delivery, reckoned, profile) =>
        delivery.retries === 2 && delivery.channel !== 'custom'
          ? undefined
          : steps.nextRetryAt(delivery, reckoned, profile),
    }),
  },
  {
    id: 'fourth-retry-without-secret',
    title: 'There is a fourth retry, 30 minutes after the third, where a subscription has no secret.',
    requirement: 'RETRY-4',
    wrap: (steps) => ({
      nextRetryAt: (delivery, reckoned, profile) =>
        delivery.retries === 3 && delivery.signature === undefined
          ? reckoned + 30 * minute
          : steps.nextRetryAt(delivery, reckoned, profile),
    }),
  },
  {
    id: 'retried-although-taken-late',
    title: 'A push that was taken at its first retry is retried all the same.',
    requirement: 'RETRY-5',
    wrap: goingOn(({ retries }) => retries === 1),
  },
  {
    id: '204-retried',
    title: 'A push that is answered with 204 is retried, as if only 200 were a success.',
    requirement: 'RETRY-5',
    wrap: goingOn((_delivery, outcome) => 'status' in outcome && outcome.status === 204),
  },
  {
    id: '201-retried',
    title: 'A push that is answered with 201 is retried.',
    requirement: 'RETRY-5',
    wrap: goingOn((_delivery, outcome) => wasAnswered(201)(outcome)),
  },
  {
    id: '202-retried',
    title: 'A push that is answered with 202 is retried.',
    requirement: 'RETRY-5',
    wrap: goingOn((_delivery, outcome) => wasAnswered(202)(outcome)),
  },
  {
    id: '206-retried',
    title: 'A push that is answered with 206 is retried.',
    requirement: 'RETRY-5',
    wrap: goingOn((_delivery, outcome) => wasAnswered(206)(outcome)),
  },
  {
    id: 'retried-although-taken-at-second-retry',
    title: 'A push that was taken at its second retry is retried all the same.',
    requirement: 'RETRY-5',
    wrap: goingOn(({ retries }) => retries === 2),
  },
  {
    id: 'chat-retried-although-taken',
    title: 'A push on a chat channel that was taken at a retry is retried all the same.',
    requirement: 'RETRY-5',
    wrap: goingOn(({ channel, retries }) => channel !== 'custom' && retries > 0),
  },
  {
    id: 'log-shows-failures-only',
    title: 'The push log shows the deliveries that failed, and no others.',
    requirement: 'LOG-1',
    wrap: logging(({ state }) => state === 'given-up'),
  },
  {
    id: 'log-forgets-after-a-second',
    title: 'The push log shows the deliveries of the last second.',
    requirement: 'LOG-1',
    wrap: logging(({ created_at: at }, now) => String(at) > dateTime(now - 1_000)),
  },
  {
    id: 'log-shows-tests-only',
    title: 'The push log shows the deliveries that were tried more than once.',
    requirement: 'LOG-1',
    wrap: logging(({ attempts }) => Array.isArray(attempts) && attempts.length > 1),
  },
  {
    id: 'log-shows-successes-only',
    title: 'The push log does not show the deliveries that failed.',
    requirement: 'LOG-1',
    wrap: logging(({ state }) => state === 'delivered'),
  },
  {
    id: 'log-without-chat',
    title: 'The push log shows no deliveries on the chat channels.',
    requirement: 'LOG-1',
    wrap: wrapHandler(['listDeliveries'], async (call, own) => {
      const values = await own(call);
      const subscription = call.world.subscriptions.get(String(call.input.subscriptionID));
      return subscription?.channel === 'custom' ? values : { ...values, list: [], total: 0 };
    }),
  },
  {
    id: 'log-without-secret-is-empty',
    title: 'The push log of a subscription without a secret is empty.',
    requirement: 'LOG-1',
    wrap: wrapHandler(['listDeliveries'], async (call, own) => {
      const values = await own(call);
      const subscription = call.world.subscriptions.get(String(call.input.subscriptionID));
      return subscription?.secret ? values : { ...values, list: [], total: 0 };
    }),
  },
  {
    id: 'log-without-failed-publishes',
    title: 'The push log does not show publish.failed.',
    requirement: 'LOG-1',
    wrap: logging(({ event }) => event !== 'publish.failed'),
  },
];

function lastOutcome({ attempts }: Delivery): AttemptOutcome {
  return attempts.at(-1)?.outcome ?? { error: 'none' };
}

function wasAnswered(status: number): (outcome: AttemptOutcome) => boolean {
  return (outcome) => 'status' in outcome && outcome.status === status;
}

function wasAnyStatus(outcome: AttemptOutcome): boolean {
  return 'status' in outcome;
}

function givingUp(
  when: (outcome: AttemptOutcome) => boolean,
  whose: (delivery: Delivery) => boolean = () => true,
): Wrap {
  return (steps) => ({
    nextRetryAt: (delivery, reckoned, profile) =>
      when(lastOutcome(delivery)) && whose(delivery)
        ? undefined
        : steps.nextRetryAt(delivery, reckoned, profile),
  });
}

function delaying(retry: number, ms: number, whose: (delivery: Delivery) => boolean = () => true): Wrap {
  return (steps) => ({
    nextRetryAt(delivery, reckoned, profile) {
      const due = steps.nextRetryAt(delivery, reckoned, profile);
      return due !== undefined && delivery.retries === retry - 1 && whose(delivery) ? due + ms : due;
    },
  });
}

/** Retries what was delivered. */
function goingOn(when: (delivery: Delivery, outcome: AttemptOutcome) => boolean): Wrap {
  return (steps) => ({
    isDelivered: (delivery, attempt, profile) =>
      !when(delivery, attempt.outcome) && steps.isDelivered(delivery, attempt, profile),
  });
}

function logging(when: (entry: Values, now: number) => boolean): Wrap {
  return wrapHandler(['listDeliveries'], async (call, own) => {
    const values = await own(call);
    const list = (values.list as readonly Values[]).filter((entry) => when(entry, call.now));
    return { ...values, list, total: list.length };
  });
}
