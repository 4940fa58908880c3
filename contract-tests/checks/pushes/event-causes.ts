import { eventNames } from '../../../openapi/event-names.ts';
import type { EventName } from '../../../openapi/generated/types.ts';
import { gapOf } from '../../calls/profile-calls.ts';
import type { Check, Need } from '../../check.ts';
import type { Context } from '../../context.ts';
import type { Exchange } from '../../core/exchange.ts';
import { NotVerified, PromiseBroken } from '../../core/outcomes.ts';
import type { Settled } from '../../core/settled.ts';
import { type EventRun, eventRun, longestArrivalMs, pushesSince } from '../../events/event-run.ts';
import { triggerOf } from '../../events/event-triggers.ts';
import { notSeen } from '../../push-receiver/wait-for-push.ts';
import type { Subscription } from '../../subscriptions/subscription-calls.ts';
import { eventRecipients } from './event-recipients.ts';
import { hasUnexpectedVersion, publishData } from './publish-data.ts';
import { beginEventRun } from './seen-pushes.ts';

const needs: readonly Need[] = ['account', 'site', 'creates', 'receiver'];

/** The requirement and the operation of each event, in the order of section 6.1. */
const causes: Readonly<Record<EventName, { requirement: string; operation: Need }>> = {
  'content.publish': { requirement: 'EVENT-6', operation: 'operation:publish-content' },
  'content.update': { requirement: 'EVENT-7', operation: 'operation:update-content' },
  'content.delete': { requirement: 'EVENT-8', operation: 'operation:delete-content' },
  'form.submit': { requirement: 'EVENT-9', operation: 'operation:submit-form' },
  'comment.created': { requirement: 'EVENT-10', operation: 'operation:create-comment' },
  'publish.complete': { requirement: 'EVENT-11', operation: 'operation:publish-site' },
  'publish.failed': { requirement: 'EVENT-12', operation: 'operation:fail-publish' },
};

/** Which events are pushed, when, and to which subscriptions. */
export const eventCauses: readonly Check[] = [
  ...eventNames.map<Check>((event) => ({
    id: `${causes[event].requirement.toLowerCase()}-${event.replace('.', '-')}-is-pushed`,
    requirement: causes[event].requirement,
    needs: [...needs, causes[event].operation],
    prepare: beginEventRun,
    run: async (context) => {
      const run = await eventRun(context);
      requirePush(context, run, event);
      requirePushAgain(context, run, event);
    },
  })),
  ...publishData,
  ...eventRecipients,
];

function requirePush(context: Context, { caused, only, before }: EventRun, event: EventName): void {
  const call = callOf(context, event, caused.get(event));
  const { path } = subscriptionTo(only, event);
  if (before.get(path) === 0)
    throw new PromiseBroken(
      `a push of ${event} after its cause`,
      notSeen(longestArrivalMs(context, event)),
      call,
    );
}

/** Applies where the run could cause the event a second time. */
function requirePushAgain(context: Context, { recurred, only, before }: EventRun, event: EventName): void {
  const again = recurred.get(event);
  if (!again || again.error) return;
  const call = again.value();
  const { path } = subscriptionTo(only, event);
  if (pushesSince(context, { path, before, call }).length > 0) return;
  if (hasUnexpectedVersion(context, path))
    throw new NotVerified("the versions can't be relied upon; see EVENT-5");
  throw new PromiseBroken(
    `a push of ${event} each time that it happens, the second time as well`,
    notSeen(longestArrivalMs(context, event)),
    call,
  );
}

/** The call that caused an event. Throws the reason where there was none. */
function callOf(context: Context, event: EventName, call: Settled<Exchange> | undefined): Exchange {
  if (call) return call.value();
  const operations = triggerOf(context, event)
    .operations.map((id) => gapOf(context, id))
    .join(', ');
  throw new NotVerified(`needs to know how to cause ${event}; state ${operations}`);
}

function subscriptionTo(only: EventRun['only'], event: EventName): Subscription {
  const subscription = only.get(event);
  if (!subscription) throw new NotVerified(`there is no subscription to ${event}`);
  return subscription.value();
}
