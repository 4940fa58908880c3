import { eventNames } from '../../openapi/event-names.ts';
import type { EventName } from '../../openapi/generated/types.ts';
import type { OperationId } from '../../openapi/operations.ts';
import type { PushMessage } from '../webhooks/render.ts';
import type { Subscription } from '../world/entries.ts';
import type { World } from '../world/world.ts';
import { byKey } from './callers.ts';
import { after, always, around, both, combineWraps, faultsOf, not, type Wrap } from './fault.ts';
import {
  hasNoSecret,
  isChat,
  onChannel,
  trackNewSites,
  trackSubscriptionsByKey,
  trackTests,
} from './subscription-tools.ts';
import { changeCall } from './wrap-calls.ts';
import { hasDataOver, hasQuery, isAscii, isEvent, recordAnother, trackEvents } from './wrap-pushes.ts';

/** A subscription and a push that it may get. */
type RecipientTest = (recipient: Subscription & PushMessage & { world: World }) => boolean;
type PushTest = (push: PushMessage) => boolean;

const choosesAll = ({ events }: Subscription) => events.length === 7;
const chooses =
  (event: EventName): RecipientTest =>
  ({ events }) =>
    events.includes(event);
const choosesContent: RecipientTest = ({ events }) => events.some((event) => event.startsWith('content.'));
const choosesIt: RecipientTest = ({ events, event }) => events.some((chosen) => chosen === event);
const onItsSite: RecipientTest = ({ siteId, site }) => siteId === site.id;
const ofSameTenant: RecipientTest = ({ siteId, site, world: { sites } }) =>
  sites.get(siteId)?.tenantId === sites.get(site.id)?.tenantId;
const hasNonAsciiData: PushTest = ({ data }) => !isAscii(JSON.stringify(data));

