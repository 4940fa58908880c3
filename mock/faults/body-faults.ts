import { hash } from 'node:crypto';
import type { Channel } from '../../openapi/generated/types.ts';
import { isObject, type Json } from '../../openapi/json.ts';
import { formatTimestamp, type PushMessage, signBody, writeJson } from '../webhooks/render.ts';
import { always, both, faultsOf, not, type Wrap } from './fault.ts';
import { onChannel, trackNewSites } from './subscription-tools.ts';
import { changeAt } from './values.ts';
import {
  changeHeader,
  changeRecorded,
  hexOf,
  isCustom,
  isEvent,
  isLong,
  isLongBeforeCut,
  isOfEvenSite,
  isTest,
  isUnsigned,
  onRetries,
  type RecordedPush,
  type RecordedTest,
  recordAnother,
  trackEvents,
} from './wrap-pushes.ts';

const gone = () => undefined;
const withQuestionMarks = (text: unknown) => String(text).replace(/[^\0-\x7f]/g, '?');
/** A time in another zone, or by some seconds later. */
const timeAt = (time: unknown, offset: string, seconds = 0) =>
  formatTimestamp(Date.parse(String(time)) + seconds * 1_000, offset);
const withoutOffset = (time: unknown) => String(time).slice(0, 'yyyy-mm-ddThh:mm:ss'.length);
const withOffset = (offset: string) => (time: unknown) => String(time).replace(/(Z|[+-]\d\d:\d\d)$/, offset);
const inUtcAsIfInChina = (time: unknown) => `${withoutOffset(timeAt(time, 'Z'))}+08:00`;
const inList = (value: unknown) => [value];
const plusHalf = (value: unknown) => Number(value) + 0.5;
const toThoseWhoChoseAll: RecordedTest = (_delivery, { subscription }) => subscription.events.length === 7;
const isEventBody: RecordedTest = (delivery, { push }) => isCustom(delivery) && !push.test?.ownBody;
const about = (event: string) => both(not(isTest), isEvent(event));

