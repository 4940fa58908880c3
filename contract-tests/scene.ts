// The events of a run: subscriptions of every kind are made first, then each event that can be caused is caused, and all checks
// read what arrived. So a site is disturbed once, and every push is evidence for every promise about pushes.
import type { Channel, EventName } from '../openapi/generated/types.ts';
import { arrivalAt, arrivalMs, silenceMs } from './arrivals.ts';
import { causableEvents, causes, eventToFail } from './causes.ts';
import { type Context, once } from './context.ts';
import type { Exchange } from './exchange.ts';
import { plantFailures, type RetryStory } from './failing-targets.ts';
import { newSecret, type Subscription, type Wish } from './hook-calls.ts';
import { subscribeForPush } from './hooks.ts';
import { type Kept, keep } from './keep.ts';
import { unmetWait } from './needs.ts';
import { NotVerified } from './outcomes.ts';
import { anotherSite } from './sites.ts';
import { channels, eventNames } from './vocabulary.ts';

/** What was made and caused. What could not be throws, when it is asked for, why. */
export interface Scene {
  /** The event that each of these subscriptions chose alone. */
  only: ReadonlyMap<EventName, Kept<Subscription>>;
  /** Two subscriptions to all seven events, alike but for the secret. */
  all: readonly Kept<Subscription>[];
  /** To all events, on the chat channels. */
  chat: ReadonlyMap<Channel, Kept<Subscription>>;
  /** To all events of another site. */
  elsewhere: Kept<Subscription>;
  /** The calls that caused the events. */
  caused: ReadonlyMap<EventName, Kept<Exchange>>;
  /** The pushes of one event that were left to fail; undefined where there is no time to wait for a retry. */
  retries: RetryStory | undefined;
  /** When the last event was caused, by the deployment's clock. */
  endedAt: number;
}

/** The longest that a publish may take to come to its end, in milliseconds. */
const publishMs = 30_000;

/** Plays the scene, once a run. Throws NotVerified where no event can be caused. */
export function eventScene(context: Context): Promise<Scene> {
  return once(context, 'event scene', async () => {
    const events = causableEvents(context);
    if (events.length === 0)
      throw new NotVerified('needs to know how to cause an event; state one of its operations in a profile');
    const cast = await subscribeAll(context);
    const story = await storyToFail(context);
    await context.clock.settle();
    context.receiver?.dismiss();
    const caused = new Map<EventName, Kept<Exchange>>();
    for (const event of events) caused.set(event, await keep(() => causes[event].make(context)));
    const endedAt = context.clock.now();
    await Promise.all(events.map((event) => awaitPush(context, { event, caused, cast })));
    await story?.begin();
    return { ...cast, caused, retries: story, endedAt };
  });
}

/** How long a push about an event may take, in milliseconds: publishing takes its time. */
export function patienceFor(context: Context, event: EventName): number {
  const isPublish = event.startsWith('publish.');
  return isPublish ? Math.max(publishMs, context.options.maxWaitMs, arrivalMs(context)) : arrivalMs(context);
}

/** Waits until what should not come would have come. */
export async function silence(context: Context): Promise<void> {
  const { endedAt } = await eventScene(context);
  await context.clock.waitUntil(endedAt + silenceMs, 'pushes that should not come');
}

type Cast = Pick<Scene, 'only' | 'all' | 'chat' | 'elsewhere'>;

async function subscribeAll(context: Context): Promise<Cast> {
  const make = (wish: Wish) => keep(() => subscribeForPush(context, { secret: newSecret(context), ...wish }));
  const all = [...eventNames];
  const only = new Map<EventName, Kept<Subscription>>();
  for (const event of eventNames) only.set(event, await make({ events: [event] }));
  const chat = new Map<Channel, Kept<Subscription>>();
  for (const channel of channels)
    if (channel !== 'custom') chat.set(channel, await make({ channel, events: all }));
  return {
    only,
    chat,
    all: [await make({ events: all }), await keep(() => subscribeForPush(context, { events: all }))],
    elsewhere: await keep(async () => {
      const { siteID, token } = await anotherSite(context);
      return subscribeForPush(context, { siteID, events: all }, { token });
    }),
  };
}

/** Retries are left to happen where there is time to wait for them. */
async function storyToFail(context: Context): Promise<RetryStory | undefined> {
  const event = eventToFail(context);
  if (!event || unmetWait('1m', context) !== undefined) return undefined;
  return plantFailures(context, event);
}

async function awaitPush(
  context: Context,
  { event, caused, cast }: { event: EventName; caused: Scene['caused']; cast: Cast },
): Promise<void> {
  const call = caused.get(event)?.error ? undefined : caused.get(event);
  const subscription = cast.only.get(event);
  if (!call || !subscription || subscription.error) return;
  await arrivalAt(context, subscription.value().path, patienceFor(context, event));
}
