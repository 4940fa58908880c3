import { eventNames } from '../../openapi/event-names.ts';
import type { EventName } from '../../openapi/generated/types.ts';
import type { Json } from '../../openapi/json.ts';
import type { OperationId } from '../../openapi/operations.ts';
import type { PushMessage } from '../webhooks/render.ts';
import type { Subscription } from '../world/entries.ts';
import type { World } from '../world/world.ts';
import { isByKey } from './caller-tools.ts';
import { eventBodyFaults } from './event-body-faults.ts';
import { combineWraps, type Fault, type Wrap, withMemory } from './fault.ts';
import { trackNewSites, trackSubscriptionsByKey } from './subscription-tools.ts';
import { changeCall } from './wrap-calls.ts';
import { createRepeatDetector, hasLongData, isAscii, watchPushes } from './wrap-pushes.ts';

/** Faults in the choice of subscriptions that an event is pushed to. */
export const eventFaults: readonly Fault[] = [
  ...eventBodyFaults,
  {
    id: 'failures-to-those-who-chose-success',
    title: 'publish.failed is also pushed to subscriptions to publish.complete alone.',
    requirement: 'EVENT-4',
    wrap: addRecipientsOf('publish.failed', ({ events }) => events.includes('publish.complete')),
  },
  {
    id: 'content-events-as-a-family',
    title: 'content.update is pushed to all subscriptions to any event of content.',
    requirement: 'EVENT-4',
    wrap: addRecipientsOf('content.update', ({ events }) =>
      events.some((event) => event.startsWith('content.')),
    ),
  },
  {
    id: 'chat-gets-all-events',
    title: 'Subscriptions on the chat channels get all events, whichever they chose.',
    requirement: 'EVENT-4',
    wrap: addRecipientsOnSite(({ channel }) => channel !== 'custom'),
  },
  {
    id: 'dingtalk-gets-failures',
    title: 'publish.failed is pushed to all subscriptions on the channel dingtalk.',
    requirement: 'EVENT-4',
    wrap: addRecipientsOf('publish.failed', ({ channel }) => channel === 'dingtalk'),
  },
  {
    id: 'all-events-without-secret',
    title: 'Subscriptions without a secret get all events, whichever they chose.',
    requirement: 'EVENT-4',
    wrap: addRecipientsOnSite(({ secret }) => secret === undefined),
  },
  {
    id: 'events-between-chosen-ones',
    title: 'Subscriptions to several events also get the events that the document lists between them.',
    requirement: 'EVENT-4',
    wrap: addRecipientsOnSite(({ events }, push) => {
      const order: readonly string[] = eventNames;
      const chosen = events.map((event) => order.indexOf(event));
      const index = order.indexOf(push.event);
      return index > Math.min(...chosen) && index < Math.max(...chosen);
    }),
  },
  {
    id: 'all-events-after-test',
    title: 'Subscriptions that have been tested get all events, whichever they chose.',
    requirement: 'EVENT-4',
    wrap: trackTests((isTested) => addRecipientsOnSite(isTested)),
  },
  {
    id: 'content-publish-told-as-update',
    title: 'Published content is pushed as content.update.',
    requirement: 'EVENT-6',
    wrap: renameEvent('content.publish', { as: 'content.update' }),
  },
  {
    id: 'content-publish-of-non-ascii-lost',
    title: 'content.publish is not pushed where its data is not ASCII.',
    requirement: 'EVENT-6',
    wrap: dropEvent('content.publish', hasNonAsciiData),
  },
  {
    id: 'content-publish-lost-when-repeated',
    title: 'content.publish is pushed only the first time that it happens on a site.',
    requirement: 'EVENT-6',
    wrap: dropRepeatedEvent('content.publish'),
  },
  {
    id: 'content-update-of-non-ascii-lost',
    title: 'content.update is not pushed where its data is not ASCII.',
    requirement: 'EVENT-7',
    wrap: dropEvent('content.update', hasNonAsciiData),
  },
  {
    id: 'content-update-told-as-publish',
    title: 'Content that is changed after its publication is pushed as content.publish.',
    requirement: 'EVENT-7',
    wrap: renameEvent('content.update', { as: 'content.publish' }),
  },
  {
    id: 'content-update-lost-when-repeated',
    title: 'content.update is pushed only the first time that it happens on a site.',
    requirement: 'EVENT-7',
    wrap: dropRepeatedEvent('content.update'),
  },
  {
    id: 'content-delete-lost',
    title: 'content.delete is never pushed.',
    requirement: 'EVENT-8',
    wrap: dropEvent('content.delete'),
  },
  {
    id: 'content-delete-told-as-update',
    title: 'Deleted content is pushed as content.update.',
    requirement: 'EVENT-8',
    wrap: renameEvent('content.delete', { as: 'content.update' }),
  },
  {
    id: 'content-delete-lost-when-repeated',
    title: 'content.delete is pushed only the first time that it happens on a site.',
    requirement: 'EVENT-8',
    wrap: dropRepeatedEvent('content.delete'),
  },
  {
    id: 'form-submit-with-non-ascii-lost',
    title: 'form.submit is not pushed where a field is not ASCII.',
    requirement: 'EVENT-9',
    wrap: dropEvent('form.submit', hasNonAsciiData),
  },
  {
    id: 'form-submit-to-contact-lost',
    title: 'form.submit is not pushed for the form contact.',
    requirement: 'EVENT-9',
    wrap: dropEvent('form.submit', ({ data }) => Object.values(data).includes('contact')),
  },
  {
    id: 'form-submit-lost-when-repeated',
    title: 'form.submit is pushed only the first time that it happens on a site.',
    requirement: 'EVENT-9',
    wrap: dropRepeatedEvent('form.submit'),
  },
  {
    id: 'form-submit-of-many-bytes-lost',
    title: 'form.submit is not pushed where its data are longer than 16 KiB.',
    requirement: 'EVENT-9',
    wrap: dropEvent('form.submit', ({ data }) => Buffer.byteLength(JSON.stringify(data)) > 16_384),
  },
  {
    id: 'comment-created-with-non-ascii-lost',
    title: 'comment.created is not pushed where the text is not ASCII.',
    requirement: 'EVENT-10',
    wrap: dropEvent('comment.created', hasNonAsciiData),
  },
  {
    id: 'comment-created-told-as-form-submit',
    title: 'A new comment is pushed as form.submit.',
    requirement: 'EVENT-10',
    wrap: renameEvent('comment.created', { as: 'form.submit' }),
  },
  {
    id: 'comment-created-lost-when-repeated',
    title: 'comment.created is pushed only the first time that it happens on a site.',
    requirement: 'EVENT-10',
    wrap: dropRepeatedEvent('comment.created'),
  },
  {
    id: 'comment-created-of-many-bytes-lost',
    title: 'comment.created is not pushed where its data are longer than 4 KiB.',
    requirement: 'EVENT-10',
    wrap: dropEvent('comment.created', hasLongData),
  },
  {
    id: 'publish-complete-lost',
    title: 'publish.complete is never pushed.',
    requirement: 'EVENT-11',
    wrap: dropEvent('publish.complete'),
  },
  {
    id: 'publish-complete-from-version-eight-lost',
    title: 'publish.complete is not pushed for versions above 7.',
    requirement: 'EVENT-11',
    wrap: dropEvent('publish.complete', ({ data }) => Number(data.version) > 7),
  },
  {
    id: 'publish-complete-lost-when-repeated',
    title: 'publish.complete is pushed only the first time that it happens on a site.',
    requirement: 'EVENT-11',
    wrap: dropRepeatedEvent('publish.complete'),
  },
  {
    id: 'publish-complete-lost-soon-after-another',
    title: 'publish.complete is not pushed within a minute after another one.',
    requirement: 'EVENT-11',
    wrap: withMemory((memory, last = memory.map<number>('last')) =>
      dropEvent('publish.complete', ({ site, at }) => {
        const isSoon = at - (last.get(site.id) ?? 0) < 60_000;
        if (!isSoon) last.set(site.id, at);
        return isSoon;
      }),
    ),
  },
  {
    id: 'publish-failed-lost-when-repeated',
    title: 'publish.failed is pushed only the first time that it happens on a site.',
    requirement: 'EVENT-12',
    wrap: dropRepeatedEvent('publish.failed'),
  },
  {
    id: 'content-update-by-key-lost',
    title: 'content.update is not pushed where an API key has changed the content.',
    requirement: 'EVENT-7',
    wrap: dropEventByKey('content.update', 'updateContent'),
  },
  {
    id: 'comment-created-by-key-lost',
    title: 'comment.created is not pushed where an API key has written the comment.',
    requirement: 'EVENT-10',
    wrap: dropEventByKey('comment.created', 'createComment'),
  },
  {
    id: 'form-submit-of-64-kib-lost',
    title: 'form.submit is not pushed where its data are longer than 64 KiB.',
    requirement: 'EVENT-9',
    wrap: dropEvent('form.submit', ({ data }) => Buffer.byteLength(JSON.stringify(data)) > 65_536),
  },
  {
    id: 'publish-complete-before-failure',
    title: 'A publish that fails is also pushed as complete, to those who chose that alone.',
    requirement: 'EVENT-11',
    wrap: tellAlso('publish.failed', { as: 'publish.complete' }),
  },
  {
    id: 'publish-failed-after-completion',
    title: 'A publish that finishes is also pushed as failed, to those who chose that alone.',
    requirement: 'EVENT-12',
    wrap: tellAlso('publish.complete', { as: 'publish.failed' }),
  },
  {
    id: 'new-sites-left-out',
    title: 'Events of sites that were created since the start are not pushed.',
    requirement: 'EVENT-13',
    wrap: trackNewSites((isNew) =>
      changeRecipients((chosen, { site, test }) => (isNew(site.id) && !test ? [] : chosen)),
    ),
  },
  {
    id: 'second-alike-left-out',
    title: 'Of several custom subscriptions that chose all seven events, only the oldest is pushed to.',
    requirement: 'EVENT-13',
    wrap: changeRecipients((subscriptions) => {
      const all = subscriptions.filter(({ events, channel }) => events.length === 7 && channel === 'custom');
      return subscriptions.filter((one) => one === all[0] || !all.includes(one));
    }),
  },
  {
    id: 'feishu-left-out-of-comments',
    title: 'comment.created is not pushed on the channel feishu.',
    requirement: 'EVENT-13',
    wrap: dropRecipients(({ channel }, { event }) => event === 'comment.created' && channel === 'feishu'),
  },
  {
    id: 'seventh-subscriber-left-out',
    title: 'An event is pushed to no more than six subscriptions.',
    requirement: 'EVENT-13',
    wrap: changeRecipients((subscriptions) => subscriptions.slice(0, 6)),
  },
  {
    id: 'subscriptions-without-secret-left-out',
    title: 'Of the custom subscriptions to all seven events, those without a secret are left out.',
    requirement: 'EVENT-13',
    wrap: dropRecipients(({ events, secret }) => events.length === 7 && secret === undefined),
  },
  {
    id: 'subscriptions-by-key-left-out',
    title: 'Events are not pushed to subscriptions that an API key has made.',
    requirement: 'EVENT-13',
    wrap: trackSubscriptionsByKey((isByKey) => dropRecipients(({ id }) => isByKey(id))),
  },
  {
    id: 'tested-subscriptions-left-out',
    title: 'Events are not pushed to subscriptions that have been tested.',
    requirement: 'EVENT-13',
    wrap: trackTests((isTested) => dropRecipients(isTested)),
  },
  {
    id: 'receiving-urls-with-query-left-out',
    title: 'Events are not pushed to receiving URLs that have a query.',
    requirement: 'EVENT-13',
    wrap: dropRecipients(({ url }) => url.includes('?')),
  },
  {
    id: 'feishu-left-out-of-long-events',
    title: 'Events whose data are longer than 4 KiB are not pushed on the channel feishu.',
    requirement: 'EVENT-13',
    wrap: dropRecipients(({ channel }, push) => channel === 'feishu' && hasLongData(push)),
  },
  {
    id: 'repeated-events-to-few',
    title: 'An event that has happened before is pushed only to subscriptions to nothing else.',
    requirement: 'EVENT-13',
    wrap: withMemory((memory, isRepeated = createRepeatDetector(memory)) =>
      dropRecipients(({ events }, push) => isRepeated(push) && events.length > 1),
    ),
  },
  {
    id: 'other-tenant-told',
    title: 'An event is pushed to the subscriptions of other tenants as well.',
    requirement: 'EVENT-13',
    wrap: addRecipients(
      (one, push, { sites }) =>
        sites.get(one.siteId)?.tenantId !== sites.get(push.site.id)?.tenantId && isChosen(one, push),
    ),
  },
  {
    id: 'other-site-told-of-itself',
    title: 'An event is pushed to the subscriptions of all sites of the tenant, as one of their own site.',
    requirement: 'EVENT-13',
    wrap: combineWraps(addRecipients(isOnOtherSiteOfTenant), (steps) => ({
      recordDelivery(context, push, subscription) {
        const site = context.world.sites.get(subscription.siteId) ?? push.site;
        return steps.recordDelivery(context, { ...push, site }, subscription);
      },
    })),
  },
  {
    id: 'other-site-of-tenant-told',
    title: 'An event is pushed to the subscriptions of all sites of the tenant.',
    requirement: 'EVENT-13',
    wrap: addRecipients(isOnOtherSiteOfTenant),
  },
];