/** Faults in the bodies of section 6.3. */
export const eventBodyFaults = faultsOf({
  'EVENT-1 site-id-as-text-on-form-submit: The site_id of form.submit is a string.': () =>
    changeBody(isEvent('form.submit'), 'site_id', String),
  'EVENT-1 site-name-in-ascii: Non-ASCII characters in the name of a site are pushed as question marks.':
    () => changeBody(always, 'site_name', withQuestionMarks),
  'EVENT-1 no-data-on-content-delete: The data of content.delete is null.': () =>
    changeBody(isEvent('content.delete'), 'data', () => null),
  'EVENT-1 no-site-name-without-secret: What is pushed to subscriptions without a secret has no site_name.':
    () => changeBody(isUnsigned, 'site_name', gone),
  'EVENT-1 even-site-id-as-text: The site_id of a site with an even number is a string.': () =>
    changeBody(isOfEvenSite, 'site_id', String),
  'EVENT-1 site-name-of-first-site: The site_name is that of the first site of all, whatever the site.': () =>
    nameSites(always, (site, { name }) => ({ ...site, name })),
  'EVENT-1 no-data-on-retries: The body of a retry has no data.': () =>
    onRetries(changeBody(always, 'data', gone)),
  'EVENT-1 no-site-name-on-long-pushes: A body of more than 4096 bytes has no site_name.': () =>
    changeBody(isLong, 'site_name', gone),
  'EVENT-1 data-in-list-when-repeated: When an event has happened before, its data are in a list.': () =>
    trackEvents((isRepeated) => changeBody((_delivery, { push }) => isRepeated(push), 'data', inList)),
  'EVENT-1 new-sites-told-as-first-site: Sites that were created since the start are pushed with the number and the name of the first site.':
    () => trackNewSites((isAboutNew) => nameSites(isAboutNew, (_site, first) => first)),
  'EVENT-1 new-sites-without-their-name: The site_name of sites that were created since the start is that of the first site.':
    () => trackNewSites((isAboutNew) => nameSites(isAboutNew, (site, { name }) => ({ ...site, name }))),
  'EVENT-1 body-cut-at-64-kib: A body of more than 64 KiB is cut there.': () =>
    changeText(isEventBody, (text) =>
      withQuestionMarks(Buffer.from(text).subarray(0, 65_536).toString('latin1')),
    ),
  'EVENT-2 event-with-underscore: The body names form.submit form_submit.': () =>
    changeBody(isEvent('form.submit'), 'event', () => 'form_submit'),
  'EVENT-2 event-in-past-tense: The body names content.update content.updated.': () =>
    changeBody(isEvent('content.update'), 'event', () => 'content.updated'),
  'EVENT-2 event-in-capitals-without-secret: What is pushed to subscriptions without a secret names its event in capitals.':
    () => changeBody(both(isUnsigned, not(isTest)), 'event', (event) => String(event).toUpperCase()),
  'EVENT-2 event-named-retry-on-retries: The body of a retry names its event retry.': () =>
    onRetries(changeBody(always, 'event', () => 'retry')),
  'EVENT-3 timestamp-local-told-as-utc: The timestamp of an event is eight hours ahead: a local time with Z behind it.':
    () => changeBody(not(isTest), 'timestamp', (time) => `${withoutOffset(timeAt(time, '+08:00'))}Z`),
  'EVENT-3 timestamp-with-offset-of-another-zone: The time of comment.created is in UTC, and its offset is not.':
    () => changeBody(isEvent('comment.created'), 'timestamp', inUtcAsIfInChina),
  'EVENT-3 timestamp-of-site-on-form-submit: The timestamp of form.submit is a day old.': () =>
    changeBody(isEvent('form.submit'), 'timestamp', (time) => timeAt(time, '+08:00', -86_400)),
  'EVENT-3 timestamp-without-offset-on-publish: The timestamp of publish.complete is a local time without an offset.':
    () => changeBody(isEvent('publish.complete'), 'timestamp', withoutOffset),
  'EVENT-3 timestamp-with-gmt: The timestamp of comment.created has GMT in place of its offset.': () =>
    changeBody(isEvent('comment.created'), 'timestamp', withOffset(' GMT')),
  'EVENT-3 timestamp-without-offset-and-secret: The timestamp is a local time without an offset where a subscription has no secret.':
    () => changeBody(isUnsigned, 'timestamp', withoutOffset),
  'EVENT-3 offset-with-digits-swapped: The offset of content.update is 80 hours.': () =>
    changeBody(isEvent('content.update'), 'timestamp', withOffset('+80:00')),
  'EVENT-3 timestamp-without-offset-on-even-sites: The timestamp is a local time without an offset on sites with an even number.':
    () => changeBody(isOfEvenSite, 'timestamp', withoutOffset),
  'EVENT-3 timestamp-with-blank: The timestamp of content.delete has a blank between its date and its time.':
    () => changeBody(isEvent('content.delete'), 'timestamp', (time) => String(time).replace('T', ' ')),
  'EVENT-3 timestamp-in-seconds-on-retries: The timestamp in the body of a retry is in seconds since 1970.':
    () => onRetries(changeBody(always, 'timestamp', (time) => String(Date.parse(String(time)) / 1_000))),
  'EVENT-5 pages-as-text: The pages of publish.complete are a string.': () =>
    changePublishData('pages', String),
  'EVENT-5 no-message-on-publish-complete: publish.complete has no message.': () =>
    changePublishData('message', gone),
  'EVENT-5 version-one-behind: publish.complete states the version before the one that was published.': () =>
    changePublishData('version', (version) => Number(version) - 1),
  'EVENT-5 pages-as-text-when-repeated: The pages of a second publish.complete are a string.': () =>
    trackEvents((isRepeated) =>
      changePublishData('pages', String, (_delivery, { push }) => isRepeated(push)),
    ),
  'EVENT-5 pages-with-fraction-to-those-who-chose-all: The pages of publish.complete are no whole number where all seven events were chosen.':
    () => changePublishData('pages', plusHalf, toThoseWhoChoseAll),
  'EVENT-5 version-as-text-without-secret: The version of publish.complete is a string where a subscription has no secret.':
    () => changePublishData('version', String, isUnsigned),
  'EVENT-5 no-pages-on-retries: publish.complete has no pages when it is retried.': () =>
    onRetries(changeBody(isEvent('publish.complete'), 'data.pages', gone)),
});

