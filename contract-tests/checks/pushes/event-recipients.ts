import type { Channel, EventName } from '../../../openapi/generated/types.ts';
import type { Check, Need } from '../../check.ts';
import type { Context } from '../../context.ts';
import { NotVerified, PromiseBroken } from '../../core/outcomes.ts';
import type { Settled } from '../../core/settled.ts';
import { namesItsEvent } from '../../events/chat-event-headers.ts';
import { type EventRun, eventRun, waitForSilence } from '../../events/event-run.ts';
import type { Push } from '../../push-receiver/push-receiver.ts';
import { bodyOf, describePush, eventNamed } from '../../push-receiver/read-push.ts';
import { arrivalMs, comesWithin, notSeen } from '../../push-receiver/wait-for-push.ts';
import type { Subscription } from '../../subscriptions/subscription-calls.ts';
import { beginEventRun, pushesTo } from './seen-pushes.ts';

const needs: readonly Need[] = ['account', 'site', 'creates', 'receiver', 'operation:any-event'];

/** Which subscriptions events are pushed to, and which not. */
export const eventRecipients: readonly Check[] = [
  eventCheck('event-4-only-chosen-events', 'EVENT-4', async (context) => {
    const { only, some } = await silentRun(context);
    for (const [event, subscription] of only) requireChosen(context, [event], subscription);
    for (const { events, subscription } of some) requireChosen(context, events, subscription);
  }),
  eventCheck('event-4-only-chosen-events-on-chat', 'EVENT-4', async (context) => {
    const run = await silentRun(context);
    for (const [channel, { event, subscription }] of run.chatOnly)
      if (namesItsEvent(context, run, channel)) requireChosen(context, [event], subscription);
  }),
  eventCheck('event-13-every-subscription', 'EVENT-13', async (context) => {
    const run = await eventRun(context);
    if (run.all.every(({ subscription }) => subscription.error)) run.all[0]?.subscription.value();
    requireSomePush(context, run);
    for (const recipient of run.all) await requireAll(context, run, recipient);
  }),
  eventCheck('event-13-every-chat-channel', 'EVENT-13', async (context) => {
    const run = await eventRun(context);
    requireSomePush(context, run);
    for (const [channel, subscription] of run.chat)
      await requireAll(context, run, { name: `one on the channel ${channel}`, subscription, channel });
  }),
  eventCheck('event-13-no-other-site', 'EVENT-13', async (context) => {
    const { elsewhere } = await silentRun(context);
    for (const { name, subscription } of elsewhere) requireNothing(context, name, subscription);
  }),
];

function eventCheck(id: string, requirement: string, run: Check['run']): Check {
  return { id, requirement, needs, prepare: beginEventRun, run };
}

function requireChosen(
  context: Context,
  events: readonly EventName[],
  subscription: Settled<Subscription>,
): void {
  const unexpected = pushesTo(context, subscription).find((push) => {
    const named = eventNamed(push);
    return named !== undefined && !events.includes(named);
  });
  if (unexpected)
    throw new PromiseBroken(
      `only ${events.join(', ')} at a subscription that chose no other event`,
      describePush(unexpected),
    );
}

type Recipient = EventRun['all'][number] & { channel?: Channel };

/** Every event that was seen anywhere, each time that it happened. Other checks cover subscriptions that can't be created. */
async function requireAll(context: Context, run: EventRun, recipient: Recipient): Promise<void> {
  const { name, subscription, channel } = recipient;
  if (subscription.error) return;
  const isNamed = channel === undefined || namesItsEvent(context, run, channel);
  const { path, exchange } = subscription.value();
  for (const { event, isAgain } of pushedEvents(context, run)) {
    const since = isAgain ? (run.before.get(path) ?? 0) : 0;
    const hasCome = () =>
      pushesTo(context, subscription)
        .slice(since)
        .some((push) => !isNamed || isAbout(push, event));
    if (await comesWithin(context, hasCome, arrivalMs(context))) continue;
    throw new PromiseBroken(
      `${event} at every subscription of the site that chose it${isAgain ? ', each time that it happens' : ''}`,
      `${notSeen(arrivalMs(context))} at ${name}`,
      exchange,
    );
  }
}

/** The events that came to the subscriptions that chose them alone, the first time and again. */
function pushedEvents(
  context: Context,
  { only, before, recurred }: EventRun,
): { event: EventName; isAgain: boolean }[] {
  return [...only].flatMap(([event, subscription]) => {
    if (subscription.error) return [];
    const early = before.get(subscription.value().path) ?? 0;
    const count = pushesTo(context, subscription).length;
    const hasRecurred = recurred.has(event) && !recurred.get(event)?.error;
    return [
      ...(count > 0 ? [{ event, isAgain: false }] : []),
      ...(hasRecurred && early > 0 && count > early ? [{ event, isAgain: true }] : []),
    ];
  });
}

/** The event run at a time when pushes that should not come would have come. */
async function silentRun(context: Context): Promise<EventRun> {
  const run = await eventRun(context);
  await waitForSilence(context);
  requireSomePush(context, run);
  return run;
}

/** That a push is missing proves nothing where nothing is pushed at all. */
function requireSomePush(context: Context, run: EventRun): void {
  if (pushedEvents(context, run).length === 0)
    throw new NotVerified('no event was pushed at all; see EVENT-6 to EVENT-12');
}

/** Pushes about what others do on the other site are allowed; pushes about what this run has done here are not. */
function requireNothing(context: Context, name: string, subscription: Settled<Subscription>): void {
  const { siteID } = subscription.value();
  const unexpected = pushesTo(context, subscription).find(
    (push) => siteOf(push) === context.siteId || push.body.includes(`sitepub-${context.runId}`),
  );
  if (unexpected)
    throw new PromiseBroken(
      `no push about site ${context.siteId} at a subscription of ${name}, ${siteID}`,
      describePush(unexpected),
    );
}

/** A chat message names its event in the header only, if at all; one without a name counts for any event. */
function isAbout(push: Push, event: EventName): boolean {
  const named = eventNamed(push);
  return named === undefined || named === event;
}

function siteOf(push: Push): unknown {
  return (Object(bodyOf(push)) as { site_id?: unknown }).site_id;
}