type RecipientTest = (subscription: Subscription, push: PushMessage, world: World) => boolean;

/** Changes which subscriptions an event is pushed to. */
function changeRecipients(
  change: (chosen: Subscription[], push: PushMessage, world: World) => Subscription[],
): Wrap {
  return (steps) => ({
    recipientsOf: (world, push) => change(steps.recipientsOf(world, push), push, world),
  });
}

function addRecipients(when: RecipientTest): Wrap {
  return changeRecipients((chosen, push, world) => {
    const others = [...world.subscriptions.values()].filter((one) => when(one, push, world));
    return [...new Set([...chosen, ...others])];
  });
}

/** Pushes events to more subscriptions on their site. */
function addRecipientsOnSite(when: RecipientTest): Wrap {
  return addRecipients((one, push, world) => one.siteId === push.site.id && when(one, push, world));
}

function addRecipientsOf(event: EventName, when: (subscription: Subscription) => boolean): Wrap {
  return addRecipientsOnSite((one, push) => push.event === event && when(one));
}

function dropRecipients(when: (subscription: Subscription, push: PushMessage) => boolean): Wrap {
  return changeRecipients((chosen, push) => chosen.filter((one) => !when(one, push)));
}

function dropEvent(event: EventName, when: (push: PushMessage) => boolean = () => true): Wrap {
  return changeRecipients((chosen, push) => (push.event === event && when(push) ? [] : chosen));
}

