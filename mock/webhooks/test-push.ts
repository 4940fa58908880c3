import { eventNames } from '../../openapi/event-names.ts';
import type { EventName } from '../../openapi/generated/types.ts';
import type { Profile } from '../../openapi/profile.ts';
import type { Site, Subscription } from '../world/entries.ts';
import { drawHex } from '../world/random.ts';
import type { World } from '../world/world.ts';
import { eventData, sampleMessage as message, sampleValues } from './event-values.ts';
import type { PushMessage } from './render.ts';

interface Context {
  world: World;
  profile: Profile;
  now: number;
}

interface Subject {
  site: Site;
  subscription: Subscription;
  /** The event that the call asked for. */
  named: EventName | undefined;
}

export function testPush(
  { profile, now }: Pick<Context, 'profile' | 'now'>,
  { site, subscription, named }: Subject,
): PushMessage {
  const choice = profile.values['hook-test.event'];
  const event = named ?? choose(choice, subscription.events);
  const known = eventNames.find((name) => name === event);
  const data = known ? eventData(profile, known, sampleValues[known]) : { message };
  return { event, at: now, site, data, test: { ownBody: profile.values['hook-test.body'] === 'other' } };
}

/** What a new target gets first: neither an event nor a test message. */
export function greeting({ world, now }: Context, site: Site): PushMessage {
  return {
    event: 'webhook.greeting',
    at: now,
    site,
    data: { message },
    greeting: { challenge: drawHex(world, 16) },
  };
}

/** By the value of hook-test.event. */
function choose(choice: string, chosen: readonly EventName[]): string {
  if (choice === 'subscribed') return chosen[0] ?? 'publish.complete';
  if (choice !== 'subscribed-in-document-order') return choice;
  return eventNames.find((name) => chosen.includes(name)) ?? 'publish.complete';
}
