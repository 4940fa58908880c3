import { hash } from 'node:crypto';
import { isObject, type Json } from '../../openapi/json.ts';
import { faultsOf } from './fault.ts';
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
export const channelFaults = faultsOf({
  'CHAN-1': {
    'wecom-type-and-content-differ: A message for wecom about a form says that it is a text, and holds another type.':
      () => changeChatMessage('wecom', isEvent('form.submit'), (body) => ({ ...body, msgtype: 'image' })),
    'wecom-content-empty-on-content-delete: A message for wecom about deleted content is empty.': () =>
      changeChatMessage('wecom', isEvent('content.delete'), (body) => withPart(body, { content: '' })),
    'wecom-test-as-event-body: The test message for wecom is the body of section 6.3.': () =>
      changeChatMessage('wecom', ({ push }) => push.test !== undefined, eventBody),
    'wecom-cut-by-characters: A long message for wecom has 4096 characters, not bytes.': () =>
      changeChatMessage('wecom', isLongMessage, (body) => withPart(body, { content: '海'.repeat(4_096) })),
    'wecom-retry-as-event-body: What is sent again to wecom is the body of section 6.3.': () =>
      changeRetriedChatMessage('wecom', eventBody),
    'wecom-card-of-type-alone: A message for wecom about a publish that failed is a card with its type and nothing else.':
      () =>
        changeChatMessage('wecom', isEvent('publish.failed'), () => ({
          msgtype: 'template_card',
          template_card: { card_type: 'text_notice' },
        })),
    'wecom-image-with-digest-of-base64: A message for wecom about a comment is an image with the digest of its base64, not of its bytes.':
      () =>
        changeChatMessage('wecom', isEvent('comment.created'), () => ({
          msgtype: 'image',
          image: { base64: 'iVBORw0KGgo=', md5: hash('md5', 'iVBORw0KGgo=') },
        })),
  },
  'CHAN-2': {
    'dingtalk-without-title: A message for dingtalk has no title.': () =>
      changeChatMessage('dingtalk', isNoTest, (body) => withPart(body, { title: undefined })),
    'dingtalk-with-feishu-type: A message for dingtalk about a comment has its type where feishu has it.':
      () =>
        changeChatMessage('dingtalk', isEvent('comment.created'), ({ msgtype, ...body }) => ({
          ...body,
          msg_type: msgtype,
        })),
    'dingtalk-as-form: Messages for dingtalk are declared as forms.': () =>
      changeSentMessage(
        ({ channel }) => channel === 'dingtalk',
        ({ headers }) => ({ headers: { ...headers, 'Content-Type': 'application/x-www-form-urlencoded' } }),
      ),
    'dingtalk-test-as-plain-text: The test message for dingtalk is declared as plain text, where its robot demands JSON.':
      () =>
        changeSentMessage(
          ({ channel, isTest }) => channel === 'dingtalk' && isTest,
          ({ headers }) => ({ headers: { ...headers, 'Content-Type': 'text/plain' } }),
        ),
    'dingtalk-without-secret-as-event-body: The messages for dingtalk are the bodies of section 6.3 where a subscription has no secret.':
      () => changeChatMessage('dingtalk', hasNoSecret, eventBody),
    'dingtalk-not-cut: A long message for dingtalk has more than 20 000 bytes.': () =>
      changeChatMessage('dingtalk', isLongMessage, (body) => withPart(body, { text: '海'.repeat(7_000) })),
    'dingtalk-retry-without-text: What is sent again to dingtalk has no text.': () =>
      changeRetriedChatMessage('dingtalk', (body) => withPart(body, { text: undefined })),
  },
  'CHAN-3': {
    'feishu-with-wecom-type: A message for feishu about a publish has its type where wecom has it.': () =>
      changeChatMessage('feishu', isEvent('publish.complete'), ({ msg_type: type, ...body }) => ({
        ...body,
        msgtype: type,
      })),
    'feishu-card-as-text: A message for feishu holds its parts as text, as for an app of feishu, not for a robot.':
      () =>
        changeChatMessage('feishu', isNoTest, ({ msg_type: type, ...parts }) => ({
          msg_type: type,
          ...Object.fromEntries(
            Object.entries(parts).map(([name, part]) => [name, isObject(part) ? JSON.stringify(part) : part]),
          ),
        })),
    'feishu-text-without-content: A message for feishu about a publish that failed has its text where wecom has it.':
      () =>
        changeChatMessage('feishu', isEvent('publish.failed'), () => ({
          msg_type: 'text',
          text: { content: 'publish.failed' },
        })),
    'feishu-card-without-elements: A message for feishu about updated content is a card that shows nothing.':
      () =>
        changeChatMessage('feishu', isEvent('content.update'), () => ({
          msg_type: 'interactive',
          card: { header: { template: 'blue' }, elements: [] },
        })),
    'feishu-link-without-address: A message for feishu about a comment has a link that leads nowhere.': () =>
      changeChatMessage('feishu', isEvent('comment.created'), () => ({
        msg_type: 'post',
        content: { post: { zh_cn: { title: '评论', content: [[{ tag: 'a', text: '查看' }]] } } },
      })),
    'feishu-not-cut: A long message for feishu has more than 20 KiB.': () =>
      changeChatMessage('feishu', isLongMessage, () => ({
        msg_type: 'text',
        content: { text: '海'.repeat(7_000) },
      })),
    'feishu-retry-with-wecom-type: What is sent again to feishu has its type where wecom has it.': () =>
      changeRetriedChatMessage('feishu', ({ msg_type: type, ...body }) => ({ ...body, msgtype: type })),
  },
});

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
