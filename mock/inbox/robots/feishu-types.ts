// The members that Feishu requires by type of message. Those of the nodes of a post and the elements of a card are guesses.
import { isObject } from '../../../openapi/json.ts';
import { getAt } from '../../../openapi/json-pointer.ts';
import { hasText, memberWithoutText } from './robot-call.ts';

const rules = new Map<unknown, (content: unknown) => boolean>([
  ['text', (content) => hasText(content, '/text')],
  ['post', (content) => isPost(getAt(content, '/post'))],
  ['image', (content) => hasText(content, '/image_key')],
  ['share_chat', (content) => hasText(content, '/share_chat_id')],
]);

/** What is wrong with a message, in the robot's wording. */
export function contentProblem(type: unknown, message: object): string | undefined {
  if (type === 'interactive') return isCard(getAt(message, '/card')) ? undefined : 'unknown card value';
  const rule = rules.get(type);
  if (!rule) return 'msg_type need';
  return rule(getAt(message, '/content')) ? undefined : 'unknown content value';
}

/** In one of the two languages, or both. */
function isPost(post: unknown): boolean {
  const versions = [getAt(post, '/zh_cn'), getAt(post, '/en_us')].filter((version) => version !== undefined);
  return versions.length > 0 && versions.every((version) => isParagraphs(getAt(version, '/content')));
}

function isParagraphs(paragraphs: unknown): boolean {
  return (
    Array.isArray(paragraphs) &&
    paragraphs.length > 0 &&
    paragraphs.every((paragraph) => Array.isArray(paragraph) && paragraph.every(isNode))
  );
}

const nodeMembers = new Map<unknown, readonly string[]>([
  ['a', ['text', 'href']],
  ['at', ['user_id']],
  ['img', ['image_key']],
]);
const textMembers = ['tag', 'text', 'un_escape'];

function isNode(node: unknown): boolean {
  if (getAt(node, '/tag') === 'text') return isTextNode(node);
  const members = nodeMembers.get(getAt(node, '/tag'));
  return members !== undefined && memberWithoutText(node, members) === undefined;
}

/** Its text may be empty, and other members are not allowed: a `style` was observed to be refused. */
function isTextNode(node: unknown): boolean {
  return (
    isObject(node) &&
    typeof getAt(node, '/text') === 'string' &&
    Object.keys(node).every((member) => textMembers.includes(member))
  );
}

/** A card of the older form, of schema 2.0, or from a template of the vendor's editor. */
function isCard(card: unknown): boolean {
  if (getAt(card, '/type') === 'template') return hasText(card, '/data/template_id');
  const elements = getAt(card, getAt(card, '/schema') === '2.0' ? '/body/elements' : '/elements');
  return (
    Array.isArray(elements) && elements.length > 0 && elements.every((element) => hasText(element, '/tag'))
  );
}
