// What the group robot of Feishu (飞书) and Lark accepts: https://open.feishu.cn/document/client-docs/bot-v3/add-custom-bot
import { isObject, type Json } from '../json.ts';
import { getAt } from '../json-pointer.ts';
import { feishuCardProblem } from './feishu-card.ts';
import { hasText, missing, missingText, type RobotProblem, unknownType, wrong } from './robot-problem.ts';

const rules = new Map<unknown, (message: Json) => RobotProblem | undefined>([
  ['text', ({ content }) => missingText('content', content, ['text'])],
  ['post', ({ content }) => postProblem(getAt(content, '/post'))],
  ['image', ({ content }) => missingText('content', content, ['image_key'])],
  ['share_chat', ({ content }) => missingText('content', content, ['share_chat_id'])],
  ['interactive', ({ card }) => feishuCardProblem(card)],
]);

export function feishuProblem(message: Json): RobotProblem | undefined {
  const rule = rules.get(message.msg_type);
  return rule ? rule(message) : unknownType('msg_type', [...rules.keys()].map(String));
}

/** In one of the two languages, or both. */
function postProblem(post: unknown): RobotProblem | undefined {
  const languages = ['zh_cn', 'en_us'].filter((language) => getAt(post, `/${language}`) !== undefined);
  if (languages.length === 0) return missing('content.post.zh_cn or en_us');
  return languages.map((language) => languageProblem(post, language)).find(Boolean);
}

function languageProblem(post: unknown, language: string): RobotProblem | undefined {
  const at = `content.post.${language}.content`;
  const lines = getAt(post, `/${language}/content`);
  if (!Array.isArray(lines) || lines.length === 0) return missing(at);
  const isLine = (line: unknown) => Array.isArray(line) && line.every(isNode);
  const index = lines.findIndex((line) => !isLine(line));
  return index === -1
    ? undefined
    : wrong(
        `${at}[${index}]`,
        `${at}[${index}] must be a list of text, a, at and img, each with its members`,
      );
}

/** The required members of a node, and of those the ones that may be empty. */
const nodeMembers = new Map<unknown, { filled: readonly string[]; text?: true }>([
  ['text', { filled: [], text: true }],
  ['a', { filled: ['href'], text: true }],
  ['at', { filled: ['user_id'] }],
  ['img', { filled: ['image_key'] }],
]);
const textMembers = ['tag', 'text', 'un_escape'];

/** A text may have no other members: a `style` was observed to be refused. */
function isNode(node: unknown): boolean {
  if (!isObject(node)) return false;
  const members = nodeMembers.get(node.tag);
  if (!members || (members.text && typeof node.text !== 'string')) return false;
  if (node.tag === 'text') return Object.keys(node).every((member) => textMembers.includes(member));
  return members.filled.every((member) => hasText(node, `/${member}`));
}