function dropRepeatedEvent(event: EventName): Wrap {
  return withMemory((memory, isRepeated = createRepeatDetector(memory)) => dropEvent(event, isRepeated));
}

/** Pushes an event as another one, with more data. */
function renameEvent(event: EventName, { as, more }: { as: EventName; more?: Json }): Wrap {
  const rename = (push: PushMessage) =>
    push.event === event && !push.test ? { ...push, event: as, data: { ...push.data, ...more } } : push;
  return (steps) => ({
    recipientsOf: (world, push) => steps.recipientsOf(world, rename(push)),
    recordDelivery: (context, push, subscription) =>
      steps.recordDelivery(context, rename(push), subscription),
  });
}

/** Does not push an event where its call came with an API key. */
function dropEventByKey(event: EventName, id: OperationId): Wrap {
  return changeCall(id, (call) => {
    const { dispatcher } = call;
    const emit = (push: PushMessage) => (push.event === event ? [] : dispatcher.emit(push));
    return isByKey(call) ? { ...call, dispatcher: { ...dispatcher, emit } } : call;
  });
}

/** Pushes an event as another one besides, to the subscriptions to that one which did not choose the event itself. */
function tellAlso(event: EventName, { as }: { as: EventName }): Wrap {
  const isOther = (push: PushMessage, { events }: Subscription) =>
    push.event === event && !push.test && !events.some((chosen) => chosen === event);
  return combineWraps(
    addRecipientsOf(event, ({ events }) => events.some((chosen) => chosen === as)),
    (steps) => ({
      recordDelivery(context, push, subscription) {
        const version = context.world.sites.get(push.site.id)?.lastVersion ?? 0;
        const data = { message: 'Another message about the same publish.', pages: 1, version };
        const other = { ...push, event: as, data };
        return steps.recordDelivery(context, isOther(push, subscription) ? other : push, subscription);
      },
    }),
  );
}

/** A fault that distinguishes the subscriptions that have been tested. */
function trackTests(wrapOf: (isTested: (subscription: Subscription) => boolean) => Wrap): Wrap {
  return withMemory((memory, tested = memory.set('tested')) =>
    combineWraps(
      watchPushes(({ push, subscription }) => {
        if (push.test) tested.add(subscription.id);
      }),
      wrapOf(({ id }) => tested.has(id)),
    ),
  );
}

function isChosen({ events }: Subscription, { event }: PushMessage): boolean {
  return events.some((chosen) => chosen === event);
}

/** Whether a subscription chose an event, but on another site of the tenant. */
function isOnOtherSiteOfTenant(one: Subscription, push: PushMessage, { sites }: World): boolean {
  const isOfTenant = sites.get(one.siteId)?.tenantId === sites.get(push.site.id)?.tenantId;
  return one.siteId !== push.site.id && isOfTenant && isChosen(one, push);
}

function hasNonAsciiData({ data }: PushMessage): boolean {
  return !isAscii(JSON.stringify(data));
}
