// The document does not show robot messages (section 6.2), so the wording is ours.
import { createHmac } from 'node:crypto';
import type { Robot } from '../../openapi/event-names.ts';
import type { Channel } from '../../openapi/generated/types.ts';
import { jsonIn } from '../../openapi/json.ts';
import type { Profile } from '../../openapi/profile.ts';
import { messageBytes } from '../../openapi/robots/push-problem.ts';
import { wecomContentBytes } from '../../openapi/robots/wecom-message.ts';

export interface RobotText {
  title: string;
  lines: readonly string[];
}

/** Only Feishu's message has `sign` in its body. */
export function robotMessage(robot: Robot, content: RobotText, profile: Profile, sign?: VendorSign): string {
  const text = { ...content, title: cutText(content.title, titleLimit) };
  if (robot === 'wecom') return wecomMessage(profile.values['channel.wecom'], text);
  if (robot === 'dingtalk') return dingtalkMessage(profile.values['channel.dingtalk'], text);
  return feishuMessage(profile.values['channel.feishu'], text, sign);
}

const titleLimit = 128;

function wecomMessage(type: keyof typeof wecomContentBytes, message: RobotText): string {
  const content = type === 'text' ? plainText(message) : quotedMarkdown(message);
  return JSON.stringify({ msgtype: type, [type]: { content: cutText(content, wecomContentBytes[type]) } });
}

function dingtalkMessage(type: 'text' | 'markdown', message: RobotText): string {
  const { title } = message;
  const partOf = (text: string) => (type === 'text' ? { content: text } : { title, text });
  const build = (text: string) => JSON.stringify({ msgtype: type, [type]: partOf(text) });
  const text = type === 'text' ? plainText(message) : quotedMarkdown(message);
  return fitMessage(build, text, messageBytes.dingtalk);
}

function feishuMessage(type: 'text' | 'post' | 'interactive', message: RobotText, sign?: VendorSign): string {
  const { title, lines } = message;
  const partOf = {
    text: (text: string) => ({ content: { text } }),
    post: (text: string) => ({ content: { post: { zh_cn: { title, content: [[{ tag: 'text', text }]] } } } }),
    interactive: (content: string) => ({
      card: {
        header: { title: { tag: 'plain_text', content: title }, template: 'blue' },
        elements: [{ tag: 'div', text: { tag: 'lark_md', content } }],
      },
    }),
  }[type];
  const build = (text: string) => JSON.stringify({ ...sign, msg_type: type, ...partOf(text) });
  return fitMessage(build, type === 'text' ? plainText(message) : lines.join('\n'), messageBytes.feishu);
}

function plainText({ title, lines }: RobotText): string {
  return [title, ...lines].join('\n');
}

function quotedMarkdown({ title, lines }: RobotText): string {
  // DingTalk joins the lines of a paragraph, so empty lines separate them.
  return [`### ${title}`, ...lines.map((line) => `> ${line}`)].join('\n\n');
}

const ellipsis = '…';
const encoder = new TextEncoder();

/** Cuts to `limit` bytes of UTF-8, between characters, and ends a cut text in "…". */
export function cutText(text: string, limit: number): string {
  if (Buffer.byteLength(text) <= limit) return text;
  const room = Buffer.alloc(Math.max(0, limit - Buffer.byteLength(ellipsis)));
  const { written } = encoder.encodeInto(text, room);
  return room.toString('utf8', 0, written) + ellipsis;
}

/** Cuts the text until the whole message has at most `limit` bytes of UTF-8. */
export function fitMessage(build: (text: string) => string, text: string, limit: number): string {
  const whole = build(text);
  if (Buffer.byteLength(whole) <= limit) return whole;
  // Every character takes a byte or more of the message.
  const possible = text.slice(0, limit + 1);
  // Bisection, since JSON escapes some characters to more bytes than others.
  let [fits, tooMuch] = [0, limit + 1];
  while (tooMuch - fits > 1) {
    const middle = Math.floor((fits + tooMuch) / 2);
    if (Buffer.byteLength(build(cutText(possible, middle))) <= limit) fits = middle;
    else tooMuch = middle;
  }
  return build(cutText(possible, fits));
}

/** Robots refuse a message with HTTP 200 and an error code; undefined if accepted. */
export function robotRefusal(channel: Channel, body: string): string | undefined {
  if (channel === 'custom') return undefined;
  const answer: Readonly<Record<string, unknown>> = Object(jsonIn(body));
  const code = channel === 'feishu' ? (answer.code ?? answer.StatusCode) : answer.errcode;
  if (code === undefined || String(code) === '0') return undefined;
  return `${String(code)}: ${String((channel === 'feishu' ? answer.msg : answer.errmsg) ?? '')}`;
}

interface VendorSign {
  timestamp: string;
  sign: string;
}

/** DingTalk's signature, for the query: milliseconds, with the secret as HMAC key. */
export function signForDingtalk(secret: string, at: number): VendorSign {
  const timestamp = String(at);
  return { timestamp, sign: createHmac('sha256', secret).update(`${timestamp}\n${secret}`).digest('base64') };
}

/** Feishu's signature, for the body: seconds, with the text to sign as HMAC key of an empty message. */
export function signForFeishu(secret: string, at: number): VendorSign {
  const timestamp = String(Math.floor(at / 1000));
  return { timestamp, sign: createHmac('sha256', `${timestamp}\n${secret}`).digest('base64') };
}
