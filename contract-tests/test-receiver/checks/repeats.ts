// Duplicates, order and age. From outside it can't be seen whether an event is processed once: only the answers are checked.
import { minuteMs, retryDelaysMs } from '../../core/documented-limits.ts';
import { timestampOf } from '../event-samples.ts';
import { requireAccepted, requireNoBreakdown } from '../expect-push.ts';
import { unixTime } from '../make-push.ts';
import type { ReceiverCheck } from '../receiver-check.ts';
import type { ReceiverContext } from '../receiver-context.ts';
import { advice } from './advice.ts';

const dayMs = 24 * 60 * minuteMs;
const lastRetryMinutes = retryDelaysMs.reduce((sum, delay) => sum + delay, 0) / minuteMs;

export const repeats: readonly ReceiverCheck[] = [
  advice('duplicate', {
    what: 'the same push again, for a retry may follow a push whose answer was lost',
    pushes: 2,
    run: async (context) => {
      const { push } = await context.sendNew();
      requireAccepted('a push that comes again', await context.send(push));
    },
  }),
  advice('duplicates-at-once', {
    what: 'the same push twice at once',
    pushes: 2,
    run: async (context) => {
      const push = context.factory.makePush();
      const both = await Promise.all([context.send(push), context.send(push)]);
      for (const trial of both) requireAccepted('a push that comes twice at once', trial);
    },
  }),
  advice('retry-after-hang-up', {
    what: 'a push whose sender hangs up before the answer, and then the same push again',
    pushes: 2,
    run: async (context) => {
      const push = context.factory.makePush();
      await context.sendOnce({ ...push, transport: { hangUp: 'sent' } });
      requireAccepted('a push that comes again after its sender hung up', await context.send(push));
    },
  }),
  advice('duplicate-with-new-timestamp', {
    what: 'the same body with a later X-Webhook-Timestamp, as of a retry',
    pushes: 2,
    run: async (context) => {
      const { push } = await context.sendNew();
      const timestamp = unixTime(Date.now() + 5_000, context.factory.usual.unit);
      const trial = await context.sendNew({ body: push.body, timestamp });
      requireAccepted('a push that comes again with a later X-Webhook-Timestamp', trial);
    },
  }),
  advice('older-after-newer', {
    what: 'an older event after a newer one, for a retry may come after later events',
    pushes: 2,
    run: async (context) => {
      await context.sendNew();
      const trial = await tryAged(context, minuteMs);
      requireAccepted('an event that is a minute older than the one before', trial);
    },
  }),
  advice('late-retry', {
    what: `an event of ${lastRetryMinutes} minutes ago, as that of the third retry is`,
    pushes: 1,
    run: async (context) => {
      const trial = await tryAged(context, lastRetryMinutes * minuteMs);
      requireAccepted(
        `a push whose body is ${lastRetryMinutes} minutes old, as that of the third retry is`,
        trial,
      );
    },
  }),
  advice('timestamp-header', {
    what: 'X-Webhook-Timestamps that are old, of tomorrow, in another unit, or no number; to be accepted or refused',
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
