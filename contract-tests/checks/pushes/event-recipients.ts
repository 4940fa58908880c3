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

const needs: readonly Need[] = ['account', 'site', 'creates', 'receiver', 'operation:any-event'];

/** To whom events are pushed, and to whom they are not. */
export const eventRecipients: readonly Check[] = [
  {
    id: 'event-4-only-chosen-events',
    requirement: 'EVENT-4',
    needs,
    prepare: plant,
    run: async (context) => {
      const scene = await silentScene(context);
      const alone = [...scene.only].map(([event, subscription]) => ({ events: [event], subscription }));
      for (const { events, subscription } of [...alone, ...scene.some])
        requireChosen(context, events, subscription);
    },
  },
  {
    id: 'event-4-only-chosen-events-on-chat',
    requirement: 'EVENT-4',
    needs,
    prepare: plant,
    run: async (context) => {
      const scene = await silentScene(context);
      for (const [channel, { event, subscription }] of scene.chatOnly)
        if (namesItsEvent(context, scene, channel)) requireChosen(context, [event], subscription);
    },
  },
  {
    id: 'event-13-every-subscription',
    requirement: 'EVENT-13',
    needs,
    prepare: plant,
    run: async (context) => {
      const scene = await eventRun(context);
      if (scene.all.every(({ subscription }) => subscription.error)) scene.all[0]?.subscription.value();
      requireSomePush(context, scene);
      for (const { name, subscription } of scene.all)
        await requireAll(context, scene, { name, subscription });
    },
  },
  {
    id: 'event-13-every-chat-channel',
    requirement: 'EVENT-13',
    needs,
    prepare: plant,
    run: async (context) => {
      const scene = await eventRun(context);
      requireSomePush(context, scene);
      for (const [channel, subscription] of scene.chat)
        await requireAll(context, scene, { name: `one on the channel ${channel}`, subscription, channel });
    },
  },
  {
    id: 'event-13-no-other-site',
    requirement: 'EVENT-13',
    needs,
    prepare: plant,
    run: async (context) => {
      const scene = await silentScene(context);
      for (const { name, subscription } of scene.elsewhere)
        requireNothing(context, name, subscription.value());
    },
  },
];

async function plant(context: Context): Promise<void> {
  await eventRun(context);
}

function requireChosen(
  context: Context,
  events: readonly EventName[],
  subscription: Settled<Subscription>,
): void {
  if (subscription.error) return;
  const strange = pushesTo(context, subscription.value()).find((push) => {
    const named = eventNamed(push);
    return named !== undefined && !events.includes(named);
  });
  if (strange)
    throw new PromiseBroken(
      `only ${events.join(', ')} at a subscription that chose no other event`,
      describePush(strange),
    );
}

interface Recipient {
  name: string;
  subscription: Settled<Subscription>;
  channel?: Channel;
}

/** Every event that was seen anywhere, and each time that it was; that such a one can't be made is another promise's matter. */
async function requireAll(context: Context, scene: EventRun, recipient: Recipient): Promise<void> {
  const { name, subscription, channel } = recipient;
  if (subscription.error) return;
  const isNamed = channel === undefined || namesItsEvent(context, scene, channel);
  const { path, exchange } = subscription.value();
  for (const { event, isAgain } of pushedEvents(context, scene)) {
    const since = isAgain ? (scene.before.get(path) ?? 0) : 0;
    const hasCome = () =>
      (context.receiver?.pushesTo(path) ?? []).slice(since).some((push) => !isNamed || isAbout(push, event));
    if (await comesWithin(context, hasCome, arrivalMs(context))) continue;
    throw new PromiseBroken(
      `${event} at every subscription of the site that chose it${isAgain ? ', each time that it happens' : ''}`,
      `${notSeen(arrivalMs(context))} at ${name}`,
      exchange,
    );
  }
}

/** The events that came to the subscriptions that chose them alone, at first and again: what they push is pushed. */
function pushedEvents(
  context: Context,
  { only, before, recurred }: EventRun,
): { event: EventName; isAgain: boolean }[] {
  return [...only].flatMap(([event, subscription]) => {
    if (subscription.error) return [];
    const early = before.get(subscription.value().path) ?? 0;
    const count = pushesTo(context, subscription.value()).length;
    const hasRecurred = recurred.has(event) && !recurred.get(event)?.error;
    return [
      ...(count > 0 ? [{ event, isAgain: false }] : []),
      ...(hasRecurred && early > 0 && count > early ? [{ event, isAgain: true }] : []),
    ];
  });
}

/** The scene when what should not come would have come. */
async function silentScene(context: Context): Promise<EventRun> {
  const scene = await eventRun(context);
  await waitForSilence(context);
  requireSomePush(context, scene);
  return scene;
}

/** Silence says nothing where nothing is pushed at all. */
function requireSomePush(context: Context, scene: EventRun): void {
  if (pushedEvents(context, scene).length === 0)
    throw new NotVerified('no event was pushed at all; see EVENT-6 to EVENT-12');
}

/** What others do on the other site may be pushed there; what this run has done here may not. */
function requireNothing(context: Context, name: string, subscription: Subscription): void {
  const strange = pushesTo(context, subscription).find(
    (push) => siteOf(push) === context.siteId || push.body.includes(`sitepub-${context.runId}`),
  );
  if (strange)
    throw new PromiseBroken(
      `no push about site ${context.siteId} at a subscription of ${name}, ${subscription.siteID}`,
      describePush(strange),
    );
}

function pushesTo({ receiver }: Context, { path }: Subscription): readonly Push[] {
  return receiver?.pushesTo(path) ?? [];
}

/** A chat message names its event in the header only, if at all; then any message will do. */
function isAbout(push: Push, event: EventName): boolean {
  const named = eventNamed(push);
  return named === undefined || named === event;
}

function siteOf(push: Push): unknown {
  return (Object(bodyOf(push)) as { site_id?: unknown }).site_id;
}
