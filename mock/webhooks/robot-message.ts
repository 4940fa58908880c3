// Messages for the group robots of the three chat products. The document does not show them (section 6.2), so the wording is ours.
import type { Robot } from '../../openapi/event-names.ts';
import type { Profile } from '../../openapi/profile.ts';
import { messageBytes, wecomContentBytes } from '../../openapi/robots/robot-limits.ts';
import { cutText, fitMessage } from './cut-text.ts';
import type { VendorSign } from './sign.ts';

/** The content of a message, whatever its form. */
export interface RobotText {
  title: string;
  lines: readonly string[];
}

/** A message for a robot as JSON. Only Feishu's sign is part of the body. */
export function robotMessage(
  robot: Robot,
  content: RobotText,
  { profile, sign }: { profile: Profile; sign?: VendorSign },
): string {
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
  const buildText = (content: string) => JSON.stringify({ msgtype: type, text: { content } });
  if (type === 'text') return fitMessage(buildText, plainText(message), messageBytes.dingtalk);
  const buildMarkdown = (text: string) => JSON.stringify({ msgtype: type, markdown: { title, text } });
  return fitMessage(buildMarkdown, quotedMarkdown(message), messageBytes.dingtalk);
}

function feishuMessage(
  type: 'text' | 'post' | 'interactive',
  message: RobotText,
  sign: VendorSign | undefined,
): string {
  const build = (part: object) => JSON.stringify({ ...sign, msg_type: type, ...part });
  const { title } = message;
  const body = message.lines.join('\n');
  if (type === 'text')
    return fitMessage((text) => build({ content: { text } }), plainText(message), messageBytes.feishu);
  if (type === 'post') {
    const post = (text: string) => ({ zh_cn: { title, content: [[{ tag: 'text', text }]] } });
    return fitMessage((text) => build({ content: { post: post(text) } }), body, messageBytes.feishu);
  }
  const header = { title: { tag: 'plain_text', content: title }, template: 'blue' };
  const card = (content: string) => ({
    header,
    elements: [{ tag: 'div', text: { tag: 'lark_md', content } }],
  });
  return fitMessage((text) => build({ card: card(text) }), body, messageBytes.feishu);
}

function plainText({ title, lines }: RobotText): string {
  return [title, ...lines].join('\n');
}

function quotedMarkdown({ title, lines }: RobotText): string {
  // With empty lines, since DingTalk joins the lines of a paragraph.
  return [`### ${title}`, ...lines.map((line) => `> ${line}`)].join('\n\n');
}