/** Faults in the choice of subscriptions that an event is pushed to. */
export const eventFaults = faultsOf({
  'EVENT-4 failures-to-those-who-chose-success: publish.failed is also pushed to subscriptions to publish.complete alone.':
    () => addRecipients(onItsSite, isEvent('publish.failed'), chooses('publish.complete')),
  'EVENT-4 content-events-as-a-family: content.update is pushed to all subscriptions to any event of content.':
    () => addRecipients(onItsSite, isEvent('content.update'), choosesContent),
  'EVENT-4 chat-gets-all-events: Subscriptions on the chat channels get all events, whichever they chose.':
    () => addRecipients(onItsSite, isChat),
  'EVENT-4 dingtalk-gets-failures: publish.failed is pushed to all subscriptions on the channel dingtalk.':
    () => addRecipients(onItsSite, isEvent('publish.failed'), onChannel('dingtalk')),
  'EVENT-4 all-events-without-secret: Subscriptions without a secret get all events, whichever they chose.':
    () => addRecipients(onItsSite, hasNoSecret),
  'EVENT-4 events-between-chosen-ones: Subscriptions to several events also get the events that the document lists between them.':
    () => addRecipients(onItsSite, isBetweenChosen),
  'EVENT-4 all-events-after-test: Subscriptions that have been tested get all events, whichever they chose.':
    () => trackTests((isTested) => addRecipients(onItsSite, ({ id }) => isTested(id))),
  'EVENT-6 content-publish-told-as-update: Published content is pushed as content.update.': () =>
    renameEvent('content.publish', 'content.update'),
  'EVENT-6 content-publish-of-non-ascii-lost: content.publish is not pushed where its data is not ASCII.':
    () => dropEvent('content.publish', hasNonAsciiData),
  'EVENT-6 content-publish-lost-when-repeated: content.publish is pushed only the first time that it happens on a site.':
    () => dropRepeatedEvent('content.publish'),
  'EVENT-7 content-update-of-non-ascii-lost: content.update is not pushed where its data is not ASCII.': () =>
    dropEvent('content.update', hasNonAsciiData),
  'EVENT-7 content-update-told-as-publish: Content that is changed after its publication is pushed as content.publish.':
    () => renameEvent('content.update', 'content.publish'),
  'EVENT-7 content-update-lost-when-repeated: content.update is pushed only the first time that it happens on a site.':
    () => dropRepeatedEvent('content.update'),
  'EVENT-8 content-delete-lost: content.delete is never pushed.': () => dropEvent('content.delete'),
  'EVENT-8 content-delete-told-as-update: Deleted content is pushed as content.update.': () =>
    renameEvent('content.delete', 'content.update'),
  'EVENT-8 content-delete-lost-when-repeated: content.delete is pushed only the first time that it happens on a site.':
    () => dropRepeatedEvent('content.delete'),
  'EVENT-9 form-submit-with-non-ascii-lost: form.submit is not pushed where a field is not ASCII.': () =>
    dropEvent('form.submit', hasNonAsciiData),
  'EVENT-9 form-submit-to-contact-lost: form.submit is not pushed for the form contact.': () =>
    dropEvent('form.submit', ({ data }) => Object.values(data).includes('contact')),
  'EVENT-9 form-submit-lost-when-repeated: form.submit is pushed only the first time that it happens on a site.':
    () => dropRepeatedEvent('form.submit'),
  'EVENT-9 form-submit-of-many-bytes-lost: form.submit is not pushed where its data are longer than 16 KiB.':
    () => dropEvent('form.submit', hasDataOver(16_384)),
  'EVENT-10 comment-created-with-non-ascii-lost: comment.created is not pushed where the text is not ASCII.':
    () => dropEvent('comment.created', hasNonAsciiData),
  'EVENT-10 comment-created-told-as-form-submit: A new comment is pushed as form.submit.': () =>
    renameEvent('comment.created', 'form.submit'),
  'EVENT-10 comment-created-lost-when-repeated: comment.created is pushed only the first time that it happens on a site.':
    () => dropRepeatedEvent('comment.created'),
  'EVENT-10 comment-created-of-many-bytes-lost: comment.created is not pushed where its data are longer than 4 KiB.':
    () => dropEvent('comment.created', hasDataOver(4_096)),
  'EVENT-11 publish-complete-lost: publish.complete is never pushed.': () => dropEvent('publish.complete'),
  'EVENT-11 publish-complete-from-version-eight-lost: publish.complete is not pushed for versions above 7.':
    () => dropEvent('publish.complete', ({ data }) => Number(data.version) > 7),
  'EVENT-11 publish-complete-lost-when-repeated: publish.complete is pushed only the first time that it happens on a site.':
    () => dropRepeatedEvent('publish.complete'),
  'EVENT-11 publish-complete-lost-soon-after-another: publish.complete is not pushed within a minute after another one.':
    ({ memory }, last = memory.map<number>('last')) =>
      dropEvent('publish.complete', ({ site, at }) => {
        const isSoon = at - (last.get(site.id) ?? 0) < 60_000;
        if (!isSoon) last.set(site.id, at);
        return isSoon;
      }),
  'EVENT-12 publish-failed-lost-when-repeated: publish.failed is pushed only the first time that it happens on a site.':
    () => dropRepeatedEvent('publish.failed'),
  'EVENT-7 content-update-by-key-lost: content.update is not pushed where an API key has changed the content.':
    () => dropEventByKey('content.update', 'updateContent'),
  'EVENT-10 comment-created-by-key-lost: comment.created is not pushed where an API key has written the comment.':
    () => dropEventByKey('comment.created', 'createComment'),
  'EVENT-9 form-submit-of-64-kib-lost: form.submit is not pushed where its data are longer than 64 KiB.':
    () => dropEvent('form.submit', hasDataOver(65_536)),
  'EVENT-11 publish-complete-before-failure: A publish that fails is also pushed as complete, to those who chose that alone.':
    () => tellAlso('publish.failed', 'publish.complete'),
  'EVENT-12 publish-failed-after-completion: A publish that finishes is also pushed as failed, to those who chose that alone.':
    () => tellAlso('publish.complete', 'publish.failed'),
  'EVENT-13 new-sites-left-out: Events of sites that were created since the start are not pushed.': () =>
    trackNewSites((isAboutNew) => dropRecipients(isAboutNew)),
  'EVENT-13 second-alike-left-out: Of several custom subscriptions that chose all seven events, only the oldest is pushed to.':
    () =>
      after('recipientsOf', (subscriptions) => {
        const all = subscriptions.filter(both(choosesAll, onChannel('custom')));
        return subscriptions.filter((one) => one === all[0] || !all.includes(one));
      }),
  'EVENT-13 feishu-left-out-of-comments: comment.created is not pushed on the channel feishu.': () =>
    dropRecipients(isEvent('comment.created'), onChannel('feishu')),
  'EVENT-13 seventh-subscriber-left-out: An event is pushed to no more than six subscriptions.': () =>
    after('recipientsOf', (subscriptions) => subscriptions.slice(0, 6)),
  'EVENT-13 subscriptions-without-secret-left-out: Of the custom subscriptions to all seven events, those without a secret are left out.':
    () => dropRecipients(choosesAll, hasNoSecret),
  'EVENT-13 subscriptions-by-key-left-out: Events are not pushed to subscriptions that an API key has made.':
    () => trackSubscriptionsByKey((isByKey) => dropRecipients(({ id }) => isByKey(id))),
  'EVENT-13 tested-subscriptions-left-out: Events are not pushed to subscriptions that have been tested.':
    () => trackTests((isTested) => dropRecipients(({ id }) => isTested(id))),
  'EVENT-13 receiving-urls-with-query-left-out: Events are not pushed to receiving URLs that have a query.':
    () => dropRecipients(hasQuery),
  'EVENT-13 feishu-left-out-of-long-events: Events whose data are longer than 4 KiB are not pushed on the channel feishu.':
    () => dropRecipients(onChannel('feishu'), hasDataOver(4_096)),
  'EVENT-13 repeated-events-to-few: An event that has happened before is pushed only to subscriptions to nothing else.':
    () => trackEvents((isRepeated) => dropRecipients(isRepeated, ({ events }) => events.length > 1)),
  'EVENT-13 other-tenant-told: An event is pushed to the subscriptions of other tenants as well.': () =>
    addRecipients(not(ofSameTenant), choosesIt),
  'EVENT-13 other-site-told-of-itself: An event is pushed to the subscriptions of all sites of the tenant, as one of their own site.':
    () =>
      combineWraps(
        addRecipients(not(onItsSite), ofSameTenant, choosesIt),
        recordAnother(({ push, subscription, world }) => ({
          push: { ...push, site: world.sites.get(subscription.siteId) ?? push.site },
        })),
      ),
  'EVENT-13 other-site-of-tenant-told: An event is pushed to the subscriptions of all sites of the tenant.':
    () => addRecipients(not(onItsSite), ofSameTenant, choosesIt),
});

