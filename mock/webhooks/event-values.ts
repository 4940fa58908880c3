import { eventNames } from '../../openapi/event-names.ts';
import type { EventName } from '../../openapi/generated/types.ts';
import type { Json } from '../../openapi/json.ts';
import type { Profile } from '../../openapi/profile.ts';
import { fillTemplate } from '../../openapi/template.ts';
import type { Editable } from '../world/collection.ts';
import type { Delivery, Site, Subscription } from '../world/entries.ts';
import { beginPublication, finishPublication } from '../world/publications.ts';
import { drawHex } from '../world/random.ts';
import type { Clock } from '../world/time.ts';
import type { World } from '../world/world.ts';
import type { Dispatcher } from './dispatch.ts';
import type { PushMessage } from './render.ts';

/** The document shows the `data` of `publish.complete` only; the profile defines the others. */
export function eventData(profile: Profile, event: EventName, values: Json): Json {
  if (event === 'publish.complete') return values;
  return fillTemplate(profile.values[`event-data.${event}`], values) as Json;
}

/** Has non-ASCII characters and a slash, so that re-serialising it changes every body style except the compact one. */
const sampleMessage = '测试消息 / This is a test message.';
const publication = { message: sampleMessage, pages: 1, version: 1 };

/** A value for every placeholder that `event-data` gaps have. */
const samples = {
  id: 1,
  title: sampleMessage,
  form: 'test',
  fields: { message: sampleMessage },
  author: 'test',
  text: sampleMessage,
  message: sampleMessage,
};

export function sampleValues(event: EventName): Json {
  return event === 'publish.complete' ? publication : samples;
}

interface Context {
  world: World;
  profile: Profile;
  now: number;
}

/** Values of the site's newest matching entry, or samples; a publish event records a publication with the next version. */
export function siteEventValues(
  { world, profile, now }: Context,
  site: Editable<Site>,
  event: EventName,
): Json {
  if (event === 'publish.complete' || event === 'publish.failed') {
    const outcome = event === 'publish.failed' ? 'failed' : 'complete';
    const publication = beginPublication(world, site, { profile, outcome, note: '', now });
    return finishPublication(world, site, { id: publication.id, outcome });
  }
  return { ...sampleValues(event), ...newestOf(world, site, event) };
}

function newestOf({ contents, submissions, comments }: World, { id }: Site, event: EventName) {
  if (event === 'form.submit') return [...submissions.of(id).values()].at(-1);
  if (event === 'comment.created') return [...comments.of(id).values()].at(-1);
  const known = [...contents.of(id).values()];
  return known.findLast(({ state }) => state === 'published') ?? known.at(-1);
}

export function testPush(
  { profile, now }: Pick<Context, 'profile' | 'now'>,
  { site, subscription, named }: { site: Site; subscription: Subscription; named: EventName | undefined },
): PushMessage {
  const choice = profile.values['hook-test.event'];
  const event = named ?? choose(choice, subscription.events);
  const known = eventNames.find((name) => name === event);
  const data = known ? eventData(profile, known, sampleValues(known)) : { message: sampleMessage };
  return { event, at: now, site, data, test: { ownBody: profile.values['hook-test.body'] === 'other' } };
}

/** The first message to a new target is neither an event nor a test message. */
export function greeting({ world, now }: Context, site: Site): PushMessage {
  return {
    event: 'webhook.greeting',
    at: now,
    site,
    data: { message: sampleMessage },
    greeting: { challenge: drawHex(world, 16) },
  };
}

function choose(choice: string, chosen: readonly EventName[]): string {
  if (choice === 'subscribed') return chosen[0] ?? 'publish.complete';
  if (choice !== 'subscribed-in-document-order') return choice;
  return eventNames.find((name) => chosen.includes(name)) ?? 'publish.complete';
}

export function emitEvent(
  { profile, clock, dispatcher }: { profile: Profile; clock: Clock; dispatcher: Dispatcher },
  site: Site,
  { event, values }: { event: EventName; values: Json },
): Delivery[] {
  return dispatcher.emit({ event, at: clock.now(), site, data: eventData(profile, event, values) });
}
