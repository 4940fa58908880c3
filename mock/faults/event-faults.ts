import { eventNames } from '../../openapi/event-names.ts';
import type { EventName } from '../../openapi/generated/types.ts';
import type { OperationId } from '../../openapi/operations.ts';
import { formatTimestamp, type PushMessage } from '../webhooks/render.ts';
import type { Subscription } from '../world/entries.ts';
import type { World } from '../world/world.ts';
import { byKey } from './callers.ts';
import { after, always, around, both, changeAt, combineWraps, faultsOf, not, type Wrap } from './fault.ts';
import {
  hasNoSecret,
  isChat,
  onChannel,
  trackNewSites,
  trackSubscriptionsByKey,
  trackTests,
} from './subscription-tools.ts';
import { changeCall } from './wrap-calls.ts';
import {
  changeJson,
  changeText,
  hasDataOver,
  hasQuery,
  isAscii,
  isCustom,
  isEvent,
  isLong,
  isOfEvenSite,
  isTest,
  isUnsigned,
  onRetries,
  type RecordedTest,
  recordAnother,
  trackEvents,
} from './wrap-pushes.ts';

const gone = () => undefined;
const withQuestionMarks = (text: unknown) => String(text).replace(/[^\0-\x7f]/g, '?');
const timeAt = (time: unknown, offset: string, seconds = 0) =>
  formatTimestamp(Date.parse(String(time)) + seconds * 1_000, offset);
const withoutOffset = (time: unknown) => String(time).slice(0, 'yyyy-mm-ddThh:mm:ss'.length);
const withOffset = (offset: string) => (time: unknown) => String(time).replace(/(Z|[+-]\d\d:\d\d)$/, offset);
const inUtcAsIfInChina = (time: unknown) => `${withoutOffset(timeAt(time, 'Z'))}+08:00`;
const plusHalf = (value: unknown) => Number(value) + 0.5;
const isEventBody: RecordedTest = (recorded) => isCustom(recorded) && !recorded.test?.ownBody;
type RecipientTest = (recipient: Subscription & PushMessage & { world: World }) => boolean;
type PushTest = (push: PushMessage) => boolean;
const choosesAll = ({ events }: Subscription) => events.length === eventNames.length;
const choosesContent: RecipientTest = ({ events }) => events.some((event) => event.startsWith('content.'));
const choosesIt: RecipientTest = ({ events, event }) => events.some((chosen) => chosen === event);
const onItsSite: RecipientTest = ({ siteId, site }) => siteId === site.id;
const ofSameTenant: RecipientTest = ({ siteId, site, world: { sites } }) =>
  sites.get(siteId)?.tenantId === sites.get(site.id)?.tenantId;
const hasNonAsciiData: PushTest = ({ data }) => !isAscii(JSON.stringify(data));

