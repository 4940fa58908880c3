// Duplicates, order and age. Only answers are checked, because processing is not visible from outside.
import { minuteMs, retryDelaysMs } from '../../core/documented-limits.ts';
import { timestampOf } from '../event-samples.ts';
import { requireAccepted, requireNoBreakdown } from '../expect-push.ts';
import { unixTime } from '../make-push.ts';
import { advice, type ReceiverCheck } from '../receiver-check.ts';
import type { ReceiverContext } from '../receiver-context.ts';

const dayMs = 24 * 60 * minuteMs;
const lastRetryMinutes = retryDelaysMs.reduce((sum, delay) => sum + delay, 0) / minuteMs;

export const repeats: readonly ReceiverCheck[] = [
  advice('duplicate', {
    what: 'the same push again, as a retry after a lost answer',
    pushes: 2,
    run: async (context) => {
      const { push } = await context.sendNew();
      requireAccepted('a repeated push', await context.send(push));
    },
  }),
  advice('duplicates-at-once', {
    what: 'the same push twice at once',
    pushes: 2,
    run: async (context) => {
      const push = context.factory.makePush();
      const both = await Promise.all([context.send(push), context.send(push)]);
      for (const trial of both) requireAccepted('a push sent twice at once', trial);
    },
  }),
  advice('retry-after-hang-up', {
    what: 'the same push again after the sender closed the connection before the answer',
    pushes: 2,
    run: async (context) => {
      const push = context.factory.makePush();
      await context.sendOnce({ ...push, transport: { hangUp: 'sent' } });
      requireAccepted('a push repeated after its sender closed the connection', await context.send(push));
    },
  }),
  advice('duplicate-with-new-timestamp', {
    what: 'the same body with a later X-Webhook-Timestamp, as in a retry',
    pushes: 2,
    run: async (context) => {
      const { push } = await context.sendNew();
      const timestamp = unixTime(Date.now() + 5_000, context.factory.usual.unit);
      const trial = await context.sendNew({ body: push.body, timestamp });
      requireAccepted('a repeated push with a later X-Webhook-Timestamp', trial);
    },
  }),
  advice('older-after-newer', {
    what: 'an older event after a newer one, as in a retry',
    pushes: 2,
    run: async (context) => {
      await context.sendNew();
      const trial = await tryAged(context, minuteMs);
      requireAccepted('an event one minute older than the previous one', trial);
    },
  }),
  advice('late-retry', {
    what: `an event from ${lastRetryMinutes} minutes ago, as in the third retry`,
    pushes: 1,
    run: async (context) => {
      const trial = await tryAged(context, lastRetryMinutes * minuteMs);
      requireAccepted(`a push whose body is ${lastRetryMinutes} minutes old, as in the third retry`, trial);
    },
  }),
  advice('timestamp-header', {
    what: 'X-Webhook-Timestamps that are old, in the future, in another unit or not a number; accept or refuse',
    pushes: 7,
    run: async (context) => {
      for (const timestamp of unusualTimestamps(context)) {
        const trial = await context.sendNew({ timestamp });
        requireNoBreakdown(`X-Webhook-Timestamp: ${timestamp}`, trial);
      }
    },
  }),
];

function tryAged(context: ReceiverContext, ageMs: number) {
  const offset = context.options.profile.values['webhook.timestamp-offset'];
  return context.sendNew({
    change: (body) => ({ ...body, timestamp: timestampOf(Date.now() - ageMs, offset) }),
  });
}

function unusualTimestamps({ factory }: ReceiverContext): string[] {
  const { unit } = factory.usual;
  const other = unit === 'seconds' ? 'milliseconds' : 'seconds';
  return [
    ...[-6 * minuteMs, -40 * minuteMs, -dayMs, dayMs].map((shift) => unixTime(Date.now() + shift, unit)),
    unixTime(Date.now(), other),
    'yesterday',
    '-1e999',
  ];
}
