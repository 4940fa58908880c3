import { hash } from 'node:crypto';
import type { Channel } from '../../openapi/generated/types.ts';
import { isObject, type Json } from '../../openapi/json.ts';
import { always, both, faultsOf, not, type Wrap } from './fault.ts';
import { onChannel } from './subscription-tools.ts';
import {
  about,
  changeHeader,
  changeJson,
  isLongBeforeCut,
  isTest,
  isUnsigned,
  type JsonChange,
  onRetries,
  type RecordedPush,
  type RecordedTest,
} from './wrap-pushes.ts';

export const channelFaults = faultsOf({
  'CHAN-1 wecom-type-and-content-differ: declares a wecom message about a form as text, but sends another type':
    () => changeChatMessage('wecom', about('form.submit'), (body) => ({ ...body, msgtype: 'image' })),
  'CHAN-1 wecom-content-empty-on-content-delete: sends an empty wecom message if content is deleted': () =>
    changeChatMessage('wecom', about('content.delete'), withPart({ content: '' })),
  'CHAN-1 wecom-test-as-event-body: sends the body of section 6.3 as the wecom test message': () =>
    changeChatMessage('wecom', isTest, eventBody),
  'CHAN-1 wecom-cut-by-characters: truncates long wecom messages to 4096 characters instead of bytes': () =>
    changeChatMessage('wecom', isLongBeforeCut, withPart({ content: '海'.repeat(4_096) })),
  'CHAN-1 wecom-retry-as-event-body: sends the body of section 6.3 as a wecom retry': () =>
    onRetries(changeChatMessage('wecom', always, eventBody)),
  'CHAN-1 wecom-card-of-type-alone: sends a wecom card with only a type if a publish fails': () =>
    changeChatMessage('wecom', about('publish.failed'), () => ({
      msgtype: 'template_card',
      template_card: { card_type: 'text_notice' },
    })),
  'CHAN-1 wecom-image-with-digest-of-base64: sends wecom images with the digest of the Base64 text, not the bytes':
    () =>
      changeChatMessage('wecom', about('comment.created'), () => ({
        msgtype: 'image',
        image: { base64: 'iVBORw0KGgo=', md5: hash('md5', 'iVBORw0KGgo=') },
      })),
  'CHAN-2 dingtalk-without-title: sends dingtalk messages without a title': () =>
    changeChatMessage('dingtalk', not(isTest), withPart({ title: undefined })),
  'CHAN-2 dingtalk-with-feishu-type: sends dingtalk messages about comments with the type member of feishu':
    () => changeChatMessage('dingtalk', about('comment.created'), renameType('msgtype', 'msg_type')),
  'CHAN-2 dingtalk-as-form: declares dingtalk messages as forms': () =>
    changeHeader(onChannel('dingtalk'), 'type', () => 'application/x-www-form-urlencoded'),
  'CHAN-2 dingtalk-test-as-plain-text: declares the dingtalk test message as plain text instead of JSON':
    () => changeHeader(both(isTest, onChannel('dingtalk')), 'type', () => 'text/plain'),
  'CHAN-2 dingtalk-without-secret-as-event-body: sends dingtalk the body of section 6.3 if the subscription has no secret':
    () => changeChatMessage('dingtalk', isUnsigned, eventBody),
  'CHAN-2 dingtalk-not-cut: sends dingtalk messages of more than 20 000 bytes': () =>
    changeChatMessage('dingtalk', isLongBeforeCut, withPart({ text: '海'.repeat(7_000) })),
  'CHAN-2 dingtalk-retry-without-text: sends dingtalk retries without text': () =>
    onRetries(changeChatMessage('dingtalk', always, withPart({ text: undefined }))),
  'CHAN-3 feishu-with-wecom-type: sends feishu messages about a publish with the type member of wecom': () =>
    changeChatMessage('feishu', about('publish.complete'), renameType('msg_type', 'msgtype')),
  'CHAN-3 feishu-card-as-text: sends feishu message parts as text, as for a feishu app': () =>
    changeChatMessage('feishu', not(isTest), withPartsAsText),
  'CHAN-3 feishu-text-without-content: sends feishu the text of a failed publish in the member of wecom':
    () =>
      changeChatMessage('feishu', about('publish.failed'), () => ({
        msg_type: 'text',
        text: { content: 'publish.failed' },
      })),
  'CHAN-3 feishu-card-without-elements: sends an empty feishu card if content is updated': () =>
    changeChatMessage('feishu', about('content.update'), () => ({
      msg_type: 'interactive',
      card: { header: { template: 'blue' }, elements: [] },
    })),
  'CHAN-3 feishu-link-without-address: sends a link without a URL to feishu if a comment is created': () =>
    changeChatMessage('feishu', about('comment.created'), () => ({
      msg_type: 'post',
      content: { post: { zh_cn: { title: '评论', content: [[{ tag: 'a', text: '查看' }]] } } },
    })),
  'CHAN-3 feishu-not-cut: sends feishu messages of more than 20 KiB': () =>
    changeChatMessage('feishu', isLongBeforeCut, () => ({
      msg_type: 'text',
      content: { text: '海'.repeat(7_000) },
    })),
  'CHAN-3 feishu-retry-with-wecom-type: sends feishu retries with the type member of wecom': () =>
    onRetries(changeChatMessage('feishu', always, renameType('msg_type', 'msgtype'))),
});

function changeChatMessage(channel: Channel, when: RecordedTest, change: JsonChange): Wrap {
  return changeJson(both(when, onChannel(channel)), change);
}

/** Approximates the body of section 6.3. */
function eventBody(_body: Json, { event, at, site, data }: RecordedPush): Json {
  return { event, timestamp: new Date(at).toISOString(), site_id: site.id, site_name: site.name, data };
}

/** Changes the member that `msgtype` names, which contains the message. */
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
