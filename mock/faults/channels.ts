import type { Json } from '../../openapi/registers.ts';
import { isObject } from '../variations/is-object.ts';
import type { Fault } from './fault.ts';
import { chatting, type Recorded, sending } from './wrap-pushes.ts';

/** Of messages on the chat channels. */
export const channelFaults: readonly Fault[] = [
  {
    id: 'wecom-type-and-content-differ',
    title: 'A message for wecom about a form says that it is a text, and holds another type.',
    requirement: 'CHAN-1',
    wrap: chatting('wecom', isOf('form.submit'), (body) => ({ ...body, msgtype: 'image' })),
  },
  {
    id: 'wecom-content-empty-on-content-delete',
    title: 'A message for wecom about deleted content is empty.',
    requirement: 'CHAN-1',
    wrap: chatting('wecom', isOf('content.delete'), (body) => withPart(body, { content: '' })),
  },
  {
    id: 'dingtalk-without-title',
    title: 'A message for dingtalk has no title.',
    requirement: 'CHAN-2',
    wrap: chatting(
      'dingtalk',
      ({ push }) => !push.test,
      (body) => withPart(body, { title: undefined }),
    ),
  },
  {
    id: 'dingtalk-with-feishu-type',
    title: 'A message for dingtalk about a comment has its type where feishu has it.',
    requirement: 'CHAN-2',
    wrap: chatting('dingtalk', isOf('comment.created'), ({ msgtype, ...body }) => ({
      ...body,
      msg_type: msgtype,
    })),
  },
  {
    id: 'dingtalk-as-form',
    title: 'Messages for dingtalk are declared as forms.',
    requirement: 'CHAN-2',
    wrap: sending(
      ({ channel }) => channel === 'dingtalk',
      ({ headers }) => ({ headers: { ...headers, 'Content-Type': 'application/x-www-form-urlencoded' } }),
    ),
  },
  {
    id: 'feishu-with-wecom-type',
    title: 'A message for feishu about a publish has its type where wecom has it.',
    requirement: 'CHAN-3',
    wrap: chatting('feishu', isOf('publish.complete'), ({ msg_type: type, ...body }) => ({
      ...body,
      msgtype: type,
    })),
  },
  {
    id: 'feishu-card-as-text',
    title:
      'A message for feishu holds its parts as text, as those of its apps do and those of its robots do not.',
    requirement: 'CHAN-3',
    wrap: chatting(
      'feishu',
      ({ push }) => !push.test,
      ({ msg_type: type, ...parts }) => ({
        msg_type: type,
        ...Object.fromEntries(
          Object.entries(parts).map(([name, part]) => [name, isObject(part) ? JSON.stringify(part) : part]),
        ),
      }),
    ),
  },
];

function isOf(event: string): (recorded: Recorded) => boolean {
  return ({ push }) => push.event === event && !push.test;
}

/** The member that is named for the type holds the message. */
function withPart(body: Json, members: Json): Json {
  const name = String(body.msgtype);
  const part = body[name];
  return { ...body, [name]: { ...(isObject(part) && part), ...members } };
}
