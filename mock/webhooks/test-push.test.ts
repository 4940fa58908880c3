import { expect, test } from 'vitest';
import type { EventName } from '../../openapi/generated/types.ts';
import { loadProfile } from '../../openapi/profile.ts';
import { readDescription, resolve } from '../../openapi/resolve.ts';
import { createValidator } from '../../openapi/validate.ts';
import { profileNames, profileWith } from '../testing/open-mock.ts';
import type { Site, Subscription } from '../world/world.ts';
import { renderBody } from './render.ts';
import { testPush } from './test-push.ts';

const site: Site = { id: 101, tenantId: 1, name: '海港咖啡馆', version: 0, lastVersion: 0, createdAt: 0 };
const events = Object.keys(readDescription('site-publishing.yaml').webhooks) as EventName[];

function subscriptionTo(...chosen: EventName[]): Subscription {
  return { id: 1, siteId: 101, url: 'http://x.example', events: chosen, channel: 'custom', createdAt: 0 };
}

test.each<[string, EventName[], EventName | undefined, string]>([
  ['subscribed', ['form.submit', 'content.update'], undefined, 'form.submit'],
  ['subscribed', [], undefined, 'publish.complete'],
  ['content.delete', ['form.submit'], undefined, 'content.delete'],
  ['webhook.test', ['form.submit'], undefined, 'webhook.test'],
  ['webhook.test', ['form.submit'], 'comment.created', 'comment.created'],
])('by "%s", with %j chosen and %s asked for, the event is %s', (choice, chosen, named, want) => {
  const profile = profileWith({ 'hook-test.event': choice });
  expect(
    testPush({ profile, now: 5 }, { site, subscription: subscriptionTo(...chosen), named }),
  ).toMatchObject({ event: want, at: 5, site });
});

test.each(profileNames)('%s: a test message of each event has the described body', (name) => {
  const profile = profileWith({ 'hook-test.body': 'event', 'hook-test.event': 'subscribed' }, name);
  const validate = createValidator(resolve(profile));
  for (const event of events) {
    const body = renderBody(
      testPush({ profile, now: 0 }, { site, subscription: subscriptionTo(event), named: undefined }),
      subscriptionTo(event),
      profile,
    );
    const pointer = `/webhooks/${event}/post/requestBody/content/application~1json/schema`;
    expect([event, validate(pointer, JSON.parse(body))]).toEqual([event, []]);
  }
});

test('says whether the body differs from that of an event', () => {
  const ownBody = (name: string) =>
    testPush(
      { profile: loadProfile(name), now: 0 },
      { site, subscription: subscriptionTo(), named: undefined },
    ).test?.ownBody;
  expect([ownBody('default'), ownBody('always-200-camel-case')]).toEqual([false, true]);
});
