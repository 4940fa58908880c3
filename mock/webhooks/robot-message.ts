// Messages for the group robots of the three chat products, and what they answer. The document does not show them (section 6.2), so the wording is ours.
import { createHmac } from 'node:crypto';
import type { Robot } from '../../openapi/event-names.ts';
import type { Channel } from '../../openapi/generated/types.ts';
import type { Profile } from '../../openapi/profile.ts';
import { messageBytes, wecomContentBytes } from '../../openapi/robots/robot-limits.ts';

/** The content of a message, whatever its form. */
export interface RobotText {
  title: string;
  lines: readonly string[];
}

/** A message for a robot as JSON. Only Feishu's sign is part of the body. */
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
  // With empty lines, since DingTalk joins the lines of a paragraph.
  return [`### ${title}`, ...lines.map((line) => `> ${line}`)].join('\n\n');
}

const ellipsis = '…';
const encoder = new TextEncoder();

/** A text of at most `limit` bytes of UTF-8; a cut text ends in "…", and never inside a character. */
export function cutText(text: string, limit: number): string {
  if (Buffer.byteLength(text) <= limit) return text;
  const room = Buffer.alloc(Math.max(0, limit - Buffer.byteLength(ellipsis)));
  const { written } = encoder.encodeInto(text, room);
  return room.toString('utf8', 0, written) + ellipsis;
}

/** A message of at most `limit` bytes of UTF-8, with as much of its text as fits. */
export function fitMessage(build: (text: string) => string, text: string, limit: number): string {
  const whole = build(text);
  if (Buffer.byteLength(whole) <= limit) return whole;
  // A message is at least as long as its text.
  const possible = text.slice(0, limit + 1);
  // By bisection, since JSON escapes some characters to more bytes than others.
  let [fits, tooMuch] = [0, limit + 1];
  while (tooMuch - fits > 1) {
    const middle = Math.floor((fits + tooMuch) / 2);
    if (Buffer.byteLength(build(cutText(possible, middle))) <= limit) fits = middle;
    else tooMuch = middle;
  }
  return build(cutText(possible, fits));
}

/** The reason why a chat robot refused a message, which it answers with HTTP status 200; undefined when it accepted. */
export function robotRefusal(channel: Channel, body: string): string | undefined {
  if (channel === 'custom') return undefined;
  const answer = parse(body);
  const code = channel === 'feishu' ? (answer.code ?? answer.StatusCode) : answer.errcode;
  if (code === undefined || String(code) === '0') return undefined;
  return `${String(code)}: ${String((channel === 'feishu' ? answer.msg : answer.errmsg) ?? '')}`;
}

function parse(body: string): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(body));
  } catch {
    return {};
  }
}

export interface VendorSign {
  timestamp: string;
  sign: string;
}

/** DingTalk's own sign, for the query: the timestamp is in milliseconds, the secret is the key. */
export function signForDingtalk(secret: string, at: number): VendorSign {
  const timestamp = String(at);
  return { timestamp, sign: createHmac('sha256', secret).update(`${timestamp}\n${secret}`).digest('base64') };
}

/** Feishu's own sign, for the body: the timestamp is in seconds, the text to sign is the key of an empty message. */
export function signForFeishu(secret: string, at: number): VendorSign {
  const timestamp = String(Math.floor(at / 1000));
  return { timestamp, sign: createHmac('sha256', `${timestamp}\n${secret}`).digest('base64') };
}
