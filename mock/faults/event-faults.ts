import type { EventName } from '../../openapi/generated/types.ts';
import type { Json } from '../../openapi/json.ts';
import type { Steps } from '../service.ts';
import type { Push } from '../webhooks/push-message.ts';
import type { Subscription, World } from '../world/world.ts';
import { eventBodyFaults } from './event-body-faults.ts';
import type { Fault, Wrap } from './fault.ts';
import { allEvents, trackSubscriptionsByKey } from './subscription-tools.ts';
import { createRepeatDetector, isAscii } from './wrap-pushes.ts';

/** Of what is pushed to whom, and of what it says. */
export const eventFaults: readonly Fault[] = [
  ...eventBodyFaults,
  {
    id: 'failures-to-those-who-chose-success',
    title: 'publish.failed is pushed also to those who chose publish.complete alone.',
    requirement: 'EVENT-4',
    wrap: alsoTo('publish.failed', ({ events }) => events.includes('publish.complete')),
  },
  {
    id: 'content-events-as-a-family',
    title: 'content.update is pushed to everybody who chose any event of content.',
    requirement: 'EVENT-4',
    wrap: alsoTo('content.update', ({ events }) => events.some((event) => event.startsWith('content.'))),
  },
  {
    id: 'chat-gets-all-events',
    title: 'Subscriptions on the chat channels get all events, whichever they chose.',
    requirement: 'EVENT-4',
    wrap: everythingTo(({ channel }) => channel !== 'custom'),
  },
  {
    id: 'dingtalk-gets-failures',
    title: 'publish.failed is pushed to all subscriptions on the channel dingtalk.',
    requirement: 'EVENT-4',
    wrap: alsoTo('publish.failed', ({ channel }) => channel === 'dingtalk'),
  },
  {
    id: 'all-events-without-secret',
    title: 'Subscriptions without a secret get all events, whichever they chose.',
    requirement: 'EVENT-4',
    wrap: everythingTo(({ secret }) => secret === undefined),
  },
  {
    id: 'events-between-chosen-ones',
    title: 'Who chose several events gets those as well that the document has between them.',
    requirement: 'EVENT-4',
    wrap: to((chosen, push, { subscriptions }) => {
      const place = (event: string) => allEvents.indexOf(event as EventName);
      const between = [...subscriptions.values()].filter(({ siteId, events }) => {
        const places = events.map(place);
        const at = place(push.event);
        return siteId === push.site.id && at > Math.min(...places) && at < Math.max(...places);
      });
      return [...new Set([...chosen, ...between])];
    }),
  },
  {
    id: 'all-events-after-test',
    title: 'Subscriptions that have been tested get all events, whichever they chose.',
    requirement: 'EVENT-4',
    wrap: (steps, aids) => {
      const tested = new Set<unknown>();
      const { recipientsOf } = everythingTo(({ id }) => tested.has(id))(steps, aids);
      return { ...(recipientsOf && { recipientsOf }), recordDelivery: notingTests(steps, tested) };
    },
  },
  {
    id: 'content-publish-told-as-update',
    title: 'Content that is published is told of as content.update.',
    requirement: 'EVENT-6',
    wrap: retelling('content.publish', { as: 'content.update' }),
  },
  {
    id: 'content-publish-of-non-ascii-lost',
    title: 'content.publish is not pushed where its data is not ASCII.',
    requirement: 'EVENT-6',
    wrap: losing('content.publish', ({ data }) => !isAscii(JSON.stringify(data))),
  },
  {
    id: 'content-publish-lost-when-repeated',
    title: 'content.publish is pushed for the first time that it happens on a site, and never again.',
    requirement: 'EVENT-6',
    wrap: losingRepeated('content.publish'),
  },
  {
    id: 'content-update-of-non-ascii-lost',
    title: 'content.update is not pushed where its data is not ASCII.',
    requirement: 'EVENT-7',
    wrap: losing('content.update', ({ data }) => !isAscii(JSON.stringify(data))),
  },
  {
    id: 'content-update-told-as-publish',
    title: 'Content that is changed after its publication is told of as content.publish.',
    requirement: 'EVENT-7',
    wrap: retelling('content.update', { as: 'content.publish' }),
  },
  {
    id: 'content-update-lost-when-repeated',
    title: 'content.update is pushed for the first time that it happens on a site, and never again.',
    requirement: 'EVENT-7',
    wrap: losingRepeated('content.update'),
  },
  {
    id: 'content-delete-lost',
    title: 'content.delete is never pushed.',
    requirement: 'EVENT-8',
    wrap: losing('content.delete', () => true),
  },
  {
    id: 'content-delete-told-as-update',
    title: 'Content that is deleted is told of as content.update.',
    requirement: 'EVENT-8',
    wrap: retelling('content.delete', { as: 'content.update' }),
  },
  {
    id: 'content-delete-lost-when-repeated',
    title: 'content.delete is pushed for the first time that it happens on a site, and never again.',
    requirement: 'EVENT-8',
    wrap: losingRepeated('content.delete'),
  },
  {
    id: 'form-submit-with-non-ascii-lost',
    title: 'form.submit is not pushed where a field is not ASCII.',
    requirement: 'EVENT-9',
    wrap: losing('form.submit', ({ data }) => !isAscii(JSON.stringify(data))),
  },
  {
    id: 'form-submit-to-contact-lost',
    title: 'form.submit is not pushed for the form contact.',
    requirement: 'EVENT-9',
    wrap: losing('form.submit', ({ data }) => Object.values(data).includes('contact')),
  },
  {
    id: 'form-submit-lost-when-repeated',
    title: 'form.submit is pushed for the first time that it happens on a site, and never again.',
    requirement: 'EVENT-9',
    wrap: losingRepeated('form.submit'),
  },
  {
    id: 'form-submit-of-many-bytes-lost',
    title: 'form.submit is not pushed where its data are longer than 16 KiB.',
    requirement: 'EVENT-9',
    wrap: losing('form.submit', ({ data }) => Buffer.byteLength(JSON.stringify(data)) > 16_384),
  },
  {
    id: 'comment-created-with-non-ascii-lost',
    title: 'comment.created is not pushed where the text is not ASCII.',
    requirement: 'EVENT-10',
    wrap: losing('comment.created', ({ data }) => !isAscii(JSON.stringify(data))),
  },
  {
    id: 'comment-created-told-as-form-submit',
    title: 'A new comment is told of as form.submit.',
    requirement: 'EVENT-10',
    wrap: retelling('comment.created', { as: 'form.submit' }),
  },
  {
    id: 'comment-created-lost-when-repeated',
    title: 'comment.created is pushed for the first time that it happens on a site, and never again.',
    requirement: 'EVENT-10',
    wrap: losingRepeated('comment.created'),
  },
  {
    id: 'comment-created-of-many-bytes-lost',
    title: 'comment.created is not pushed where its data are longer than 4 KiB.',
    requirement: 'EVENT-10',
    wrap: losing('comment.created', ({ data }) => Buffer.byteLength(JSON.stringify(data)) > 4_096),
  },
  {
    id: 'publish-complete-lost',
    title: 'publish.complete is never pushed.',
    requirement: 'EVENT-11',
    wrap: losing('publish.complete', () => true),
  },
  {
    id: 'publish-complete-from-version-eight-lost',
    title: 'publish.complete is not pushed for versions above 7.',
    requirement: 'EVENT-11',
    wrap: losing('publish.complete', ({ data }) => Number(data.version) > 7),
  },
  {
    id: 'publish-complete-lost-when-repeated',
    title: 'publish.complete is pushed for the first time that it happens on a site, and never again.',
    requirement: 'EVENT-11',
    wrap: losingRepeated('publish.complete'),
  },
  {
    id: 'publish-complete-lost-soon-after-another',
    title: 'publish.complete is not pushed within a minute after another one.',
    requirement: 'EVENT-11',
    wrap: (steps, aids) => {
      const last = new Map<number, number>();
      return losing('publish.complete', ({ site, at }) => {
        const isSoon = at - (last.get(site.id) ?? 0) < 60_000;
        if (!isSoon) last.set(site.id, at);
        return isSoon;
      })(steps, aids);
    },
  },
  {
    id: 'publish-failed-lost',
    title: 'publish.failed is never pushed.',
    requirement: 'EVENT-12',
    wrap: losing('publish.failed', () => true),
  },
  {
    id: 'publish-failed-told-as-complete',
    title: 'A publish that fails is told of as publish.complete, with 0 pages of version 0.',
    requirement: 'EVENT-12',
    wrap: retelling('publish.failed', { as: 'publish.complete', more: { pages: 0, version: 0 } }),
  },
  {
    id: 'publish-failed-lost-when-repeated',
    title: 'publish.failed is pushed for the first time that it happens on a site, and never again.',
    requirement: 'EVENT-12',
    wrap: losingRepeated('publish.failed'),
  },
  {
    id: 'second-alike-left-out',
    title: 'Of several custom subscriptions that chose all seven events, only the oldest is pushed to.',
    requirement: 'EVENT-13',
    wrap: to((subscriptions) => {
      const all = subscriptions.filter(({ events, channel }) => events.length === 7 && channel === 'custom');
      return subscriptions.filter((one) => one === all[0] || !all.includes(one));
    }),
  },
  {
    id: 'feishu-left-out-of-comments',
    title: 'comment.created is not pushed on the channel feishu.',
    requirement: 'EVENT-13',
    wrap: to((subscriptions, { event }) =>
      subscriptions.filter(({ channel }) => event !== 'comment.created' || channel !== 'feishu'),
    ),
  },
  {
    id: 'seventh-subscriber-left-out',
    title: 'An event is pushed to no more than six subscriptions.',
    requirement: 'EVENT-13',
    wrap: to((subscriptions) => subscriptions.slice(0, 6)),
  },
  {
    id: 'subscriptions-without-secret-left-out',
    title:
      'Of several custom subscriptions that chose all seven events, those without a secret are left out.',
    requirement: 'EVENT-13',
    wrap: leavingOut(({ events, secret }) => events.length === 7 && secret === undefined),
  },
  {
    id: 'subscriptions-by-key-left-out',
    title: 'Events are not pushed to subscriptions that an API key has made.',
    requirement: 'EVENT-13',
    wrap: (steps, aids) => {
      const made = new Set<unknown>();
      const { handle } = trackSubscriptionsByKey(made)(steps, aids);
      return { ...(handle && { handle }), ...leavingOut(({ id }) => made.has(id))(steps, aids) };
    },
  },
  {
    id: 'tested-subscriptions-left-out',
    title: 'Events are not pushed to subscriptions that have been tested.',
    requirement: 'EVENT-13',
    wrap: (steps, aids) => {
      const tested = new Set<unknown>();
      return {
        ...leavingOut(({ id }) => tested.has(id))(steps, aids),
        recordDelivery: notingTests(steps, tested),
      };
    },
  },
  {
    id: 'receiving-urls-with-query-left-out',
    title: 'Events are not pushed to receiving URLs that have a query.',
    requirement: 'EVENT-13',
    wrap: leavingOut(({ url }) => url.includes('?')),
  },
  {
    id: 'feishu-left-out-of-long-events',
    title: 'Events whose data are longer than 4 KiB are not pushed on the channel feishu.',
    requirement: 'EVENT-13',
    wrap: leavingOut(
      ({ channel }, { data }) => channel === 'feishu' && Buffer.byteLength(JSON.stringify(data)) > 4_096,
    ),
  },
  {
    id: 'repeated-events-to-few',
    title: 'An event that has happened before is pushed only to those who chose nothing else.',
    requirement: 'EVENT-13',
    wrap: (steps, aids) => {
      const isRepeated = createRepeatDetector();
      return leavingOut(({ events }, push) => isRepeated(push) && events.length > 1)(steps, aids);
    },
  },
  {
    id: 'other-tenant-told',
    title: 'An event is pushed to the subscriptions of other tenants as well.',
    requirement: 'EVENT-13',
    wrap: to((subscriptions, push, { sites, subscriptions: all }) => {
      const tenantId = sites.get(push.site.id)?.tenantId;
      const others = [...all.values()].filter(
        (one) => sites.get(one.siteId)?.tenantId !== tenantId && isChosen(one, push),
      );
      return [...subscriptions, ...others];
    }),
  },
  {
    id: 'other-site-told-of-itself',
    title: 'An event is pushed to the subscriptions of all sites of the tenant, as one of their own site.',
    requirement: 'EVENT-13',
    wrap: (steps) => ({
      recipientsOf(world, push) {
        const tenantId = world.sites.get(push.site.id)?.tenantId;
        const others = [...world.subscriptions.values()].filter(
          (one) =>
            one.siteId !== push.site.id &&
            world.sites.get(one.siteId)?.tenantId === tenantId &&
            isChosen(one, push),
        );
        return [...steps.recipientsOf(world, push), ...others];
      },
      recordDelivery(context, push, subscription) {
        const site = context.world.sites.get(subscription.siteId) ?? push.site;
        return steps.recordDelivery(context, { ...push, site }, subscription);
      },
    }),
  },
  {
    id: 'other-site-of-tenant-told',
    title: 'An event is pushed to the subscriptions of all sites of the tenant.',
    requirement: 'EVENT-13',
    wrap: to((subscriptions, { event, site }, { sites, subscriptions: all }) => {
      const tenantId = sites.get(site.id)?.tenantId;
      const others = [...all.values()].filter(
        ({ siteId, events }) =>
          siteId !== site.id &&
          sites.get(siteId)?.tenantId === tenantId &&
          events.some((chosen) => chosen === event),
      );
      return [...subscriptions, ...others];
    }),
  },
];

