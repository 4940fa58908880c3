import type { Channel, EventName } from '../../../openapi/generated/types.ts';
import type { Check, Need } from '../../check.ts';
import type { Context } from '../../context.ts';
import { succeeded } from '../../core/exchange.ts';
import { NotApplicable, NotVerified, PromiseBroken } from '../../core/outcomes.ts';
import { isSameId } from '../../core/parse-json.ts';
import { type Settled, settle } from '../../core/settled.ts';
import type { Round } from '../../events/call-as.ts';
import { namesItsEvent } from '../../events/chat-event-headers.ts';
import { type EventRun, eventRun, waitForSilence } from '../../events/event-run.ts';
import { eventsOnNewSites } from '../../events/new-sites.ts';
import { occurrenceAt } from '../../events/occurrences.ts';
import { pushesOfKind } from '../../push-receiver/caused-pushes.ts';
import type { Push } from '../../push-receiver/push-receiver.ts';
import { describePush, eventNamed, siteIdOf } from '../../push-receiver/read-push.ts';
import { requireArrival } from '../../push-receiver/wait-for-push.ts';
import { type Subscription, sendTest } from '../../subscriptions/subscription-calls.ts';
import { beginEventRun, eventsTo, pushesTo } from './seen-pushes.ts';

const needs: readonly Need[] = ['account', 'site', 'creates', 'receiver', 'operation:any-event'];

/** Which subscriptions events are pushed to, and which not. */
export const eventRecipients: readonly Check[] = [
  eventCheck('event-4-only-chosen-events', 'EVENT-4', async (context) => {
    const { only, some, isShared } = await silentRun(context);
    const single = [...only].map(([event, subscription]) => ({ events: [event], subscription }));
    requireChosen(context, isShared ? some : [...single, ...some]);
  }),
  eventCheck('event-4-only-chosen-events-on-chat', 'EVENT-4', async (context) => {
    const run = await silentRun(context);
    const named = [...run.chatOnly].filter(([channel]) => namesItsEvent(context, run, channel));
    requireChosen(
      context,
      named.map(([, { event, subscription }]) => ({ events: [event], subscription })),
    );
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
    if ([...run.chat.values()].every(({ error }) => error))
      throw new NotVerified('the run could not create a subscription on a chat channel');
    for (const [channel, subscription] of run.chat)
      await requireAll(context, run, { name: `one on the channel ${channel}`, subscription, channel });
  }),
  {
    ...eventCheck('event-13-on-new-sites', 'EVENT-13', async (context) => {
      const run = await eventRun(context);
      const caused = await eventsOnNewSites(context);
      const pushed = pushedEvents(context, run).map(({ event }) => event);
      const expected = caused.filter(({ event }) => pushed.includes(event));
      if (expected.length === 0) throw new NotApplicable('the run cannot cause an event on a new site');
      for (const { event, subscription, at } of expected) {
        const arrival = await settle(() =>
          requireArrival(context, {
            find: () => pushesOfKind(context, subscription.path, 'event')[0],
            since: at,
            expected: `${event} at the subscription of a site that was created in this run, ${subscription.siteID}`,
            exchange: subscription.exchange,
          }),
        );
        if (arrival.error instanceof PromiseBroken && !succeeded(await sendTest(context, subscription)))
          throw new NotVerified('the test path does not know the subscription on the new site; see HOOK-1');
        arrival.value();
      }
    }),
    needs: [...needs, 'operation:create-site', 'disruptive'],
    isFurther: true,
  },
  eventCheck('event-13-no-other-site', 'EVENT-13', async (context) => {
    const run = await silentRun(context);
    for (const other of run.elsewhere) requireNothing(context, run, other);
  }),
];

function eventCheck(id: string, requirement: string, run: Check['run']): Check {
  return { id, requirement, needs, prepare: beginEventRun, run };
}

interface Chosen {
  events: readonly EventName[];
  subscription: Settled<Subscription>;
}

function requireChosen(context: Context, choices: readonly Chosen[]): void {
  if (choices.every(({ subscription }) => subscription.error))
    throw new NotVerified('the run could not create a subscription to only some events');
  for (const { events, subscription } of choices) {
    const unexpected = eventsTo(context, subscription).filter((push) => {
      const named = eventNamed(push);
      return named !== undefined && !events.includes(named);
    });
    // A test message may name any event, and come late.
    const bodies = new Set(unexpected.map(({ body }) => body.toString('latin1')));
    if (unexpected[0] && bodies.size > testsOf(context, subscription))
      throw new PromiseBroken(
        `only ${events.join(', ')} at a subscription that chose no other event`,
        describePush(unexpected[0]),
      );
  }
}

/** How many test messages were asked for at a subscription. */
function testsOf({ requests }: Context, subscription: Settled<Subscription>): number {
  if (subscription.error) return 0;
  const { id, siteID } = subscription.value();
  const isOfIt = ({ operation, values }: Context['requests'][number]) =>
    operation === 'testSubscription' && isSameId(values.id, id) && isSameId(values.siteID, siteID);
  return requests.filter(isOfIt).length;
}

type Recipient = EventRun['all'][number] & { channel?: Channel };

/** Every event that was seen anywhere, each time that it happened. Other checks cover subscriptions that can't be created. */
async function requireAll(context: Context, run: EventRun, recipient: Recipient): Promise<void> {
  const { name, subscription, channel } = recipient;
  if (subscription.error) return;
  const isShared = channel === undefined || namesItsEvent(context, run, channel);
  const { path, exchange } = subscription.value();
  for (const { event, round, arrived } of pushedEvents(context, run))
    await requireArrival(context, {
      find: () => occurrenceAt(context, run, { path, event, round, isShared }),
      since: arrived.to,
      expected: `${event} at ${name}, as at every subscription of the site that chose it${round === 'again' ? ', each time it happens' : ''}`,
      exchange,
    });
}

/** The events that came to the subscriptions that chose them alone, the first time and again. */
function pushedEvents(
  context: Context,
  run: EventRun,
): { event: EventName; round: Round; arrived: Push['arrived'] }[] {
  return [...run.only].flatMap(([event, subscription]) => {
    if (subscription.error) return [];
    const { path } = subscription.value();
    const hasRecurred = run.recurred.get(event)?.call.error === undefined;
    // Where only the second call was made, a push that comes twice would look like one of each.
    const isFirstMade = run.caused.get(event)?.call.error === undefined;
    const rounds: readonly Round[] = hasRecurred && isFirstMade ? ['first', 'again'] : ['first'];
    return rounds.flatMap((round) => {
      const push = occurrenceAt(context, run, { path, event, round });
      return push ? [{ event, round, arrived: push.arrived }] : [];
    });
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
function requireNothing(
  context: Context,
  run: EventRun,
  { name, subscription }: EventRun['elsewhere'][number],
): void {
  const { siteID } = subscription.value();
  const since = Math.min(...[...run.caused.values()].map(({ order }) => order));
  const unexpected = pushesTo(context, subscription).find(
    (push) =>
      push.order > since &&
      (isSameId(siteIdOf(push), context.siteId) || push.body.includes(`sitepub-${context.runId}`)),
  );
  if (unexpected)
    throw new PromiseBroken(
      `no push about site ${context.siteId} at a subscription of ${name} (${siteID})`,
      describePush(unexpected),
    );
}
