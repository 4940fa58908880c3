import type { Values } from '../operations/call.ts';
import { dateTime } from '../operations/pages.ts';
import type { AttemptOutcome, Delivery } from '../world.ts';
import type { Fault, Wrap } from './fault.ts';
import { handling } from './wrap-calls.ts';

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
    wrap: (parts) => ({
      isDelivered: (delivery, attempt, profile) =>
        ('status' in attempt.outcome && attempt.outcome.status < 400) ||
        parts.isDelivered(delivery, attempt, profile),
    }),
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
    wrap: (parts) => ({
      isDelivered: (delivery, attempt, profile) =>
        'error' in attempt.outcome || parts.isDelivered(delivery, attempt, profile),
    }),
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
    id: 'third-retry-missing',
    title: 'There are two retries.',
    requirement: 'RETRY-4',
    wrap: (parts) => ({
      nextRetryAt: (delivery, reckoned, profile) =>
        delivery.retries === 2 ? undefined : parts.nextRetryAt(delivery, reckoned, profile),
    }),
  },
  {
    id: 'fourth-retry',
    title: 'There is a fourth retry, 30 minutes after the third.',
    requirement: 'RETRY-4',
    wrap: (parts) => ({
      nextRetryAt: (delivery, reckoned, profile) =>
        delivery.retries === 3 ? reckoned + 30 * minute : parts.nextRetryAt(delivery, reckoned, profile),
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
];

function outcomeOf({ attempts }: Delivery): AttemptOutcome | undefined {
  return attempts.at(-1)?.outcome;
}

function givingUp(when: (outcome: AttemptOutcome) => boolean): Wrap {
  return (parts) => ({
    nextRetryAt(delivery, reckoned, profile) {
      const outcome = outcomeOf(delivery);
      return outcome && when(outcome) ? undefined : parts.nextRetryAt(delivery, reckoned, profile);
    },
  });
}

function delaying(retry: number, ms: number): Wrap {
  return (parts) => ({
    nextRetryAt(delivery, reckoned, profile) {
      const due = parts.nextRetryAt(delivery, reckoned, profile);
      return due !== undefined && delivery.retries === retry - 1 ? due + ms : due;
    },
  });
}

/** Retries what was delivered. */
function goingOn(when: (delivery: Delivery, outcome: AttemptOutcome) => boolean): Wrap {
  return (parts) => ({
    isDelivered: (delivery, attempt, profile) =>
      !when(delivery, attempt.outcome) && parts.isDelivered(delivery, attempt, profile),
  });
}

function logging(when: (entry: Values, now: number) => boolean): Wrap {
  return handling(['listDeliveries'], async (call, own) => {
    const values = await own(call);
    const list = (values.list as readonly Values[]).filter((entry) => when(entry, call.now));
    return { ...values, list, total: list.length };
  });
}
