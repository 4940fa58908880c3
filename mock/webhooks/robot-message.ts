// Messages that the group robots of the three chat products accept. The document does not show them (section 6.2), so their wording is ours.
import type { Channel } from '../../openapi/generated/types.ts';
import type { Profile } from '../../openapi/profile.ts';
import { cutText, fitMessage } from './cut-text.ts';
import type { VendorSign } from './sign.ts';

/** What a message says, whatever its form. */
export interface RobotText {
  title: string;
  lines: readonly string[];
}

type Robot = Exclude<Channel, 'custom'>;

/** The message of a robot as JSON. Feishu's sign is a part of it; the other robots have none in the body. */
export function robotMessage(
  robot: Robot,
  said: RobotText,
  { profile, sign }: { profile: Profile; sign?: VendorSign },
): string {
  const text = { ...said, title: cutText(said.title, titleLimit) };
  if (robot === 'wecom') return wecomMessage(profile.values['channel.wecom'], text);
  if (robot === 'dingtalk') return dingtalkMessage(profile.values['channel.dingtalk'], text);
  return feishuMessage(profile.values['channel.feishu'], text, sign);
}

const titleLimit = 128;
/** Of the content. */
const wecomLimits = { text: 2048, markdown: 4096, markdown_v2: 4096 };
/** Of the whole message. */
const dingtalkLimit = 20_000;
const feishuLimit = 20 * 1024;

function wecomMessage(type: keyof typeof wecomLimits, said: RobotText): string {
  const content = type === 'text' ? plain(said) : quoted(said);
  return JSON.stringify({ msgtype: type, [type]: { content: cutText(content, wecomLimits[type]) } });
}

function dingtalkMessage(type: 'text' | 'markdown', said: RobotText): string {
  if (type === 'text') {
    return fitMessage(
      (content) => JSON.stringify({ msgtype: type, text: { content } }),
      plain(said),
      dingtalkLimit,
    );
  }
  const build = (text: string) => JSON.stringify({ msgtype: type, markdown: { title: said.title, text } });
  return fitMessage(build, quoted(said), dingtalkLimit);
}

function feishuMessage(
  type: 'text' | 'post' | 'interactive',
  said: RobotText,
  sign: VendorSign | undefined,
): string {
  const whole = (part: object) => JSON.stringify({ ...sign, msg_type: type, ...part });
  const { title } = said;
  const body = said.lines.join('\n');
  if (type === 'text') return fitMessage((text) => whole({ content: { text } }), plain(said), feishuLimit);
  if (type === 'post') {
    const post = (text: string) => ({ zh_cn: { title, content: [[{ tag: 'text', text }]] } });
    return fitMessage((text) => whole({ content: { post: post(text) } }), body, feishuLimit);
  }
  const header = { title: { tag: 'plain_text', content: title }, template: 'blue' };
  const card = (content: string) => ({
    header,
    elements: [{ tag: 'div', text: { tag: 'lark_md', content } }],
  });
  return fitMessage((text) => whole({ card: card(text) }), body, feishuLimit);
}

function plain({ title, lines }: RobotText): string {
  return [title, ...lines].join('\n');
}

function quoted({ title, lines }: RobotText): string {
  // An empty line, for DingTalk runs the lines of one paragraph together.
  return [`### ${title}`, ...lines.map((line) => `> ${line}`)].join('\n\n');
}