/** Faults in messages on the chat channels. */
export const channelFaults = faultsOf({
  'CHAN-1 wecom-type-and-content-differ: A message for wecom about a form says that it is a text, and holds another type.':
    () => changeChatMessage('wecom', about('form.submit'), (body) => ({ ...body, msgtype: 'image' })),
  'CHAN-1 wecom-content-empty-on-content-delete: A message for wecom about deleted content is empty.': () =>
    changeChatMessage('wecom', about('content.delete'), withPart({ content: '' })),
  'CHAN-1 wecom-test-as-event-body: The test message for wecom is the body of section 6.3.': () =>
    changeChatMessage('wecom', isTest, eventBody),
  'CHAN-1 wecom-cut-by-characters: A long message for wecom has 4096 characters, not bytes.': () =>
    changeChatMessage('wecom', isLongBeforeCut, withPart({ content: '海'.repeat(4_096) })),
  'CHAN-1 wecom-retry-as-event-body: What is sent again to wecom is the body of section 6.3.': () =>
    onRetries(changeChatMessage('wecom', always, eventBody)),
  'CHAN-1 wecom-card-of-type-alone: A message for wecom about a publish that failed is a card with its type and nothing else.':
    () =>
      changeChatMessage('wecom', about('publish.failed'), () => ({
        msgtype: 'template_card',
        template_card: { card_type: 'text_notice' },
      })),
  'CHAN-1 wecom-image-with-digest-of-base64: A message for wecom about a comment is an image with the digest of its base64, not of its bytes.':
    () =>
      changeChatMessage('wecom', about('comment.created'), () => ({
        msgtype: 'image',
        image: { base64: 'iVBORw0KGgo=', md5: hash('md5', 'iVBORw0KGgo=') },
      })),
  'CHAN-2 dingtalk-without-title: A message for dingtalk has no title.': () =>
    changeChatMessage('dingtalk', not(isTest), withPart({ title: undefined })),
  'CHAN-2 dingtalk-with-feishu-type: A message for dingtalk about a comment has its type where feishu has it.':
    () => changeChatMessage('dingtalk', about('comment.created'), renameType('msgtype', 'msg_type')),
  'CHAN-2 dingtalk-as-form: Messages for dingtalk are declared as forms.': () =>
    changeHeader(onChannel('dingtalk'), 'type', () => 'application/x-www-form-urlencoded'),
  'CHAN-2 dingtalk-test-as-plain-text: The test message for dingtalk is declared as plain text, where its robot demands JSON.':
    () => changeHeader(both(isTest, onChannel('dingtalk')), 'type', () => 'text/plain'),
  'CHAN-2 dingtalk-without-secret-as-event-body: The messages for dingtalk are the bodies of section 6.3 where a subscription has no secret.':
    () => changeChatMessage('dingtalk', isUnsigned, eventBody),
  'CHAN-2 dingtalk-not-cut: A long message for dingtalk has more than 20 000 bytes.': () =>
    changeChatMessage('dingtalk', isLongBeforeCut, withPart({ text: '海'.repeat(7_000) })),
  'CHAN-2 dingtalk-retry-without-text: What is sent again to dingtalk has no text.': () =>
    onRetries(changeChatMessage('dingtalk', always, withPart({ text: undefined }))),
  'CHAN-3 feishu-with-wecom-type: A message for feishu about a publish has its type where wecom has it.':
    () => changeChatMessage('feishu', about('publish.complete'), renameType('msg_type', 'msgtype')),
  'CHAN-3 feishu-card-as-text: A message for feishu holds its parts as text, as for an app of feishu, not for a robot.':
    () => changeChatMessage('feishu', not(isTest), withPartsAsText),
  'CHAN-3 feishu-text-without-content: A message for feishu about a publish that failed has its text where wecom has it.':
    () =>
      changeChatMessage('feishu', about('publish.failed'), () => ({
        msg_type: 'text',
        text: { content: 'publish.failed' },
      })),
  'CHAN-3 feishu-card-without-elements: A message for feishu about updated content is a card that shows nothing.':
    () =>
      changeChatMessage('feishu', about('content.update'), () => ({
        msg_type: 'interactive',
        card: { header: { template: 'blue' }, elements: [] },
      })),
  'CHAN-3 feishu-link-without-address: A message for feishu about a comment has a link that leads nowhere.':
    () =>
      changeChatMessage('feishu', about('comment.created'), () => ({
        msg_type: 'post',
        content: { post: { zh_cn: { title: '评论', content: [[{ tag: 'a', text: '查看' }]] } } },
      })),
  'CHAN-3 feishu-not-cut: A long message for feishu has more than 20 KiB.': () =>
    changeChatMessage('feishu', isLongBeforeCut, () => ({
      msg_type: 'text',
      content: { text: '海'.repeat(7_000) },
    })),
  'CHAN-3 feishu-retry-with-wecom-type: What is sent again to feishu has its type where wecom has it.': () =>
    onRetries(changeChatMessage('feishu', always, renameType('msg_type', 'msgtype'))),
});

