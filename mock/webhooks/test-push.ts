import type { EventName } from '../../openapi/generated/types.ts';
import type { Profile } from '../../openapi/profile.ts';
import type { Json } from '../../openapi/registers.ts';
import type { Site, Subscription } from '../world.ts';
import { eventData } from './event-data.ts';
import type { Push } from './push.ts';

/** Neither ASCII alone nor without a slash, so that bodies that are written anew differ in every style but the compact one. */
const message = '测试消息 / This is a test message.';
const content = { id: 1, title: message };

/** Values of the right kinds for a test message, which tells of nothing that happened. */
const sampleValues: Record<EventName, Json> = {
  'content.publish': content,
  'content.update': content,
  'content.delete': content,
  'form.submit': { id: 1, form: 'test', fields: { message } },
  'comment.created': { id: 1, author: 'test', text: message },
  'publish.complete': { message, pages: 1, version: 1 },
  'publish.failed': { message },
};

interface Context {
  profile: Profile;
  now: number;
}

interface Subject {
  site: Site;
  subscription: Subscription;
  /** The event that the call asked for, if it did. */
  named: EventName | undefined;
}

export function testPush({ profile, now }: Context, { site, subscription, named }: Subject): Push {
  const choice = profile.values['hook-test.event'];
  const chosen = choice === 'subscribed' ? (subscription.events[0] ?? 'publish.complete') : choice;
  const event = named ?? chosen;
  const data = isEventName(event) ? eventData(profile, event, sampleValues[event]) : { message };
  return { event, at: now, site, data, test: { ownBody: profile.values['hook-test.body'] === 'other' } };
}

function isEventName(name: string): name is EventName {
  return Object.hasOwn(sampleValues, name);
}
