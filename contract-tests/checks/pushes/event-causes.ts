import { eventNames } from '../../../openapi/event-names.ts';
import type { EventName } from '../../../openapi/generated/types.ts';
import { gapOf } from '../../calls/profile-calls.ts';
import type { Check, Need } from '../../check.ts';
import type { Context } from '../../context.ts';
import { neededFor, operationNeed, requirementOf } from '../../core/event-operations.ts';
import type { Exchange } from '../../core/exchange.ts';
import { NotVerified, PromiseBroken } from '../../core/outcomes.ts';
import { settle } from '../../core/settled.ts';
import { type EventRun, eventRun } from '../../events/event-run.ts';
import { type Cause, occurrenceAt } from '../../events/occurrences.ts';
import { mayRepeatEarlierRun } from '../../events/repeated-writes.ts';
import { eventNamed } from '../../push-receiver/read-push.ts';
import { arrivalIfAny, type ExpectedPush, requireArrival } from '../../push-receiver/wait-for-push.ts';
import type { Subscription } from '../../subscriptions/subscription-calls.ts';
import { eventRecipients } from './event-recipients.ts';
import { publishData } from './publish-data.ts';
import { publishOutcomes } from './publish-outcomes.ts';
import { beginEventRun } from './seen-pushes.ts';

const needs: readonly Need[] = ['account', 'site', 'creates', 'receiver'];

/** Which events are pushed, when, and to which subscriptions. */
export const eventCauses: readonly Check[] = [
  ...eventNames.map<Check>((event) => ({
    id: `${requirementOf(event).toLowerCase()}-${event.replace('.', '-')}-is-pushed`,
    requirement: requirementOf(event),
    needs: [...needs, operationNeed(event), `event:${event}`],
    prepare: beginEventRun,
    run: async (context) => {
      const run = await eventRun(context);
      await requirePush(context, run, event);
      await requirePushAgain(context, run, event);
    },
  })),
  ...publishData,
  ...publishOutcomes,
  ...eventRecipients,
];

async function requirePush(context: Context, run: EventRun, event: EventName): Promise<void> {
  const exchange = callOf(context, event, run.caused.get(event));
  const { path } = subscriptionTo(run.only, event);
  const arrival = {
    find: () => occurrenceAt(context, run, { path, event, round: 'first' }),
    since: exchange.at,
    expected: `a push of ${event} after the call`,
    exchange,
  };
  const publish = publishes[event];
  if (publish && mayRepeatEarlierRun(context, publish, exchange.at))
    await requireNewPublish(context, publish, arrival);
  else if (event === 'publish.failed') await requireFailure(context, arrival);
  else await requireCaused(context, arrival, { event, exchange });
}

/** Where the answer to the call lacks what the profile says it has, the call may be another one than that which causes the event. */
async function requireCaused(
  context: Context,
  arrival: ExpectedPush,
  { event, exchange }: { event: EventName; exchange: Exchange },
): Promise<void> {
  const { error } = await settle(() => requireArrival(context, arrival));
  if (!error) return;
  const [missing] = missingValues(context, exchange);
  const isSeen = context.receiver?.everyPush().some((push) => eventNamed(push) === event) ?? false;
  if (!(error instanceof PromiseBroken) || missing === undefined || isSeen) throw error;
  const gap = gapOf(context, exchange.operation);
  context.observations.drifts(gap, `no ${missing} in the answer, and no ${event} after it`);
  throw new NotVerified(
    `no ${event} arrived after the call of ${gap}, and its answer has no ${missing} at the pointer in the profile; it may be the wrong call: state the one that causes the event`,
  );
}

/** The names of what an answer should have, as the profile says, and has not. */
function missingValues({ operations }: Context, { operation, values }: Exchange): string[] {
  const { success } = operations.get(operation) ?? {};
  return Object.keys(success?.layout.values ?? {}).filter((name) => values[name] === undefined);
}

/** That no failure is pushed may mean that the call, which the profile states, lets no publish fail. */
async function requireFailure(context: Context, arrival: ExpectedPush): Promise<void> {
  if (await arrivalIfAny(context, arrival)) return;
  const gap = gapOf(context, 'failPublish');
  context.observations.drifts(gap, 'no publish.failed arrived after the call');
  throw new NotVerified(
    `no publish.failed arrived after the call of ${gap}; the call may not make a publish fail: state one that does`,
  );
}

const publishes: Partial<Record<EventName, 'publishSite' | 'failPublish'>> = {
  'publish.complete': 'publishSite',
  'publish.failed': 'failPublish',
};

/** Where nothing differs between two calls, this one may have been answered with the publish of another run, which was pushed to that one. */
async function requireNewPublish(
  context: Context,
  publish: 'publishSite' | 'failPublish',
  arrival: ExpectedPush,
): Promise<void> {
  if (await arrivalIfAny(context, arrival)) return;
  const gap = gapOf(context, publish);
  throw new NotVerified(
    `the call of ${gap} may have repeated one from before this run, because it has no {note} that makes calls differ; run with --max-wait 31s`,
  );
}

/** Applies where the run could cause the event a second time. */
async function requirePushAgain(context: Context, run: EventRun, event: EventName): Promise<void> {
  const again = run.recurred.get(event);
  if (!again || again.call.error) return;
  const exchange = again.call.value();
  const { path } = subscriptionTo(run.only, event);
  const expected = `a push of ${event} each time it happens, including the second time`;
  const find = () => occurrenceAt(context, run, { path, event, round: 'again' });
  await requireArrival(context, { find, since: again.at, expected, exchange });
}

/** The call that caused an event. Throws the reason where there was none. */
function callOf(context: Context, event: EventName, cause: Cause | undefined): Exchange {
  if (cause) return cause.call.value();
  const lacking = neededFor(context.operations, event).filter((id) => !context.operations.has(id));
  const operations = lacking.map((id) => gapOf(context, id)).join(', ');
  throw new NotVerified(`needs operations that cause ${event}; state ${operations}`);
}

function subscriptionTo(only: EventRun['only'], event: EventName): Subscription {
  const subscription = only.get(event);
  if (!subscription) throw new NotVerified(`there is no subscription to ${event}`);
  return subscription.value();
}
