import type { Channel } from '../../openapi/generated/types.ts';
import type { Json } from '../../openapi/json.ts';
import { isObject } from '../../openapi/json.ts';
import type { Fault, Wrap } from './fault.ts';
import {
  changeChatMessage,
  changeRetriedBody,
  changeSentMessage,
  isUnsigned,
  type Recorded,
} from './wrap-pushes.ts';

/** Of messages on the chat channels. */
export const channelFaults: readonly Fault[] = [
  {
    id: 'wecom-type-and-content-differ',
    title: 'A message for wecom about a form says that it is a text, and holds another type.',
    requirement: 'CHAN-1',
    wrap: changeChatMessage('wecom', isOf('form.submit'), (body) => ({ ...body, msgtype: 'image' })),
  },
  {
    id: 'wecom-content-empty-on-content-delete',
    title: 'A message for wecom about deleted content is empty.',
    requirement: 'CHAN-1',
    wrap: changeChatMessage('wecom', isOf('content.delete'), (body) => withPart(body, { content: '' })),
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
    wrap: changeChatMessage('wecom', isLong, (body) => withPart(body, { content: '海'.repeat(4_096) })),
  },
  {
    id: 'wecom-retry-as-event-body',
    title: 'What is sent again to wecom is the body of section 6.3.',
    requirement: 'CHAN-1',
    wrap: chattingAgain('wecom', eventBody),
  },
  {
    id: 'dingtalk-without-title',
    title: 'A message for dingtalk has no title.',
    requirement: 'CHAN-2',
    wrap: changeChatMessage(
      'dingtalk',
      ({ push }) => !push.test,
      (body) => withPart(body, { title: undefined }),
    ),
  },
  {
    id: 'dingtalk-with-feishu-type',
    title: 'A message for dingtalk about a comment has its type where feishu has it.',
    requirement: 'CHAN-2',
    wrap: changeChatMessage('dingtalk', isOf('comment.created'), ({ msgtype, ...body }) => ({
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
    id: 'dingtalk-without-secret-as-event-body',
    title: 'The messages for dingtalk are the bodies of section 6.3 where a subscription has no secret.',
    requirement: 'CHAN-2',
    wrap: changeChatMessage('dingtalk', isUnsigned, eventBody),
  },
  {
    id: 'dingtalk-not-cut',
    title: 'A long message for dingtalk has more than 20 000 bytes.',
    requirement: 'CHAN-2',
    wrap: changeChatMessage('dingtalk', isLong, (body) => withPart(body, { text: '海'.repeat(7_000) })),
  },
  {
    id: 'dingtalk-retry-without-text',
    title: 'What is sent again to dingtalk has no text.',
    requirement: 'CHAN-2',
    wrap: chattingAgain('dingtalk', (body) => withPart(body, { text: undefined })),
  },
  {
    id: 'feishu-with-wecom-type',
    title: 'A message for feishu about a publish has its type where wecom has it.',
    requirement: 'CHAN-3',
    wrap: changeChatMessage('feishu', isOf('publish.complete'), ({ msg_type: type, ...body }) => ({
      ...body,
      msgtype: type,
    })),
  },
  {
    id: 'feishu-card-as-text',
    title:
      'A message for feishu holds its steps as text, as those of its apps do and those of its robots do not.',
    requirement: 'CHAN-3',
    wrap: changeChatMessage(
      'feishu',
      ({ push }) => !push.test,
      ({ msg_type: type, ...steps }) => ({
        msg_type: type,
        ...Object.fromEntries(
          Object.entries(steps).map(([name, part]) => [name, isObject(part) ? JSON.stringify(part) : part]),
        ),
      }),
    ),
  },
  {
    id: 'feishu-text-without-content',
    title: 'A message for feishu about a publish that failed has its text where wecom has it.',
    requirement: 'CHAN-3',
    wrap: changeChatMessage('feishu', isOf('publish.failed'), () => ({
      msg_type: 'text',
      text: { content: 'publish.failed' },
    })),
  },
  {
    id: 'feishu-not-cut',
    title: 'A long message for feishu has more than 20 KiB.',
    requirement: 'CHAN-3',
    wrap: changeChatMessage('feishu', isLong, () => ({
      msg_type: 'text',
      content: { text: '海'.repeat(7_000) },
    })),
  },
  {
    id: 'feishu-retry-with-wecom-type',
    title: 'What is sent again to feishu has its type where wecom has it.',
    requirement: 'CHAN-3',
    wrap: chattingAgain('feishu', ({ msg_type: type, ...body }) => ({ ...body, msgtype: type })),
  },
];

/** The body of section 6.3, more or less. */
function eventBody(_body: Json, { push: { event, at, site, data } }: Recorded): Json {
  const timestamp = new Date(at).toISOString();
  return { event, timestamp, site_id: site.id, site_name: site.name, data };
}

/** Messages that are long before they are cut. */
function isLong({ push }: Recorded): boolean {
  return Buffer.byteLength(JSON.stringify(push.data)) > 4_096;
}

/** Changes what is sent again on a chat channel. */
function chattingAgain(channel: Channel, change: (body: Json, recorded: Recorded) => Json): Wrap {
  return changeRetriedBody(
    (delivery, isAgain) => isAgain && delivery.channel === channel,
    (body, recorded) => JSON.stringify(change(JSON.parse(body), recorded)),
  );
}

function isOf(event: string): (recorded: Recorded) => boolean {
  return ({ push }) => push.event === event && !push.test;
}

/** The member that is named for the type holds the message. */
function withPart(body: Json, members: Json): Json {
  const name = String(body.msgtype);
  const part = body[name];
  return { ...body, [name]: { ...(isObject(part) && part), ...members } };
}
