// The rules of the group robot of Feishu (飞书) and Lark: https://open.feishu.cn/document/client-docs/bot-v3/add-custom-bot
import { isObject, type Json } from '../json.ts';
import { getAt } from '../json-pointer.ts';
import { hasText, missing, missingText, type RobotProblem, unknownType, wrong } from './robot-problem.ts';

const rules = new Map<unknown, (message: Json) => RobotProblem | undefined>([
  ['text', ({ content }) => missingText('content', content, ['text'])],
  ['post', ({ content }) => postProblem(getAt(content, '/post'))],
  ['image', ({ content }) => missingText('content', content, ['image_key'])],
  ['share_chat', ({ content }) => missingText('content', content, ['share_chat_id'])],
  ['interactive', ({ card }) => cardProblem(card)],
]);

export function feishuProblem(message: Json): RobotProblem | undefined {
  const rule = rules.get(message.msg_type);
  return rule ? rule(message) : unknownType('msg_type', rules);
}

/** A post is in one of the two languages, or in both. */
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

/** `filled` members must not be empty; a required `text` may be. */
const nodeMembers = new Map<unknown, { filled: readonly string[]; text?: true }>([
  ['text', { filled: [], text: true }],
  ['a', { filled: ['href'], text: true }],
  ['at', { filled: ['user_id'] }],
  ['img', { filled: ['image_key'] }],
]);
const textMembers = ['tag', 'text', 'un_escape'];

/** A text has no other members: the robot refuses `style`, as observed. */
function isNode(node: unknown): boolean {
  if (!isObject(node)) return false;
  const members = nodeMembers.get(node.tag);
  if (!members || (members.text && typeof node.text !== 'string')) return false;
  if (node.tag === 'text') return Object.keys(node).every((member) => textMembers.includes(member));
  return members.filled.every((member) => hasText(node, `/${member}`));
}

/** A card has the older form, schema 2.0, or a template of the vendor's editor. Checks only the tags of elements. */
function cardProblem(card: unknown): RobotProblem | undefined {
  if (!isObject(card)) return wrong('card', 'card must be an object');
  if (card.type === 'template')
    return hasText(card, '/data/template_id') ? undefined : missing('card.data.template_id');
  if (card.schema === '2.0' && card.elements !== undefined)
    return wrong('card.elements', 'card.elements must be in card.body, because schema is 2.0');
  const lists = listsOf(card);
  const broken = lists.find(({ elements }) => !isListOfElements(elements));
  if (broken) return wrong(broken.at, `${broken.at} must be a list of objects with a tag`);
  const isFilled = lists.some(({ elements }) => Array.isArray(elements) && elements.length > 0);
  // No document requires more than a title.
  return isFilled || hasText(card, '/header/title/content') ? undefined : missing(placeOf(card));
}

interface ElementList {
  at: string;
  elements: unknown;
}

/** The older form may have one list per language. */
function listsOf(card: Json): ElementList[] {
  const at = placeOf(card);
  const elements = getAt(card, `/${at.split('.').slice(1).join('/')}`);
  const languages = at === 'card.elements' && isObject(card.i18n_elements) ? card.i18n_elements : {};
  return [
    ...(elements === undefined ? [] : [{ at, elements }]),
    ...Object.entries(languages).map(([language, list]) => ({
      at: `card.i18n_elements.${language}`,
      elements: list,
    })),
  ];
}

function placeOf({ schema }: Json): string {
  return schema === '2.0' ? 'card.body.elements' : 'card.elements';
}

function isListOfElements(elements: unknown): boolean {
  return Array.isArray(elements) && elements.every((element) => hasText(element, '/tag'));
}