export const eventFaults = faultsOf({
  'EVENT-1 site-id-as-text-on-form-submit: The site_id of form.submit is a string.': () =>
    changeBody(isEvent('form.submit'), 'site_id', String),
  'EVENT-1 site-name-in-ascii: Non-ASCII characters in the name of a site are pushed as question marks.':
    () => changeBody(always, 'site_name', withQuestionMarks),
  'EVENT-1 no-data-on-content-delete: The data of content.delete is null.': () =>
    changeBody(isEvent('content.delete'), 'data', () => null),
  'EVENT-1 no-site-name-without-secret: Pushes to subscriptions without a secret have no site_name.': () =>
    changeBody(isUnsigned, 'site_name', gone),
  'EVENT-1 even-site-id-as-text: The site_id is a string if it is even.': () =>
    changeBody(isOfEvenSite, 'site_id', String),
  'EVENT-1 site-name-of-first-site: The site_name is always that of the first site.': () =>
    nameSites(always, ({ name }) => ({ name })),
  'EVENT-1 no-data-on-retries: The body of a retry has no data.': () =>
    onRetries(changeBody(always, 'data', gone)),
  'EVENT-1 no-site-name-on-long-pushes: A body of more than 4096 bytes has no site_name.': () =>
    changeBody(isLong, 'site_name', gone),
  'EVENT-1 data-in-list-when-repeated: If an event has happened before, its data is in a list.': () =>
    trackEvents((isRepeated) => changeBody(isRepeated, 'data', (data) => [data])),
  'EVENT-1 new-sites-told-as-first-site: Pushes about sites created since startup have the id and name of the first site.':
    () => trackNewSites((isAboutNew) => nameSites(isAboutNew, (first) => first)),
  'EVENT-1 new-sites-without-their-name: Pushes about sites created since startup have the site_name of the first site.':
    () => trackNewSites((isAboutNew) => nameSites(isAboutNew, ({ name }) => ({ name }))),
  'EVENT-1 body-cut-at-64-kib: A body of more than 64 KiB is truncated to that size.': () =>
    changeText(isEventBody, (text) =>
      withQuestionMarks(Buffer.from(text).subarray(0, 65_536).toString('latin1')),
    ),
  'EVENT-2 event-with-underscore: The body calls form.submit form_submit.': () =>
    changeBody(isEvent('form.submit'), 'event', () => 'form_submit'),
  'EVENT-2 event-in-past-tense: The body calls content.update content.updated.': () =>
    changeBody(isEvent('content.update'), 'event', () => 'content.updated'),
  'EVENT-2 event-in-capitals-without-secret: Pushes to subscriptions without a secret have the event in capitals.':
    () => changeBody(both(isUnsigned, not(isTest)), 'event', (event) => String(event).toUpperCase()),
  'EVENT-2 event-named-retry-on-retries: The body of a retry has the event retry.': () =>
    onRetries(changeBody(always, 'event', () => 'retry')),
  'EVENT-3 timestamp-local-told-as-utc: The timestamp of an event is eight hours ahead, because it is a local time followed by Z.':
    () => changeBody(not(isTest), 'timestamp', (time) => `${withoutOffset(timeAt(time, '+08:00'))}Z`),
  'EVENT-3 timestamp-with-offset-of-another-zone: The timestamp of comment.created is in UTC, but its offset is not.':
    () => changeBody(isEvent('comment.created'), 'timestamp', inUtcAsIfInChina),
  'EVENT-3 timestamp-of-site-on-form-submit: The timestamp of form.submit is a day old.': () =>
    changeBody(isEvent('form.submit'), 'timestamp', (time) => timeAt(time, '+08:00', -86_400)),
  'EVENT-3 timestamp-without-offset-on-publish: The timestamp of publish.complete is a local time without an offset.':
    () => changeBody(isEvent('publish.complete'), 'timestamp', withoutOffset),
  'EVENT-3 timestamp-with-gmt: The timestamp of comment.created has GMT instead of an offset.': () =>
    changeBody(isEvent('comment.created'), 'timestamp', withOffset(' GMT')),
  'EVENT-3 timestamp-without-offset-and-secret: If a subscription has no secret, the timestamp is a local time without an offset.':
    () => changeBody(isUnsigned, 'timestamp', withoutOffset),
  'EVENT-3 offset-with-digits-swapped: The offset of content.update is 80 hours.': () =>
    changeBody(isEvent('content.update'), 'timestamp', withOffset('+80:00')),
  'EVENT-3 timestamp-without-offset-on-even-sites: For sites with an even id, the timestamp is a local time without an offset.':
    () => changeBody(isOfEvenSite, 'timestamp', withoutOffset),
  'EVENT-3 timestamp-with-blank: The timestamp of content.delete has a space between date and time.': () =>
    changeBody(isEvent('content.delete'), 'timestamp', (time) => String(time).replace('T', ' ')),
  'EVENT-3 timestamp-in-seconds-on-retries: The timestamp in the body of a retry is in seconds since 1970.':
    () => onRetries(changeBody(always, 'timestamp', (time) => String(Date.parse(String(time)) / 1_000))),
  'EVENT-5 pages-as-text: The member pages of publish.complete is a string.': () =>
    changePublishData('pages', String),
  'EVENT-5 no-message-on-publish-complete: publish.complete has no message.': () =>
    changePublishData('message', gone),
  'EVENT-5 version-one-behind: publish.complete has the version before the published one.': () =>
    changePublishData('version', (version) => Number(version) - 1),
  'EVENT-5 pages-as-text-when-repeated: The member pages of a second publish.complete is a string.': () =>
    trackEvents((isRepeated) => changePublishData('pages', String, isRepeated)),
  'EVENT-5 pages-with-fraction-to-those-who-chose-all: For subscriptions to all seven events, pages in publish.complete is not an integer.':
    () => changePublishData('pages', plusHalf, ({ subscription }) => choosesAll(subscription)),
  'EVENT-5 version-as-text-without-secret: If a subscription has no secret, version in publish.complete is a string.':
    () => changePublishData('version', String, isUnsigned),
  'EVENT-5 no-pages-on-retries: A retry of publish.complete has no pages.': () =>
    onRetries(changeBody(isEvent('publish.complete'), 'data.pages', gone)),
  'EVENT-4 failures-to-those-who-chose-success: publish.failed is also pushed to subscriptions to publish.complete only.':
    () => addRecipients(onItsSite, isEvent('publish.failed'), chooses('publish.complete')),
  'EVENT-4 content-events-as-a-family: content.update is pushed to all subscriptions to any content event.':
    () => addRecipients(onItsSite, isEvent('content.update'), choosesContent),
  'EVENT-4 chat-gets-all-events: Subscriptions on the chat channels get all events, even those they did not choose.':
    () => addRecipients(onItsSite, isChat),
  'EVENT-4 dingtalk-gets-failures: publish.failed is pushed to all subscriptions on the channel dingtalk.':
    () => addRecipients(onItsSite, isEvent('publish.failed'), onChannel('dingtalk')),
  'EVENT-4 all-events-without-secret: Subscriptions without a secret get all events, even those they did not choose.':
    () => addRecipients(onItsSite, hasNoSecret),
  'EVENT-4 events-between-chosen-ones: Subscriptions to several events also get the events that the document lists between them.':
    () => addRecipients(onItsSite, isBetweenChosen),
  'EVENT-4 all-events-after-test: Subscriptions that have been tested get all events, even those they did not choose.':
    () => trackTests((isTested) => addRecipients(onItsSite, ({ id }) => isTested(id))),
  'EVENT-6 content-publish-told-as-update: Published content is pushed as content.update.': () =>
    renameEvent('content.publish', 'content.update'),
  'EVENT-6 content-publish-of-non-ascii-lost: content.publish is not pushed if its data is not ASCII.': () =>
    dropEvent('content.publish', hasNonAsciiData),
  'EVENT-6 content-publish-lost-when-repeated: content.publish is pushed only the first time it happens on a site.':
    () => dropRepeatedEvent('content.publish'),
  'EVENT-7 content-update-of-non-ascii-lost: content.update is not pushed if its data is not ASCII.': () =>
    dropEvent('content.update', hasNonAsciiData),
  'EVENT-7 content-update-told-as-publish: A change to published content is pushed as content.publish.': () =>
    renameEvent('content.update', 'content.publish'),
  'EVENT-7 content-update-lost-when-repeated: content.update is pushed only the first time it happens on a site.':
    () => dropRepeatedEvent('content.update'),
  'EVENT-8 content-delete-lost: content.delete is never pushed.': () => dropEvent('content.delete'),
  'EVENT-8 content-delete-told-as-update: Deleted content is pushed as content.update.': () =>
    renameEvent('content.delete', 'content.update'),
  'EVENT-8 content-delete-lost-when-repeated: content.delete is pushed only the first time it happens on a site.':
    () => dropRepeatedEvent('content.delete'),
  'EVENT-9 form-submit-with-non-ascii-lost: form.submit is not pushed if a field is not ASCII.': () =>
    dropEvent('form.submit', hasNonAsciiData),
  'EVENT-9 form-submit-to-contact-lost: form.submit is not pushed for the form contact.': () =>
    dropEvent('form.submit', ({ data }) => Object.values(data).includes('contact')),
  'EVENT-9 form-submit-lost-when-repeated: form.submit is pushed only the first time it happens on a site.':
    () => dropRepeatedEvent('form.submit'),
  'EVENT-9 form-submit-of-many-bytes-lost: form.submit is not pushed if its data is longer than 16 KiB.':
    () => dropEvent('form.submit', hasDataOver(16_384)),
  'EVENT-10 comment-created-with-non-ascii-lost: comment.created is not pushed if the text is not ASCII.':
    () => dropEvent('comment.created', hasNonAsciiData),
  'EVENT-10 comment-created-told-as-form-submit: A new comment is pushed as form.submit.': () =>
    renameEvent('comment.created', 'form.submit'),
  'EVENT-10 comment-created-lost-when-repeated: comment.created is pushed only the first time it happens on a site.':
    () => dropRepeatedEvent('comment.created'),
  'EVENT-10 comment-created-of-many-bytes-lost: comment.created is not pushed if its data is longer than 4 KiB.':
    () => dropEvent('comment.created', hasDataOver(4_096)),
  'EVENT-11 publish-complete-lost: publish.complete is never pushed.': () => dropEvent('publish.complete'),
  'EVENT-11 publish-complete-from-version-eight-lost: publish.complete is not pushed for versions above 7.':
    () => dropEvent('publish.complete', ({ data }) => Number(data.version) > 7),
  'EVENT-11 publish-complete-lost-when-repeated: publish.complete is pushed only the first time it happens on a site.':
    () => dropRepeatedEvent('publish.complete'),
  'EVENT-11 publish-complete-lost-soon-after-another: publish.complete is not pushed within a minute after another one.':
    ({ memory }, last = memory.map<number>('last')) =>
      dropEvent('publish.complete', ({ site, at }) => {
        const isSoon = at - (last.get(site.id) ?? 0) < 60_000;
        if (!isSoon) last.set(site.id, at);
        return isSoon;
      }),
  'EVENT-12 publish-failed-lost-when-repeated: publish.failed is pushed only the first time it happens on a site.':
    () => dropRepeatedEvent('publish.failed'),
  'EVENT-7 content-update-by-key-lost: content.update is not pushed if an API key changed the content.': () =>
    dropEventByKey('content.update', 'updateContent'),
  'EVENT-10 comment-created-by-key-lost: comment.created is not pushed if an API key wrote the comment.':
    () => dropEventByKey('comment.created', 'createComment'),
  'EVENT-9 form-submit-of-64-kib-lost: form.submit is not pushed if its data is longer than 64 KiB.': () =>
    dropEvent('form.submit', hasDataOver(65_536)),
  'EVENT-11 publish-complete-before-failure: A publish that fails also pushes publish.complete to subscriptions to only that event.':
    () => tellAlso('publish.failed', 'publish.complete'),
  'EVENT-12 publish-failed-after-completion: A publish that completes also pushes publish.failed to subscriptions to only that event.':
    () => tellAlso('publish.complete', 'publish.failed'),
  'EVENT-13 new-sites-left-out: Events of sites created since startup are not pushed.': () =>
    trackNewSites((isAboutNew) => dropRecipients(isAboutNew)),
  'EVENT-13 second-alike-left-out: If several custom subscriptions chose all seven events, only the oldest gets pushes.':
    () =>
      after('recipientsOf', (subscriptions) => {
        const all = subscriptions.filter(both(choosesAll, onChannel('custom')));
        return subscriptions.filter((one) => one === all[0] || !all.includes(one));
      }),
  'EVENT-13 feishu-left-out-of-comments: comment.created is not pushed on the channel feishu.': () =>
    dropRecipients(isEvent('comment.created'), onChannel('feishu')),
  'EVENT-13 seventh-subscriber-left-out: An event is pushed to at most six subscriptions.': () =>
    after('recipientsOf', (subscriptions) => subscriptions.slice(0, 6)),
  'EVENT-13 subscriptions-without-secret-left-out: Custom subscriptions to all seven events get no pushes if they have no secret.':
    () => dropRecipients(choosesAll, hasNoSecret),
  'EVENT-13 subscriptions-by-key-left-out: Events are not pushed to subscriptions created with an API key.':
    () => trackSubscriptionsByKey((isByKey) => dropRecipients(({ id }) => isByKey(id))),
  'EVENT-13 tested-subscriptions-left-out: Events are not pushed to subscriptions that have been tested.':
    () => trackTests((isTested) => dropRecipients(({ id }) => isTested(id))),
  'EVENT-13 receiving-urls-with-query-left-out: Events are not pushed to receiving URLs with a query.': () =>
    dropRecipients(hasQuery),
  'EVENT-13 feishu-left-out-of-long-events: Events whose data is longer than 4 KiB are not pushed on the channel feishu.':
    () => dropRecipients(onChannel('feishu'), hasDataOver(4_096)),
  'EVENT-13 repeated-events-to-few: An event that has happened before is pushed only to subscriptions to that event only.':
    () => trackEvents((isRepeated) => dropRecipients(isRepeated, ({ events }) => events.length > 1)),
  'EVENT-13 other-tenant-told: An event is also pushed to the subscriptions of other tenants.': () =>
    addRecipients(not(ofSameTenant), choosesIt),
  'EVENT-13 other-site-told-of-itself: An event is pushed to the subscriptions of all sites of the tenant, as an event of their site.':
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

/** Changes a member of bodies of section 6.3. `path`: for example `data.pages`. */
function changeBody(when: RecordedTest, path: string, change: (value: unknown) => unknown): Wrap {
  return changeJson(both(isEventBody, when), (body) => changeAt(body, path, change));
}

function changePublishData(
  name: string,
  change: (value: unknown) => unknown,
  when: RecordedTest = always,
): Wrap {
  return changeBody(both(when, isEvent('publish.complete')), `data.${name}`, change);
}

type NamedSite = PushMessage['site'];

/** Gives a push the id or the name of the world's first site. */
function nameSites(when: PushTest, namesOf: (first: NamedSite) => Partial<NamedSite>): Wrap {
  return recordAnother(({ push, world }) => {
    const [first = push.site] = world.sites.values();
    return when(push) ? { push: { ...push, site: { ...push.site, ...namesOf(first) } } } : {};
  });
}

function chooses(event: EventName): RecipientTest {
  return ({ events }) => events.includes(event);
}

function meets(tests: readonly RecipientTest[], world: World, push: PushMessage) {
  return (one: Subscription) => tests.every((test) => test({ ...one, ...push, world }));
}

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

function renameEvent(event: EventName, as: EventName): Wrap {
  const rename = (push: PushMessage) => (push.event === event && !push.test ? { ...push, event: as } : push);
  return combineWraps(
    around('recipientsOf', (next, world, push) => next(world, rename(push))),
    recordAnother(({ push }) => ({ push: rename(push) })),
  );
}

function dropEventByKey(event: EventName, id: OperationId): Wrap {
  return changeCall(id, (call) => {
    const { dispatcher } = call;
    const emit = (push: PushMessage) => (push.event === event ? [] : dispatcher.emit(push));
    return byKey(call) ? { ...call, dispatcher: { ...dispatcher, emit } } : call;
  });
}

/** Pushes an event under another name to the subscriptions that chose that name but not the event. */
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

function isBetweenChosen({ events, event }: Subscription & PushMessage): boolean {
  const order: readonly string[] = eventNames;
  const chosen = events.map((name) => order.indexOf(name));
  const index = order.indexOf(event);
  return index > Math.min(...chosen) && index < Math.max(...chosen);
}
