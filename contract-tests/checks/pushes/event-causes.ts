import { eventNames } from '../../../openapi/event-names.ts';
import type { EventName } from '../../../openapi/generated/types.ts';
import { gapOf } from '../../calls/profile-calls.ts';
import type { Check, Need } from '../../check.ts';
import type { Context } from '../../context.ts';
import type { Exchange } from '../../core/exchange.ts';
import { NotVerified, PromiseBroken } from '../../core/outcomes.ts';
import type { Settled } from '../../core/settled.ts';
import { type EventRun, eventRun, patienceFor, pushesSince } from '../../events/event-run.ts';
import { eventTriggers } from '../../events/event-triggers.ts';
import { notSeen } from '../../push-receiver/wait-for-push.ts';
import type { Subscription } from '../../subscriptions/subscription-calls.ts';
import { eventRecipients } from './event-recipients.ts';
import { hasUnexpectedVersion, publishData } from './publish-data.ts';
import { beginEventRun } from './seen-pushes.ts';

const needs: readonly Need[] = ['account', 'site', 'creates', 'receiver'];

/** In the order of section 6.1. */
const requirementOf: Readonly<Record<EventName, string>> = {
  'content.publish': 'EVENT-6',
  'content.update': 'EVENT-7',
  'content.delete': 'EVENT-8',
  'form.submit': 'EVENT-9',
  'comment.created': 'EVENT-10',
  'publish.complete': 'EVENT-11',
  'publish.failed': 'EVENT-12',
};

const operationOf: Readonly<Record<EventName, Need>> = {
  'content.publish': 'operation:publish-content',
  'content.update': 'operation:update-content',
  'content.delete': 'operation:delete-content',
  'form.submit': 'operation:submit-form',
  'comment.created': 'operation:create-comment',
  'publish.complete': 'operation:publish-site',
  'publish.failed': 'operation:fail-publish',
};

/** Which events are pushed, when, and to which subscriptions. */
export const eventCauses: readonly Check[] = [
  ...eventNames.map<Check>((event) => ({
    id: `${requirementOf[event].toLowerCase()}-${event.replace('.', '-')}-is-pushed`,
    requirement: requirementOf[event],
    needs: [...needs, operationOf[event]],
    prepare: beginEventRun,
    run: async (context) => {
      await requirePush(context, event);
      await requirePushAgain(context, event);
    },
  })),
  ...publishData,
  ...eventRecipients,
];

async function requirePush(context: Context, event: EventName): Promise<void> {
  const { caused, only, before } = await eventRun(context);
  const call = callOf(context, event, caused.get(event));
  const { path } = subscriptionTo(only, event);
  if (before.get(path) === 0)
    throw new PromiseBroken(`a push of ${event} after its cause`, notSeen(patienceFor(context, event)), call);
}

/** Applies where the run could cause the event a second time. */
async function requirePushAgain(context: Context, event: EventName): Promise<void> {
  const { recurred, only, before } = await eventRun(context);
  const again = recurred.get(event);
  if (!again || again.error) return;
  const call = again.value();
  const { path } = subscriptionTo(only, event);
  if (pushesSince(context, { path, before, call }).length > 0) return;
  if (hasUnexpectedVersion(context, path))
    throw new NotVerified("the versions can't be relied upon; see EVENT-5");
  throw new PromiseBroken(
    `a push of ${event} each time that it happens, the second time as well`,
    notSeen(patienceFor(context, event)),
    call,
  );
}

/** The call that caused an event. Throws the reason where there was none. */
function callOf(context: Context, event: EventName, call: Settled<Exchange> | undefined): Exchange {
  if (call) return call.value();
  const operations = eventTriggers[event].operations.map((id) => gapOf(context, id)).join(', ');
  throw new NotVerified(`needs to know how to cause ${event}; state ${operations}`);
}

function subscriptionTo(only: EventRun['only'], event: EventName): Subscription {
  const subscription = only.get(event);
  if (!subscription) throw new NotVerified(`there is no subscription to ${event}`);
  return subscription.value();
}
