// What the group robots of the three chat products accept, as their makers publish it. Where a robot was seen to be more generous
// than its documentation, the generous rule applies: a deployment must not fail for a message that the robot accepts.
// WeCom: https://developer.work.weixin.qq.com/document/path/91770
// DingTalk: https://open.dingtalk.com/document/orgapp/custom-robot-access
// Feishu: https://open.feishu.cn/document/client-docs/bot-v3/add-custom-bot
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Channel } from '../../../openapi/generated/types.ts';
import type { Json } from '../../../openapi/json.ts';
import { isJsonType } from '../../core/exchange.ts';
import type { Push } from '../../push-receiver/push-receiver.ts';
import { bodyOf, headerOf } from '../../push-receiver/read-push.ts';

export type Robot = Exclude<Channel, 'custom'>;

/** Addresses of the form that the makers give to robots. No robot has these. */
export const robotAddress: Readonly<Record<Robot, string>> = {
  wecom: 'https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=00000000-0000-4000-8000-000000000000',
  dingtalk: `https://oapi.dingtalk.com/robot/send?access_token=${'0'.repeat(64)}`,
  feishu: 'https://open.feishu.cn/open-apis/bot/v2/hook/00000000-0000-4000-8000-000000000000',
};

const text: Json = { type: 'string', minLength: 1 };
const object = (properties: Record<string, Json>, required = Object.keys(properties)): Json => ({
  type: 'object',
  required,
  properties,
});
const upTo = (maxBytes: number): Json => ({ ...text, maxBytes });
/** A message whose member `name` says which of the types it is; each type has a schema of the whole message. */
const typed = (name: string, types: Record<string, Json>): Json => ({
  type: 'object',
  required: [name],
  properties: { [name]: { enum: Object.keys(types) } },
  allOf: Object.entries(types).map(([type, schema]) => ({
    if: { required: [name], properties: { [name]: { const: type } } },
    // biome-ignore lint/suspicious/noThenProperty: "then" is a keyword of JSON Schema
    then: schema,
  })),
});
/** A message is of one of these types; the member of the same name holds it. */
const inMemberOfType = (types: Record<string, Json>): Json =>
  typed(
    'msgtype',
    Object.fromEntries(Object.entries(types).map(([type, member]) => [type, object({ [type]: member })])),
  );

const wecom = inMemberOfType({
  // The documentation says 2048 bytes, the robot accepts 5120.
  text: object({ content: upTo(5_120) }),
  markdown: object({ content: upTo(4_096) }),
  markdown_v2: object({ content: upTo(4_096) }),
  image: object({ base64: text, md5: { type: 'string', pattern: '^[0-9a-fA-F]{32}$' } }),
  news: object({
    articles: { type: 'array', minItems: 1, maxItems: 8, items: object({ title: text, url: text }) },
  }),
  file: object({ media_id: text }),
  voice: object({ media_id: text }),
  template_card: object({ card_type: { enum: ['text_notice', 'news_notice'] } }),
});

const dingtalk = inMemberOfType({
  text: object({ content: text }),
  markdown: object({ title: text, text }),
  link: object({ title: text, text, messageUrl: text }),
  actionCard: {
    ...object({ title: text, text }),
    anyOf: [
      object({ singleTitle: text, singleURL: text }),
      object({ btns: { type: 'array', minItems: 1, items: object({ title: text, actionURL: text }) } }),
    ],
  },
  feedCard: object({
    links: { type: 'array', minItems: 1, items: object({ title: text, messageURL: text, picURL: text }) },
  }),
});

const node: Json = {
  ...object({ tag: { enum: ['text', 'a', 'at', 'img'] } }),
  if: { required: ['tag'], properties: { tag: { const: 'text' } } },
  // biome-ignore lint/suspicious/noThenProperty: "then" is a keyword of JSON Schema
  then: {
    ...object({ tag: text, text: { type: 'string' }, un_escape: { type: 'boolean' } }, ['tag', 'text']),
    additionalProperties: false,
  },
};
const post: Json = object({
  content: { type: 'array', minItems: 1, items: { type: 'array', items: node } },
});
const content = (member: Json): Json => object({ content: member });
const feishu = typed('msg_type', {
  text: content(object({ text })),
  post: content(object({ post: { ...object({ zh_cn: post, en_us: post }, []), minProperties: 1 } })),
  image: content(object({ image_key: text })),
  share_chat: content(object({ share_chat_id: text })),
  interactive: object({ card: { type: 'object', minProperties: 1 } }),
});

/** The schema of a robot's messages, and the most bytes of a whole message. */
const robots: Readonly<Record<Robot, { schema: Json; mostBytes: number }>> = {
  wecom: { schema: wecom, mostBytes: Number.POSITIVE_INFINITY },
  dingtalk: { schema: dingtalk, mostBytes: 20_000 },
  feishu: { schema: feishu, mostBytes: 20 * 1_024 },
};

const ajv = new Ajv2020({ strict: false, allErrors: true });
ajv.addKeyword({
  keyword: 'maxBytes',
  type: 'string',
  validate: (most: number, value: string) => Buffer.byteLength(value) <= most,
  error: { message: ({ schema }: { schema: number }) => `must have at most ${schema} bytes` },
});
const validators = new Map(
  Object.entries(robots).map(([robot, { schema }]) => [robot, ajv.compile(schema)] as const),
);

/** Why a robot would refuse a message; undefined where it would accept it. */
export function robotComplaint(robot: Robot, push: Push): string | undefined {
  const { mostBytes } = robots[robot];
  const message = bodyOf(push);
  if (push.method !== 'POST') return `it accepts POST only, not ${push.method}`;
  if (!isJsonType(headerOf(push, 'Content-Type'))) return 'its Content-Type must be JSON';
  if (message === undefined || !isUtf8(push.body)) return 'its body must be JSON in UTF-8';
  if (push.body.length > mostBytes) return `it may have ${mostBytes} bytes at most, not ${push.body.length}`;
  const validate = validators.get(robot);
  if (!validate || validate(message)) return undefined;
  const error = validate.errors?.find(({ keyword }) => keyword !== 'if' && keyword !== 'anyOf');
  return `${error?.instancePath || 'the message'} ${error?.message ?? 'is not as the robot wants it'}`;
}

/** The type of a message: WeCom and DingTalk have it in msgtype, Feishu in msg_type. */
export function messageType(push: Push): unknown {
  const message = Object(bodyOf(push)) as { msgtype?: unknown; msg_type?: unknown };
  return message.msgtype ?? message.msg_type;
}

function isUtf8(bytes: Buffer): boolean {
  return Buffer.from(bytes.toString('utf8')).equals(bytes);
}