function isChosen({ events }: Subscription, { event }: Push): boolean {
  return events.some((chosen) => chosen === event);
}

/** Notes the subscriptions that test messages are sent to. */
function notingTests(steps: Steps, tested: Set<unknown>): Steps['recordDelivery'] {
  return (context, push, subscription) => {
    if (push.test) tested.add(subscription.id);
    return steps.recordDelivery(context, push, subscription);
  };
}

function everythingTo(when: (subscription: Subscription) => boolean): Wrap {
  return to((chosen, push, { subscriptions }) => {
    const others = [...subscriptions.values()].filter((one) => one.siteId === push.site.id && when(one));
    return [...new Set([...chosen, ...others])];
  });
}

function leavingOut(when: (subscription: Subscription, push: Push) => boolean): Wrap {
  return to((chosen, push) => chosen.filter((one) => !when(one, push)));
}

function losingRepeated(event: EventName): Wrap {
  return (steps, aids) => losing(event, createRepeatDetector())(steps, aids);
}

/** Changes to whom events are pushed. */
function to(change: (chosen: Subscription[], push: Push, world: World) => Subscription[]): Wrap {
  return (steps) => ({
    recipientsOf: (world, push) => change(steps.recipientsOf(world, push), push, world),
  });
}

function alsoTo(event: EventName, when: (subscription: Subscription) => boolean): Wrap {
  return to((chosen, push, { subscriptions }) => {
    if (push.event !== event) return chosen;
    const others = [...subscriptions.values()].filter((one) => one.siteId === push.site.id && when(one));
    return [...new Set([...chosen, ...others])];
  });
}

function losing(event: EventName, when: (push: Push) => boolean): Wrap {
  return to((chosen, push) => (push.event === event && when(push) ? [] : chosen));
}

/** Tells of an event as another one, with more data. */
function retelling(event: EventName, { as, more }: { as: EventName; more?: Json }): Wrap {
  const retold = (push: Push) =>
    push.event === event && !push.test ? { ...push, event: as, data: { ...push.data, ...more } } : push;
  return (steps) => ({
    recipientsOf: (world, push) => steps.recipientsOf(world, retold(push)),
    recordDelivery: (context, push, subscription) =>
      steps.recordDelivery(context, retold(push), subscription),
  });
}
