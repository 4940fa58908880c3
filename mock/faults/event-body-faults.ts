import type { EventName } from '../../openapi/generated/types.ts';
import { isObject, type Json } from '../../openapi/json.ts';
import { formatTimestamp } from '../webhooks/render.ts';
import { type Fault, type Wrap, withMemory } from './fault.ts';
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
export const eventBodyFaults: readonly Fault[] = [
  {
    id: 'site-id-as-text-on-form-submit',
    title: 'The site_id of form.submit is a string.',
    requirement: 'EVENT-1',
    wrap: changeEventBody(isEvent('form.submit'), (body) => ({ ...body, site_id: String(body.site_id) })),
  },
  {
    id: 'site-name-in-ascii',
    title: 'Non-ASCII characters in the name of a site are pushed as question marks.',
    requirement: 'EVENT-1',
    wrap: changeEventBody(
      ({ push }) => !isAscii(push.site.name),
      (body) => ({ ...body, site_name: String(body.site_name).replace(/[^\0-\x7f]/g, '?') }),
    ),
  },
  {
    id: 'no-data-on-content-delete',
    title: 'The data of content.delete is null.',
    requirement: 'EVENT-1',
    wrap: changeEventBody(isEvent('content.delete'), (body) => ({ ...body, data: null })),
  },
  {
    id: 'no-site-name-without-secret',
    title: 'What is pushed to subscriptions without a secret has no site_name.',
    requirement: 'EVENT-1',
    wrap: changeEventBody(hasNoSecret, withoutName),
  },
  {
    id: 'even-site-id-as-text',
    title: 'The site_id of a site with an even number is a string.',
    requirement: 'EVENT-1',
    wrap: changeEventBody(isOfEvenSite, (body) => ({ ...body, site_id: String(body.site_id) })),
  },
  {
    id: 'site-name-of-first-site',
    title: 'The site_name is that of the first site of all, whatever the site.',
    requirement: 'EVENT-1',
    wrap: (steps) => ({
      recordDelivery(context, push, subscription) {
        const [first] = context.world.sites.values();
        const name = first?.name ?? push.site.name;
        return steps.recordDelivery(context, { ...push, site: { ...push.site, name } }, subscription);
      },
    }),
  },
  {
    id: 'no-data-on-retries',
    title: 'The body of a retry has no data.',
    requirement: 'EVENT-1',
    wrap: changeRetriedEventBody(({ data: _dropped, ...body }) => body),
  },
  {
    id: 'no-site-name-on-long-pushes',
    title: 'A body of more than 4096 bytes has no site_name.',
    requirement: 'EVENT-1',
    wrap: changeEventBody(({ delivery }) => isLong(delivery), withoutName),
  },
  {
    id: 'data-in-list-when-repeated',
    title: 'When an event has happened before, its data are in a list.',
    requirement: 'EVENT-1',
    wrap: withMemory((memory, isRepeated = createRepeatDetector(memory)) =>
      changeEventBody(
        ({ push }) => isRepeated(push),
        (body) => ({ ...body, data: [body.data] }),
      ),
    ),
  },
  {
    id: 'new-sites-told-as-first-site',
    title:
      'Sites that were created since the start are pushed with the number and the name of the first site.',
    requirement: 'EVENT-1',
    wrap: trackNewSites((isNew) => (steps) => ({
      recordDelivery(context, push, subscription) {
        const [first = push.site] = context.world.sites.values();
        const site = isNew(push.site.id) && !push.test ? first : push.site;
        return steps.recordDelivery(context, { ...push, site }, subscription);
      },
    })),
  },
  {
    id: 'new-sites-without-their-name',
    title: 'The site_name of sites that were created since the start is that of the first site.',
    requirement: 'EVENT-1',
    wrap: trackNewSites((isNew) => (steps) => ({
      recordDelivery(context, push, subscription) {
        const [first = push.site] = context.world.sites.values();
        const { name } = isNew(push.site.id) && !push.test ? first : push.site;
        return steps.recordDelivery(context, { ...push, site: { ...push.site, name } }, subscription);
      },
    })),
  },
  {
    id: 'body-cut-at-64-kib',
    title: 'A body of more than 64 KiB is cut there.',
    requirement: 'EVENT-1',
    wrap: changeEventText((text) =>
      Buffer.from(text)
        .subarray(0, 65_536)
        .toString('latin1')
        .replace(/[^\0-\x7f]/g, '?'),
    ),
  },
  {
    id: 'event-with-underscore',
    title: 'The body names form.submit form_submit.',
    requirement: 'EVENT-2',
    wrap: changeEventBody(isEvent('form.submit'), (body) => ({ ...body, event: 'form_submit' })),
  },
  {
    id: 'event-in-past-tense',
    title: 'The body names content.update content.updated.',
    requirement: 'EVENT-2',
    wrap: changeEventBody(isEvent('content.update'), (body) => ({ ...body, event: 'content.updated' })),
  },
  {
    id: 'event-in-capitals-without-secret',
    title: 'What is pushed to subscriptions without a secret names its event in capitals.',
    requirement: 'EVENT-2',
    wrap: changeEventBody(
      (recorded) => hasNoSecret(recorded) && !recorded.push.test,
      (body) => ({ ...body, event: String(body.event).toUpperCase() }),
    ),
  },
  {
    id: 'event-named-retry-on-retries',
    title: 'The body of a retry names its event retry.',
    requirement: 'EVENT-2',
    wrap: changeRetriedEventBody((body) => ({ ...body, event: 'retry' })),
  },
  {
    id: 'timestamp-local-told-as-utc',
    title: 'The timestamp of an event is eight hours ahead: a local time with Z behind it.',
    requirement: 'EVENT-3',
    wrap: changeEventBody(
      ({ push }) => !push.test,
      (body) => ({
        ...body,
        timestamp: `${formatTimestamp(Date.parse(String(body.timestamp)), '+08:00').slice(0, 19)}Z`,
      }),
    ),
  },
  {
    id: 'timestamp-with-offset-of-another-zone',
    title: 'The time of comment.created is in UTC, and its offset is not.',
    requirement: 'EVENT-3',
    wrap: changeEventBody(isEvent('comment.created'), (body) => ({
      ...body,
      timestamp: formatTimestamp(Date.parse(String(body.timestamp)), 'Z').replace('Z', '+08:00'),
    })),
  },
  {
    id: 'timestamp-of-site-on-form-submit',
    title: 'The timestamp of form.submit is a day old.',
    requirement: 'EVENT-3',
    wrap: changeEventBody(isEvent('form.submit'), (body) => ({
      ...body,
      timestamp: formatTimestamp(Date.parse(String(body.timestamp)) - 86_400_000, '+08:00'),
    })),
  },
  {
    id: 'timestamp-without-offset-on-publish',
    title: 'The timestamp of publish.complete is a local time without an offset.',
    requirement: 'EVENT-3',
    wrap: changeEventBody(isEvent('publish.complete'), withoutOffset),
  },
  {
    id: 'timestamp-with-gmt',
    title: 'The timestamp of comment.created has GMT in place of its offset.',
    requirement: 'EVENT-3',
    wrap: changeEventBody(isEvent('comment.created'), (body) => withOffset(body, ' GMT')),
  },
  {
    id: 'timestamp-without-offset-and-secret',
    title: 'The timestamp is a local time without an offset where a subscription has no secret.',
    requirement: 'EVENT-3',
    wrap: changeEventBody(hasNoSecret, withoutOffset),
  },
  {
    id: 'offset-with-digits-swapped',
    title: 'The offset of content.update is 80 hours.',
    requirement: 'EVENT-3',
    wrap: changeEventBody(isEvent('content.update'), (body) => withOffset(body, '+80:00')),
  },
  {
    id: 'timestamp-without-offset-on-even-sites',
    title: 'The timestamp is a local time without an offset on sites with an even number.',
    requirement: 'EVENT-3',
    wrap: changeEventBody(isOfEvenSite, withoutOffset),
  },
  {
    id: 'timestamp-with-blank',
    title: 'The timestamp of content.delete has a blank between its date and its time.',
    requirement: 'EVENT-3',
    wrap: changeEventBody(isEvent('content.delete'), (body) => ({
      ...body,
      timestamp: String(body.timestamp).replace('T', ' '),
    })),
  },
  {
    id: 'timestamp-in-seconds-on-retries',
    title: 'The timestamp in the body of a retry is in seconds since 1970.',
    requirement: 'EVENT-3',
    wrap: changeRetriedEventBody((body) => ({
      ...body,
      timestamp: String(Date.parse(String(body.timestamp)) / 1_000),
    })),
  },
  {
    id: 'pages-as-text',
    title: 'The pages of publish.complete are a string.',
    requirement: 'EVENT-5',
    wrap: changePublishData((data) => ({ ...data, pages: String(data.pages) })),
  },
  {
    id: 'no-message-on-publish-complete',
    title: 'publish.complete has no message.',
    requirement: 'EVENT-5',
    wrap: changePublishData(({ message: _dropped, ...data }) => data),
  },
  {
    id: 'version-one-behind',
    title: 'publish.complete states the version before the one that was published.',
    requirement: 'EVENT-5',
    wrap: changePublishData((data) => ({ ...data, version: Number(data.version) - 1 })),
  },
  {
    id: 'pages-as-text-when-repeated',
    title: 'The pages of a second publish.complete are a string.',
    requirement: 'EVENT-5',
    wrap: withMemory((memory, isRepeated = createRepeatDetector(memory)) =>
      changePublishData(
        (data) => ({ ...data, pages: String(data.pages) }),
        ({ push }) => isRepeated(push),
      ),
    ),
  },
  {
    id: 'pages-with-fraction-to-those-who-chose-all',
    title: 'The pages of publish.complete are no whole number where all seven events were chosen.',
    requirement: 'EVENT-5',
    wrap: changePublishData(
      (data) => ({ ...data, pages: Number(data.pages) + 0.5 }),
      ({ subscription }) => subscription.events.length === 7,
    ),
  },
  {
    id: 'version-as-text-without-secret',
    title: 'The version of publish.complete is a string where a subscription has no secret.',
    requirement: 'EVENT-5',
    wrap: changePublishData((data) => ({ ...data, version: String(data.version) }), hasNoSecret),
  },
  {
    id: 'no-pages-on-retries',
    title: 'publish.complete has no pages when it is retried.',
    requirement: 'EVENT-5',
    wrap: changeRetriedEventBody((body) => {
      if (body.event !== 'publish.complete' || !isObject(body.data)) return body;
      const { pages: _dropped, ...data } = body.data;
      return { ...body, data };
    }),
  },
];

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
