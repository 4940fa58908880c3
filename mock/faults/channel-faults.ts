import { hash } from 'node:crypto';
import { isObject, type Json } from '../../openapi/json.ts';
import type { Fault } from './fault.ts';
import {
  changeChatMessage,
  changeRetriedChatMessage,
  changeSentMessage,
  hasLongData,
  hasNoSecret,
  type RecordedPush,
  type RetriedPush,
} from './wrap-pushes.ts';

/** Faults in messages on the chat channels. */
export const channelFaults: readonly Fault[] = [
  {
    id: 'wecom-type-and-content-differ',
    title: 'A message for wecom about a form says that it is a text, and holds another type.',
    requirement: 'CHAN-1',
    wrap: changeChatMessage('wecom', isEvent('form.submit'), (body) => ({ ...body, msgtype: 'image' })),
  },
  {
    id: 'wecom-content-empty-on-content-delete',
    title: 'A message for wecom about deleted content is empty.',
    requirement: 'CHAN-1',
    wrap: changeChatMessage('wecom', isEvent('content.delete'), (body) => withPart(body, { content: '' })),
  },
  {
    id: 'wecom-test-as-event-body',
    title: 'The test message for wecom is the body of section 6.3.',
    requirement: 'CHAN-1',
    wrap: changeChatMessage('wecom', ({ push }) => push.test !== undefined, eventBody),
  },
  {
    id: 'wecom-cut-by-characters',
    title: 'A long message for wecom has 4096 characters, not bytes.',
    requirement: 'CHAN-1',
    wrap: changeChatMessage('wecom', isLongMessage, (body) =>
      withPart(body, { content: '海'.repeat(4_096) }),
    ),
  },
  {
    id: 'wecom-retry-as-event-body',
    title: 'What is sent again to wecom is the body of section 6.3.',
    requirement: 'CHAN-1',
    wrap: changeRetriedChatMessage('wecom', eventBody),
  },
  {
    id: 'wecom-card-of-type-alone',
    title: 'A message for wecom about a publish that failed is a card with its type and nothing else.',
    requirement: 'CHAN-1',
    wrap: changeChatMessage('wecom', isEvent('publish.failed'), () => ({
      msgtype: 'template_card',
      template_card: { card_type: 'text_notice' },
    })),
  },
  {
    id: 'wecom-image-with-digest-of-base64',
    title: 'A message for wecom about a comment is an image with the digest of its base64, not of its bytes.',
    requirement: 'CHAN-1',
    wrap: changeChatMessage('wecom', isEvent('comment.created'), () => ({
      msgtype: 'image',
      image: { base64: 'iVBORw0KGgo=', md5: hash('md5', 'iVBORw0KGgo=') },
    })),
  },
  {
    id: 'dingtalk-without-title',
    title: 'A message for dingtalk has no title.',
    requirement: 'CHAN-2',
    wrap: changeChatMessage('dingtalk', isNoTest, (body) => withPart(body, { title: undefined })),
  },
  {
    id: 'dingtalk-with-feishu-type',
    title: 'A message for dingtalk about a comment has its type where feishu has it.',
    requirement: 'CHAN-2',
    wrap: changeChatMessage('dingtalk', isEvent('comment.created'), ({ msgtype, ...body }) => ({
      ...body,
      msg_type: msgtype,
    })),
  },
  {
    id: 'dingtalk-as-form',
    title: 'Messages for dingtalk are declared as forms.',
    requirement: 'CHAN-2',
    wrap: changeSentMessage(
      ({ channel }) => channel === 'dingtalk',
      ({ headers }) => ({ headers: { ...headers, 'Content-Type': 'application/x-www-form-urlencoded' } }),
    ),
  },
  {
    id: 'dingtalk-test-as-plain-text',
    title: 'The test message for dingtalk is declared as plain text, where its robot demands JSON.',
    requirement: 'CHAN-2',
    wrap: changeSentMessage(
      ({ channel, isTest }) => channel === 'dingtalk' && isTest,
      ({ headers }) => ({ headers: { ...headers, 'Content-Type': 'text/plain' } }),
    ),
  },
  {
    id: 'dingtalk-without-secret-as-event-body',
    title: 'The messages for dingtalk are the bodies of section 6.3 where a subscription has no secret.',
    requirement: 'CHAN-2',
    wrap: changeChatMessage('dingtalk', hasNoSecret, eventBody),
  },
  {
    id: 'dingtalk-not-cut',
    title: 'A long message for dingtalk has more than 20 000 bytes.',
    requirement: 'CHAN-2',
    wrap: changeChatMessage('dingtalk', isLongMessage, (body) =>
      withPart(body, { text: '海'.repeat(7_000) }),
    ),
  },
  {
    id: 'dingtalk-retry-without-text',
    title: 'What is sent again to dingtalk has no text.',
    requirement: 'CHAN-2',
    wrap: changeRetriedChatMessage('dingtalk', (body) => withPart(body, { text: undefined })),
  },
  {
    id: 'feishu-with-wecom-type',
    title: 'A message for feishu about a publish has its type where wecom has it.',
    requirement: 'CHAN-3',
    wrap: changeChatMessage('feishu', isEvent('publish.complete'), ({ msg_type: type, ...body }) => ({
      ...body,
      msgtype: type,
    })),
  },
  {
    id: 'feishu-card-as-text',
    title: 'A message for feishu holds its parts as text, as for an app of feishu, not for a robot.',
    requirement: 'CHAN-3',
    wrap: changeChatMessage('feishu', isNoTest, ({ msg_type: type, ...parts }) => ({
      msg_type: type,
      ...Object.fromEntries(
        Object.entries(parts).map(([name, part]) => [name, isObject(part) ? JSON.stringify(part) : part]),
      ),
    })),
  },
  {
    id: 'feishu-text-without-content',
    title: 'A message for feishu about a publish that failed has its text where wecom has it.',
    requirement: 'CHAN-3',
    wrap: changeChatMessage('feishu', isEvent('publish.failed'), () => ({
      msg_type: 'text',
      text: { content: 'publish.failed' },
    })),
  },
  {
    id: 'feishu-card-without-elements',
    title: 'A message for feishu about updated content is a card that shows nothing.',
    requirement: 'CHAN-3',
    wrap: changeChatMessage('feishu', isEvent('content.update'), () => ({
      msg_type: 'interactive',
      card: { header: { template: 'blue' }, elements: [] },
    })),
  },
  {
    id: 'feishu-link-without-address',
    title: 'A message for feishu about a comment has a link that leads nowhere.',
    requirement: 'CHAN-3',
    wrap: changeChatMessage('feishu', isEvent('comment.created'), () => ({
      msg_type: 'post',
      content: { post: { zh_cn: { title: '评论', content: [[{ tag: 'a', text: '查看' }]] } } },
    })),
  },
  {
    id: 'feishu-not-cut',
    title: 'A long message for feishu has more than 20 KiB.',
    requirement: 'CHAN-3',
    wrap: changeChatMessage('feishu', isLongMessage, () => ({
      msg_type: 'text',
      content: { text: '海'.repeat(7_000) },
    })),
  },
  {
    id: 'feishu-retry-with-wecom-type',
    title: 'What is sent again to feishu has its type where wecom has it.',
    requirement: 'CHAN-3',
    wrap: changeRetriedChatMessage('feishu', ({ msg_type: type, ...body }) => ({ ...body, msgtype: type })),
  },
];

/** An approximation of the body of section 6.3. */
function eventBody(_body: Json, { push: { event, at, site, data } }: Pick<RetriedPush, 'push'>): Json {
  const timestamp = new Date(at).toISOString();
  return { event, timestamp, site_id: site.id, site_name: site.name, data };
}

/** Whether a message is long before it is cut. */
function isLongMessage({ push }: RecordedPush): boolean {
  return hasLongData(push);
}

function isNoTest({ push }: RecordedPush): boolean {
  return push.test === undefined;
}

function isEvent(event: string): (recorded: RecordedPush) => boolean {
  return (recorded) => recorded.push.event === event && isNoTest(recorded);
}

/** Changes the message, which is the member named by the type. */
function withPart(body: Json, members: Json): Json {
  const name = String(body.msgtype);
  const part = body[name];
  return { ...body, [name]: { ...(isObject(part) && part), ...members } };
}
