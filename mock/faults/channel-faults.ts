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
  'CHAN-1 wecom-type-and-content-differ: A wecom message about a form declares the type text, but contains another type.':
    () => changeChatMessage('wecom', about('form.submit'), (body) => ({ ...body, msgtype: 'image' })),
  'CHAN-1 wecom-content-empty-on-content-delete: A wecom message about deleted content is empty.': () =>
    changeChatMessage('wecom', about('content.delete'), withPart({ content: '' })),
  'CHAN-1 wecom-test-as-event-body: The wecom test message is the body of section 6.3.': () =>
    changeChatMessage('wecom', isTest, eventBody),
  'CHAN-1 wecom-cut-by-characters: A long wecom message is cut to 4096 characters instead of bytes.': () =>
    changeChatMessage('wecom', isLongBeforeCut, withPart({ content: '海'.repeat(4_096) })),
  'CHAN-1 wecom-retry-as-event-body: A wecom retry sends the body of section 6.3.': () =>
    onRetries(changeChatMessage('wecom', always, eventBody)),
  'CHAN-1 wecom-card-of-type-alone: A wecom message about a failed publish is a card with only a type.': () =>
    changeChatMessage('wecom', about('publish.failed'), () => ({
      msgtype: 'template_card',
      template_card: { card_type: 'text_notice' },
    })),
  'CHAN-1 wecom-image-with-digest-of-base64: A wecom message about a comment is an image with the digest of its Base64 text instead of its bytes.':
    () =>
      changeChatMessage('wecom', about('comment.created'), () => ({
        msgtype: 'image',
        image: { base64: 'iVBORw0KGgo=', md5: hash('md5', 'iVBORw0KGgo=') },
      })),
  'CHAN-2 dingtalk-without-title: A dingtalk message has no title.': () =>
    changeChatMessage('dingtalk', not(isTest), withPart({ title: undefined })),
  'CHAN-2 dingtalk-with-feishu-type: A dingtalk message about a comment has its type in the feishu member.':
    () => changeChatMessage('dingtalk', about('comment.created'), renameType('msgtype', 'msg_type')),
  'CHAN-2 dingtalk-as-form: Messages for dingtalk are declared as forms.': () =>
    changeHeader(onChannel('dingtalk'), 'type', () => 'application/x-www-form-urlencoded'),
  'CHAN-2 dingtalk-test-as-plain-text: The dingtalk test message is declared as plain text, but the robot requires JSON.':
    () => changeHeader(both(isTest, onChannel('dingtalk')), 'type', () => 'text/plain'),
  'CHAN-2 dingtalk-without-secret-as-event-body: If a subscription has no secret, dingtalk messages are the bodies of section 6.3.':
    () => changeChatMessage('dingtalk', isUnsigned, eventBody),
  'CHAN-2 dingtalk-not-cut: A long dingtalk message has more than 20 000 bytes.': () =>
    changeChatMessage('dingtalk', isLongBeforeCut, withPart({ text: '海'.repeat(7_000) })),
  'CHAN-2 dingtalk-retry-without-text: A dingtalk retry has no text.': () =>
    onRetries(changeChatMessage('dingtalk', always, withPart({ text: undefined }))),
  'CHAN-3 feishu-with-wecom-type: A feishu message about a publish has its type in the wecom member.': () =>
    changeChatMessage('feishu', about('publish.complete'), renameType('msg_type', 'msgtype')),
  'CHAN-3 feishu-card-as-text: A feishu message contains its parts as text, as for a feishu app instead of a robot.':
    () => changeChatMessage('feishu', not(isTest), withPartsAsText),
  'CHAN-3 feishu-text-without-content: A feishu message about a failed publish has its text in the wecom member.':
    () =>
      changeChatMessage('feishu', about('publish.failed'), () => ({
        msg_type: 'text',
        text: { content: 'publish.failed' },
      })),
  'CHAN-3 feishu-card-without-elements: A feishu message about updated content is an empty card.': () =>
    changeChatMessage('feishu', about('content.update'), () => ({
      msg_type: 'interactive',
      card: { header: { template: 'blue' }, elements: [] },
    })),
  'CHAN-3 feishu-link-without-address: A feishu message about a comment has a link without a URL.': () =>
    changeChatMessage('feishu', about('comment.created'), () => ({
      msg_type: 'post',
      content: { post: { zh_cn: { title: '评论', content: [[{ tag: 'a', text: '查看' }]] } } },
    })),
  'CHAN-3 feishu-not-cut: A long feishu message has more than 20 KiB.': () =>
    changeChatMessage('feishu', isLongBeforeCut, () => ({
      msg_type: 'text',
      content: { text: '海'.repeat(7_000) },
    })),
  'CHAN-3 feishu-retry-with-wecom-type: A feishu retry has its type in the wecom member.': () =>
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
