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
  'EVENT-1 site-id-as-text-on-form-submit: sends the site_id of form.submit as a string': () =>
    changeBody(isEvent('form.submit'), 'site_id', String),
  'EVENT-1 site-name-in-ascii: replaces non-ASCII characters of site names with question marks in pushes':
    () => changeBody(always, 'site_name', withQuestionMarks),
  'EVENT-1 no-data-on-content-delete: sends content.delete with null as data': () =>
    changeBody(isEvent('content.delete'), 'data', () => null),
  'EVENT-1 no-site-name-without-secret: omits site_name from pushes to subscriptions without a secret': () =>
    changeBody(isUnsigned, 'site_name', gone),
  'EVENT-1 even-site-id-as-text: sends an even site_id as a string': () =>
    changeBody(isOfEvenSite, 'site_id', String),
  'EVENT-1 site-name-of-first-site: sends the name of the first site in all pushes': () =>
    nameSites(always, ({ name }) => ({ name })),
  'EVENT-1 no-data-on-retries: omits data from retries': () => onRetries(changeBody(always, 'data', gone)),
  'EVENT-1 no-site-name-on-long-pushes: omits site_name from pushes of more than 4096 bytes': () =>
    changeBody(isLong, 'site_name', gone),
  'EVENT-1 data-in-list-when-repeated: sends data inside a list if the event happened before': () =>
    trackEvents((isRepeated) => changeBody(isRepeated, 'data', (data) => [data])),
  "EVENT-1 new-sites-told-as-first-site: sends the first site's id and name for sites created since startup":
    () => trackNewSites((isAboutNew) => nameSites(isAboutNew, (first) => first)),
  "EVENT-1 new-sites-without-their-name: sends the first site's name for sites created since startup": () =>
    trackNewSites((isAboutNew) => nameSites(isAboutNew, ({ name }) => ({ name }))),
  'EVENT-1 body-cut-at-64-kib: truncates pushes of more than 64 KiB': () =>
    changeText(isEventBody, (text) =>
      withQuestionMarks(Buffer.from(text).subarray(0, 65_536).toString('latin1')),
    ),
  'EVENT-2 event-with-underscore: sends form.submit as form_submit in the body': () =>
    changeBody(isEvent('form.submit'), 'event', () => 'form_submit'),
  'EVENT-2 event-in-past-tense: sends content.update as content.updated in the body': () =>
    changeBody(isEvent('content.update'), 'event', () => 'content.updated'),
  'EVENT-2 event-in-capitals-without-secret: sends the event in capitals to subscriptions without a secret':
    () => changeBody(both(isUnsigned, not(isTest)), 'event', (event) => String(event).toUpperCase()),
  'EVENT-2 event-named-retry-on-retries: sends "retry" as the event of retries': () =>
    onRetries(changeBody(always, 'event', () => 'retry')),
  'EVENT-3 timestamp-local-told-as-utc: sends local time marked as UTC in the timestamp, eight hours ahead':
    () => changeBody(not(isTest), 'timestamp', (time) => `${withoutOffset(timeAt(time, '+08:00'))}Z`),
  'EVENT-3 timestamp-with-offset-of-another-zone: sends the timestamp of comment.created in UTC with the offset of another zone':
    () => changeBody(isEvent('comment.created'), 'timestamp', inUtcAsIfInChina),
  'EVENT-3 timestamp-of-site-on-form-submit: sends form.submit with a timestamp that is a day old': () =>
    changeBody(isEvent('form.submit'), 'timestamp', (time) => timeAt(time, '+08:00', -86_400)),
  'EVENT-3 timestamp-without-offset-on-publish: sends publish.complete with a local timestamp without offset':
    () => changeBody(isEvent('publish.complete'), 'timestamp', withoutOffset),
  'EVENT-3 timestamp-with-gmt: sends comment.created with GMT instead of an offset in the timestamp': () =>
    changeBody(isEvent('comment.created'), 'timestamp', withOffset(' GMT')),
  'EVENT-3 timestamp-without-offset-and-secret: sends a local timestamp without offset if the subscription has no secret':
    () => changeBody(isUnsigned, 'timestamp', withoutOffset),
  'EVENT-3 offset-with-digits-swapped: sends content.update with an offset of 80 hours in the timestamp':
    () => changeBody(isEvent('content.update'), 'timestamp', withOffset('+80:00')),
  'EVENT-3 timestamp-without-offset-on-even-sites: sends a local timestamp without offset for sites with an even id':
    () => changeBody(isOfEvenSite, 'timestamp', withoutOffset),
  'EVENT-3 timestamp-with-blank: sends content.delete with a space between date and time': () =>
    changeBody(isEvent('content.delete'), 'timestamp', (time) => String(time).replace('T', ' ')),
  'EVENT-3 timestamp-in-seconds-on-retries: sends the timestamp of retries in seconds since 1970': () =>
    onRetries(changeBody(always, 'timestamp', (time) => String(Date.parse(String(time)) / 1_000))),
  'EVENT-5 pages-as-text: sends publish.complete with a string as pages': () =>
    changePublishData('pages', String),
  'EVENT-5 no-message-on-publish-complete: omits message from publish.complete': () =>
    changePublishData('message', gone),
  'EVENT-5 version-one-behind: sends publish.complete with the version before the published one': () =>
    changePublishData('version', (version) => Number(version) - 1),
  'EVENT-5 pages-as-text-when-repeated: sends a second publish.complete with a string as pages': () =>
    trackEvents((isRepeated) => changePublishData('pages', String, isRepeated)),
  'EVENT-5 pages-with-fraction-to-those-who-chose-all: sends a fraction as pages to subscriptions to all seven events':
    () => changePublishData('pages', plusHalf, ({ subscription }) => choosesAll(subscription)),
  'EVENT-5 version-as-text-without-secret: sends publish.complete with a string as version if the subscription has no secret':
    () => changePublishData('version', String, isUnsigned),
  'EVENT-5 no-pages-on-retries: omits pages from retries of publish.complete': () =>
    onRetries(changeBody(isEvent('publish.complete'), 'data.pages', gone)),
  'EVENT-4 failures-to-those-who-chose-success: pushes publish.failed to subscriptions to only publish.complete':
    () => addRecipients(onItsSite, isEvent('publish.failed'), chooses('publish.complete')),
  'EVENT-4 content-events-as-a-family: pushes content.update to all subscriptions to any content event': () =>
    addRecipients(onItsSite, isEvent('content.update'), choosesContent),
  'EVENT-4 chat-gets-all-events: pushes unchosen events to subscriptions on the chat channels': () =>
    addRecipients(onItsSite, isChat),
  'EVENT-4 dingtalk-gets-failures: pushes publish.failed to all subscriptions on the channel dingtalk': () =>
    addRecipients(onItsSite, isEvent('publish.failed'), onChannel('dingtalk')),
  'EVENT-4 all-events-without-secret: pushes unchosen events to subscriptions without a secret': () =>
    addRecipients(onItsSite, hasNoSecret),
  'EVENT-4 events-between-chosen-ones: pushes unchosen events that the document lists between chosen ones':
    () => addRecipients(onItsSite, isBetweenChosen),
  'EVENT-4 all-events-after-test: pushes unchosen events to subscriptions that have been tested': () =>
    trackTests((isTested) => addRecipients(onItsSite, ({ id }) => isTested(id))),
  'EVENT-6 content-publish-told-as-update: pushes content.update when content is published': () =>
    renameEvent('content.publish', 'content.update'),
  'EVENT-6 content-publish-of-non-ascii-lost: drops content.publish if its data is not ASCII': () =>
    dropEvent('content.publish', hasNonAsciiData),
  'EVENT-6 content-publish-lost-when-repeated: pushes content.publish only once per site': () =>
    dropRepeatedEvent('content.publish'),
  'EVENT-7 content-update-of-non-ascii-lost: drops content.update if its data is not ASCII': () =>
    dropEvent('content.update', hasNonAsciiData),
  'EVENT-7 content-update-told-as-publish: pushes content.publish when published content is updated': () =>
    renameEvent('content.update', 'content.publish'),
  'EVENT-7 content-update-lost-when-repeated: pushes content.update only once per site': () =>
    dropRepeatedEvent('content.update'),
  'EVENT-8 content-delete-lost: drops content.delete': () => dropEvent('content.delete'),
  'EVENT-8 content-delete-told-as-update: pushes content.update when content is deleted': () =>
    renameEvent('content.delete', 'content.update'),
  'EVENT-8 content-delete-lost-when-repeated: pushes content.delete only once per site': () =>
    dropRepeatedEvent('content.delete'),
  'EVENT-9 form-submit-with-non-ascii-lost: drops form.submit if a field is not ASCII': () =>
    dropEvent('form.submit', hasNonAsciiData),
  'EVENT-9 form-submit-to-contact-lost: drops form.submit for the form contact': () =>
    dropEvent('form.submit', ({ data }) => Object.values(data).includes('contact')),
  'EVENT-9 form-submit-lost-when-repeated: pushes form.submit only once per site': () =>
    dropRepeatedEvent('form.submit'),
  'EVENT-9 form-submit-of-many-bytes-lost: drops form.submit if its data is longer than 16 KiB': () =>
    dropEvent('form.submit', hasDataOver(16_384)),
  'EVENT-10 comment-created-with-non-ascii-lost: drops comment.created if its text is not ASCII': () =>
    dropEvent('comment.created', hasNonAsciiData),
  'EVENT-10 comment-created-told-as-form-submit: pushes form.submit when a comment is created': () =>
    renameEvent('comment.created', 'form.submit'),
  'EVENT-10 comment-created-lost-when-repeated: pushes comment.created only once per site': () =>
    dropRepeatedEvent('comment.created'),
  'EVENT-10 comment-created-of-many-bytes-lost: drops comment.created if its data is longer than 4 KiB': () =>
    dropEvent('comment.created', hasDataOver(4_096)),
  'EVENT-11 publish-complete-lost: drops publish.complete': () => dropEvent('publish.complete'),
  'EVENT-11 publish-complete-from-version-eight-lost: drops publish.complete for versions above 7': () =>
    dropEvent('publish.complete', ({ data }) => Number(data.version) > 7),
  'EVENT-11 publish-complete-lost-when-repeated: pushes publish.complete only once per site': () =>
    dropRepeatedEvent('publish.complete'),
  'EVENT-11 publish-complete-lost-soon-after-another: drops publish.complete within a minute after another one':
    ({ memory }, last = memory.map<number>('last')) =>
      dropEvent('publish.complete', ({ site, at }) => {
        const isSoon = at - (last.get(site.id) ?? 0) < 60_000;
        if (!isSoon) last.set(site.id, at);
        return isSoon;
      }),
  'EVENT-12 publish-failed-lost-when-repeated: pushes publish.failed only once per site': () =>
    dropRepeatedEvent('publish.failed'),
  'EVENT-7 content-update-by-key-lost: drops content.update if an API key updated the content': () =>
    dropEventByKey('content.update', 'updateContent'),
  'EVENT-10 comment-created-by-key-lost: drops comment.created if an API key created the comment': () =>
    dropEventByKey('comment.created', 'createComment'),
  'EVENT-9 form-submit-of-64-kib-lost: drops form.submit if its data is longer than 64 KiB': () =>
    dropEvent('form.submit', hasDataOver(65_536)),
  'EVENT-11 publish-complete-before-failure: pushes publish.complete to subscriptions to only that event if a publish fails':
    () => tellAlso('publish.failed', 'publish.complete'),
  'EVENT-12 publish-failed-after-completion: pushes publish.failed to subscriptions to only that event if a publish completes':
    () => tellAlso('publish.complete', 'publish.failed'),
  'EVENT-13 new-sites-left-out: drops events of sites created since startup': () =>
    trackNewSites((isAboutNew) => dropRecipients(isAboutNew)),
  'EVENT-13 second-alike-left-out: pushes to only one of several custom subscriptions to all seven events':
    () =>
      after('recipientsOf', (subscriptions) => {
        const all = subscriptions.filter(both(choosesAll, onChannel('custom')));
        return subscriptions.filter((one) => one === all[0] || !all.includes(one));
      }),
  'EVENT-13 feishu-left-out-of-comments: drops comment.created on the channel feishu': () =>
    dropRecipients(isEvent('comment.created'), onChannel('feishu')),
  'EVENT-13 seventh-subscriber-left-out: pushes an event to at most six subscriptions': () =>
    after('recipientsOf', (subscriptions) => subscriptions.slice(0, 6)),
  'EVENT-13 subscriptions-without-secret-left-out: drops pushes to custom subscriptions to all seven events without a secret':
    () => dropRecipients(choosesAll, hasNoSecret),
  'EVENT-13 subscriptions-by-key-left-out: drops pushes to subscriptions created with an API key': () =>
    trackSubscriptionsByKey((isByKey) => dropRecipients(({ id }) => isByKey(id))),
  'EVENT-13 tested-subscriptions-left-out: drops pushes to subscriptions that have been tested': () =>
    trackTests((isTested) => dropRecipients(({ id }) => isTested(id))),
  'EVENT-13 receiving-urls-with-query-left-out: drops pushes to receiving URLs with a query': () =>
    dropRecipients(hasQuery),
  'EVENT-13 feishu-left-out-of-long-events: drops events with more than 4 KiB of data on the channel feishu':
    () => dropRecipients(onChannel('feishu'), hasDataOver(4_096)),
  'EVENT-13 repeated-events-to-few: pushes repeated events only to subscriptions to that event only': () =>
    trackEvents((isRepeated) => dropRecipients(isRepeated, ({ events }) => events.length > 1)),
  'EVENT-13 other-tenant-told: pushes events to the subscriptions of other tenants': () =>
    addRecipients(not(ofSameTenant), choosesIt),
  'EVENT-13 other-site-told-of-itself: pushes events to all sites of the tenant, as events of each site':
    () =>
      combineWraps(
        addRecipients(not(onItsSite), ofSameTenant, choosesIt),
        recordAnother(({ push, subscription, world }) => ({
          push: { ...push, site: world.sites.get(subscription.siteId) ?? push.site },
        })),
      ),
  'EVENT-13 other-site-of-tenant-told: pushes events to the subscriptions of all sites of the tenant': () =>
    addRecipients(not(onItsSite), ofSameTenant, choosesIt),
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