/** Whether all tests hold for a subscription. */
function meets(tests: readonly RecipientTest[], world: World, push: PushMessage) {
  return (one: Subscription) => tests.every((test) => test({ ...one, ...push, world }));
}

/** Pushes events also to the subscriptions for which all tests hold. */
function addRecipients(...tests: readonly RecipientTest[]): Wrap {
  return after('recipientsOf', (chosen, world, push) => {
    const others = [...world.subscriptions.values()].filter(meets(tests, world, push));
    return [...new Set([...chosen, ...others])];
  });
}

function dropRecipients(...tests: readonly RecipientTest[]): Wrap {
  return after('recipientsOf', (chosen, world, push) => chosen.filter(not(meets(tests, world, push))));
}

function dropEvent(event: EventName, when: PushTest = always): Wrap {
  return after('recipientsOf', (chosen, _world, push) => (push.event === event && when(push) ? [] : chosen));
}

function dropRepeatedEvent(event: EventName): Wrap {
  return trackEvents((isRepeated) => dropEvent(event, isRepeated));
}

/** Pushes an event as another one. */
function renameEvent(event: EventName, as: EventName): Wrap {
  const rename = (push: PushMessage) => (push.event === event && !push.test ? { ...push, event: as } : push);
  return combineWraps(
    around('recipientsOf', (next, world, push) => next(world, rename(push))),
    recordAnother(({ push }) => ({ push: rename(push) })),
  );
}

/** Does not push an event where its call came with an API key. */
function dropEventByKey(event: EventName, id: OperationId): Wrap {
  return changeCall(id, (call) => {
    const { dispatcher } = call;
    const emit = (push: PushMessage) => (push.event === event ? [] : dispatcher.emit(push));
    return byKey(call) ? { ...call, dispatcher: { ...dispatcher, emit } } : call;
  });
}

/** Pushes an event as another one besides, to the subscriptions to that one which did not choose the event itself. */
function tellAlso(event: EventName, as: EventName): Wrap {
  return combineWraps(
    addRecipients(onItsSite, isEvent(event), chooses(as)),
    recordAnother(({ push, subscription, world }) => {
      if (push.event !== event || push.test || subscription.events.includes(event)) return {};
      const version = world.sites.get(push.site.id)?.lastVersion ?? 0;
      const data = { message: 'Another message about the same publish.', pages: 1, version };
      return { push: { ...push, event: as, data } };
    }),
  );
}

/** Whether an event is listed between two that were chosen. */
function isBetweenChosen({ events, event }: Subscription & PushMessage): boolean {
  const order: readonly string[] = eventNames;
  const chosen = events.map((name) => order.indexOf(name));
  const index = order.indexOf(event);
  return index > Math.min(...chosen) && index < Math.max(...chosen);
}