/** Changes the text of bodies before it is signed. */
function changeText(when: RecordedTest, change: (text: string, recorded: RecordedPush) => string): Wrap {
  return changeRecorded(when, (delivery, recorded) => {
    const { secret } = recorded.subscription;
    const body = change(delivery.body, recorded);
    return { body, ...(secret !== undefined && { signature: signBody(secret, body, hexOf(recorded)) }) };
  });
}

type JsonChange = (body: Json, recorded: RecordedPush) => Json;

function changeJson(when: RecordedTest, change: JsonChange): Wrap {
  return changeText(when, (text, recorded) =>
    writeJson(change(JSON.parse(text), recorded), recorded.profile.values['webhook.body-style']),
  );
}

/** Changes a member of bodies of section 6.3, by its path: `data.pages`. */
function changeBody(when: RecordedTest, path: string, change: (value: unknown) => unknown): Wrap {
  return changeJson(both(isEventBody, when), (body) => changeAt(body, path, change));
}

/** Changes messages of a chat channel. */
function changeChatMessage(channel: Channel, when: RecordedTest, change: JsonChange): Wrap {
  return changeJson(both(when, onChannel(channel)), change);
}

function changePublishData(
  name: string,
  change: (value: unknown) => unknown,
  when: RecordedTest = always,
): Wrap {
  return changeBody(both(when, isEvent('publish.complete')), `data.${name}`, change);
}

/** Pushes what is about some sites as if it were about others. */
function nameSites(
  when: (push: PushMessage) => boolean,
  as: (site: PushMessage['site'], first: PushMessage['site']) => PushMessage['site'],
): Wrap {
  return recordAnother(({ push, world }) => {
    const [first = push.site] = world.sites.values();
    return when(push) ? { push: { ...push, site: as(push.site, first) } } : {};
  });
}

/** An approximation of the body of section 6.3. */
function eventBody(_body: Json, { push: { event, at, site, data } }: RecordedPush): Json {
  return { event, timestamp: new Date(at).toISOString(), site_id: site.id, site_name: site.name, data };
}

/** Changes the message, which is the member named by the type. */
function withPart(members: Json): (body: Json) => Json {
  return (body) => {
    const name = String(body.msgtype);
    const part = body[name];
    return { ...body, [name]: { ...(isObject(part) && part), ...members } };
  };
}

function renameType(from: 'msgtype' | 'msg_type', to: 'msgtype' | 'msg_type'): (body: Json) => Json {
  return ({ [from]: type, ...body }) => ({ ...body, [to]: type });
}

function withPartsAsText(body: Json): Json {
  const asText = (part: unknown) => (isObject(part) ? JSON.stringify(part) : part);
  return Object.fromEntries(Object.entries(body).map(([name, part]) => [name, asText(part)]));
}
