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

function changeChatMessage(channel: Channel, when: RecordedTest, change: JsonChange): Wrap {
  return changeJson(both(when, onChannel(channel)), change);
}

/** Approximates the body of section 6.3. */
function eventBody(_body: Json, { event, at, site, data }: RecordedPush): Json {
  return { event, timestamp: new Date(at).toISOString(), site_id: site.id, site_name: site.name, data };
}

/** Changes the member that `msgtype` names, which holds the message. */
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
