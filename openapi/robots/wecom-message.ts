// The rules of WeCom's (企业微信) group robot: https://developer.work.weixin.qq.com/document/path/91770
import { createHash } from 'node:crypto';
import { isObject, type Json } from '../json.ts';
import { getAt } from '../json-pointer.ts';
import {
  hasText,
  missing,
  missingInEntries,
  missingText,
  type Reading,
  type RobotProblem,
  tooLong,
  unknownType,
  wrong,
} from './robot-problem.ts';

/** The most bytes of `content`, by WeCom's document. */
export const wecomContentBytes = { text: 2_048, markdown: 4_096, markdown_v2: 4_096 } as const;

/** The document allows 2048 bytes of text, but the robot accepts 5120, as observed: "text.content exceed max length 5120". */
const observedWecomTextBytes = 5_120;

/** The limit applies to an image before base64. */
const wecomImageBytes = 2 * 1_024 * 1_024;

type Rule = (content: Json, reading: Reading) => RobotProblem | undefined;

const rules = new Map<unknown, Rule>([
  ['text', contentRule('text')],
  ['markdown', contentRule('markdown')],
  ['markdown_v2', contentRule('markdown_v2')],
  ['image', imageProblem],
  ['news', newsProblem],
  ['file', (content) => missingText('file', content, ['media_id'])],
  ['voice', (content) => missingText('voice', content, ['media_id'])],
  ['template_card', cardProblem],
]);

export function wecomProblem(message: Json, reading: Reading): RobotProblem | undefined {
  const type = getAt(message, '/msgtype');
  const rule = rules.get(type);
  if (!rule) return unknownType('msgtype', rules);
  const content = getAt(message, `/${String(type)}`);
  const isFilled = isObject(content) && Object.keys(content).length > 0;
  return isFilled ? rule(content, reading) : empty(String(type));
}

function contentRule(type: keyof typeof wecomContentBytes): Rule {
  return (content, reading) => {
    if (!hasText(content, '/content')) return empty(`${type}.content`);
    const isObservedText = type === 'text' && reading === 'observed';
    const most = isObservedText ? observedWecomTextBytes : wecomContentBytes[type];
    return tooLong(`${type}.content`, Buffer.byteLength(String(content.content)), most);
  };
}

function empty(at: string): RobotProblem {
  return { ...missing(at), kind: 'empty' };
}

function imageProblem(image: Json): RobotProblem | undefined {
  const lacking = missingText('image', image, ['base64', 'md5']);
  if (lacking) return lacking;
  const base64 = String(image.base64);
  if (base64.length % 4 !== 0 || !/^[A-Za-z\d+/]+={0,2}$/.test(base64))
    return wrong('image.base64', 'image.base64 is not base64');
  const bytes = Buffer.from(base64, 'base64');
  const large = tooLong('image.base64', bytes.length, wecomImageBytes);
  if (large) return large;
  if (!/^(ffd8ff|89504e47)/.test(bytes.subarray(0, 4).toString('hex')))
    return wrong('image.base64', 'image is neither JPG nor PNG');
  // The document leaves the case of the hex open.
  const isMatch = String(image.md5).toLowerCase() === createHash('md5').update(bytes).digest('hex');
  return isMatch ? undefined : wrong('image.md5', 'image.md5 does not match');
}

/** Long titles and descriptions are no problem, because the robot cuts them. */
function newsProblem({ articles }: Json): RobotProblem | undefined {
  if (!Array.isArray(articles)) return missing('news.articles');
  if (articles.length < 1 || articles.length > 8)
    return wrong('news.articles', 'news.articles must be 1 to 8');
  return missingInEntries('news.articles', articles, ['title', 'url']);
}

/** The required member by `type` of a list entry or of the card's action; "" requires none. */
type RequiredMembers = ReadonlyMap<unknown, string>;

const plainEntry = [
  [undefined, ''],
  [0, ''],
] as const;
const actionMembers: RequiredMembers = new Map([
  [1, 'url'],
  [2, 'appid'],
]);

const lists: readonly { name: string; limit: number; members: RequiredMembers }[] = [
  {
    name: 'horizontal_content_list',
    limit: 6,
    members: new Map<unknown, string>([...plainEntry, [1, 'url'], [2, 'media_id'], [3, 'userid']]),
  },
  { name: 'jump_list', limit: 3, members: new Map<unknown, string>([...plainEntry, ...actionMembers]) },
];

/** Both lists are optional; by the document, the action of a news card is optional too. */
function cardProblem(card: Json): RobotProblem | undefined {
  const type = card.card_type;
  if (type !== 'text_notice' && type !== 'news_notice') return invalid('card_type');
  if (!hasText(card, '/main_title/title') && !hasText(card, '/sub_title_text'))
    return wrong('template_card', 'template_card has neither main_title.title nor sub_title_text');
  const action = card.card_action;
  if (type === 'text_notice' && action === undefined) return missing('template_card.card_action');
  if (action !== undefined && !hasRequired(action, actionMembers)) return invalid('card_action');
  return lists.map((list) => listProblem(card, list)).find(Boolean);
}

function listProblem(card: Json, { name, limit, members }: (typeof lists)[number]): RobotProblem | undefined {
  const entries = getAt(card, `/${name}`) ?? [];
  if (!Array.isArray(entries)) return invalid(name);
  if (entries.length > limit)
    return wrong(`template_card.${name}`, `template_card.${name} exceed max length ${limit}`);
  return entries.every((entry) => hasRequired(entry, members)) ? undefined : invalid(name);
}

function invalid(member: string): RobotProblem {
  return wrong(`template_card.${member}`, `template_card.${member} is invalid`);
}

function hasRequired(entry: unknown, members: RequiredMembers): boolean {
  const required = members.get(getAt(entry, '/type'));
  return isObject(entry) && required !== undefined && (required === '' || hasText(entry, `/${required}`));
}
