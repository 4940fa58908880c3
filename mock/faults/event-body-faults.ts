import type { EventName } from '../../openapi/generated/types.ts';
import { isObject, type Json } from '../../openapi/json.ts';
import { formatTimestamp } from '../webhooks/format-timestamp.ts';
import { faultsOf, type Wrap } from './fault.ts';
import { trackNewSites } from './subscription-tools.ts';
import {
  changeEventBody,
  changeEventText,
  changeRetriedEventBody,
  createRepeatDetector,
  hasNoSecret,
  isAscii,
  isLong,
  type RecordedPush,
} from './wrap-pushes.ts';

/** Faults in the bodies of section 6.3. */
export const eventBodyFaults = faultsOf({
  'EVENT-1': {
    'site-id-as-text-on-form-submit: The site_id of form.submit is a string.': () =>
      changeEventBody(isEvent('form.submit'), (body) => ({ ...body, site_id: String(body.site_id) })),
    'site-name-in-ascii: Non-ASCII characters in the name of a site are pushed as question marks.': () =>
      changeEventBody(
        ({ push }) => !isAscii(push.site.name),
        (body) => ({ ...body, site_name: String(body.site_name).replace(/[^\0-\x7f]/g, '?') }),
      ),
    'no-data-on-content-delete: The data of content.delete is null.': () =>
      changeEventBody(isEvent('content.delete'), (body) => ({ ...body, data: null })),
    'no-site-name-without-secret: What is pushed to subscriptions without a secret has no site_name.': () =>
      changeEventBody(hasNoSecret, withoutName),
    'even-site-id-as-text: The site_id of a site with an even number is a string.': () =>
      changeEventBody(isOfEvenSite, (body) => ({ ...body, site_id: String(body.site_id) })),
    'site-name-of-first-site: The site_name is that of the first site of all, whatever the site.':
      () => (steps) => ({
        recordDelivery(context, push, subscription) {
          const [first] = context.world.sites.values();
          const name = first?.name ?? push.site.name;
          return steps.recordDelivery(context, { ...push, site: { ...push.site, name } }, subscription);
        },
      }),
    'no-data-on-retries: The body of a retry has no data.': () =>
      changeRetriedEventBody(({ data: _dropped, ...body }) => body),
    'no-site-name-on-long-pushes: A body of more than 4096 bytes has no site_name.': () =>
      changeEventBody(({ delivery }) => isLong(delivery), withoutName),
    'data-in-list-when-repeated: When an event has happened before, its data are in a list.': (
      { memory },
      isRepeated = createRepeatDetector(memory),
    ) =>
      changeEventBody(
        ({ push }) => isRepeated(push),
        (body) => ({ ...body, data: [body.data] }),
      ),
    'new-sites-told-as-first-site: Sites that were created since the start are pushed with the number and the name of the first site.':
      () =>
        trackNewSites((isNew) => (steps) => ({
          recordDelivery(context, push, subscription) {
            const [first = push.site] = context.world.sites.values();
            const site = isNew(push.site.id) && !push.test ? first : push.site;
            return steps.recordDelivery(context, { ...push, site }, subscription);
          },
        })),
    'new-sites-without-their-name: The site_name of sites that were created since the start is that of the first site.':
      () =>
        trackNewSites((isNew) => (steps) => ({
          recordDelivery(context, push, subscription) {
            const [first = push.site] = context.world.sites.values();
            const { name } = isNew(push.site.id) && !push.test ? first : push.site;
            return steps.recordDelivery(context, { ...push, site: { ...push.site, name } }, subscription);
          },
        })),
    'body-cut-at-64-kib: A body of more than 64 KiB is cut there.': () =>
      changeEventText((text) =>
        Buffer.from(text)
          .subarray(0, 65_536)
          .toString('latin1')
          .replace(/[^\0-\x7f]/g, '?'),
      ),
  },
  'EVENT-2': {
    'event-with-underscore: The body names form.submit form_submit.': () =>
      changeEventBody(isEvent('form.submit'), (body) => ({ ...body, event: 'form_submit' })),
    'event-in-past-tense: The body names content.update content.updated.': () =>
      changeEventBody(isEvent('content.update'), (body) => ({ ...body, event: 'content.updated' })),
    'event-in-capitals-without-secret: What is pushed to subscriptions without a secret names its event in capitals.':
      () =>
        changeEventBody(
          (recorded) => hasNoSecret(recorded) && !recorded.push.test,
          (body) => ({ ...body, event: String(body.event).toUpperCase() }),
        ),
    'event-named-retry-on-retries: The body of a retry names its event retry.': () =>
      changeRetriedEventBody((body) => ({ ...body, event: 'retry' })),
  },
  'EVENT-3': {
    'timestamp-local-told-as-utc: The timestamp of an event is eight hours ahead: a local time with Z behind it.':
      () =>
        changeEventBody(
          ({ push }) => !push.test,
          (body) => ({
            ...body,
            timestamp: `${formatTimestamp(Date.parse(String(body.timestamp)), '+08:00').slice(0, 19)}Z`,
          }),
        ),
    'timestamp-with-offset-of-another-zone: The time of comment.created is in UTC, and its offset is not.':
      () =>
        changeEventBody(isEvent('comment.created'), (body) => ({
          ...body,
          timestamp: formatTimestamp(Date.parse(String(body.timestamp)), 'Z').replace('Z', '+08:00'),
        })),
    'timestamp-of-site-on-form-submit: The timestamp of form.submit is a day old.': () =>
      changeEventBody(isEvent('form.submit'), (body) => ({
        ...body,
        timestamp: formatTimestamp(Date.parse(String(body.timestamp)) - 86_400_000, '+08:00'),
      })),
    'timestamp-without-offset-on-publish: The timestamp of publish.complete is a local time without an offset.':
      () => changeEventBody(isEvent('publish.complete'), withoutOffset),
    'timestamp-with-gmt: The timestamp of comment.created has GMT in place of its offset.': () =>
      changeEventBody(isEvent('comment.created'), (body) => withOffset(body, ' GMT')),
    'timestamp-without-offset-and-secret: The timestamp is a local time without an offset where a subscription has no secret.':
      () => changeEventBody(hasNoSecret, withoutOffset),
    'offset-with-digits-swapped: The offset of content.update is 80 hours.': () =>
      changeEventBody(isEvent('content.update'), (body) => withOffset(body, '+80:00')),
    'timestamp-without-offset-on-even-sites: The timestamp is a local time without an offset on sites with an even number.':
      () => changeEventBody(isOfEvenSite, withoutOffset),
    'timestamp-with-blank: The timestamp of content.delete has a blank between its date and its time.': () =>
      changeEventBody(isEvent('content.delete'), (body) => ({
        ...body,
        timestamp: String(body.timestamp).replace('T', ' '),
      })),
    'timestamp-in-seconds-on-retries: The timestamp in the body of a retry is in seconds since 1970.': () =>
      changeRetriedEventBody((body) => ({
        ...body,
        timestamp: String(Date.parse(String(body.timestamp)) / 1_000),
      })),
  },
  'EVENT-5': {
    'pages-as-text: The pages of publish.complete are a string.': () =>
      changePublishData((data) => ({ ...data, pages: String(data.pages) })),
    'no-message-on-publish-complete: publish.complete has no message.': () =>
      changePublishData(({ message: _dropped, ...data }) => data),
    'version-one-behind: publish.complete states the version before the one that was published.': () =>
      changePublishData((data) => ({ ...data, version: Number(data.version) - 1 })),
    'pages-as-text-when-repeated: The pages of a second publish.complete are a string.': (
      { memory },
      isRepeated = createRepeatDetector(memory),
    ) =>
      changePublishData(
        (data) => ({ ...data, pages: String(data.pages) }),
        ({ push }) => isRepeated(push),
      ),
    'pages-with-fraction-to-those-who-chose-all: The pages of publish.complete are no whole number where all seven events were chosen.':
      () =>
        changePublishData(
          (data) => ({ ...data, pages: Number(data.pages) + 0.5 }),
          ({ subscription }) => subscription.events.length === 7,
        ),
    'version-as-text-without-secret: The version of publish.complete is a string where a subscription has no secret.':
      () => changePublishData((data) => ({ ...data, version: String(data.version) }), hasNoSecret),
    'no-pages-on-retries: publish.complete has no pages when it is retried.': () =>
      changeRetriedEventBody((body) => {
        if (body.event !== 'publish.complete' || !isObject(body.data)) return body;
        const { pages: _dropped, ...data } = body.data;
        return { ...body, data };
      }),
  },
});

function isEvent(event: EventName): (recorded: RecordedPush) => boolean {
  return ({ push }) => push.event === event;
}

function isOfEvenSite({ push }: RecordedPush): boolean {
  return push.site.id % 2 === 0;
}

function withoutName({ site_name: _dropped, ...body }: Json): Json {
  return body;
}

function withoutOffset(body: Json): Json {
  return { ...body, timestamp: String(body.timestamp).slice(0, 'yyyy-mm-ddThh:mm:ss'.length) };
}

function withOffset(body: Json, offset: string): Json {
  return { ...body, timestamp: String(body.timestamp).replace(/(Z|[+-]\d\d:\d\d)$/, offset) };
}

/** Changes the data of publish.complete. */
function changePublishData(
  change: (data: Json) => Json,
  when: (recorded: RecordedPush) => boolean = () => true,
): Wrap {
  return changeEventBody(
    (recorded) => recorded.push.event === 'publish.complete' && when(recorded),
    (body) => ({ ...body, data: isObject(body.data) ? change(body.data) : body.data }),
  );
}
