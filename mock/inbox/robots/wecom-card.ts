// What WeCom wants of a template card.
import { getAt } from '../../../openapi/json-pointer.ts';
import { hasText, isObject } from './robot-call.ts';

/** The member that an entry of a list, or the card's own action, must have by its `type`. */
type Needs = ReadonlyMap<unknown, string>;

const plainEntry = [
  [undefined, ''],
  [0, ''],
] as const;
const actionNeeds: Needs = new Map([
  [1, 'url'],
  [2, 'appid'],
]);

const lists: readonly { name: string; most: number; needs: Needs }[] = [
  {
    name: 'horizontal_content_list',
    most: 6,
    needs: new Map<unknown, string>([...plainEntry, [1, 'url'], [2, 'media_id'], [3, 'userid']]),
  },
  { name: 'jump_list', most: 3, needs: new Map<unknown, string>([...plainEntry, ...actionNeeds]) },
];

/** The two lists may be left out, and by the document the action of a card with news too. */
export function cardProblem(card: object): string | undefined {
  const type = getAt(card, '/card_type');
  if (type !== 'text_notice' && type !== 'news_notice') return 'template_card.card_type is invalid';
  if (!hasText(card, '/main_title/title') && !hasText(card, '/sub_title_text'))
    return 'template_card has neither main_title.title nor sub_title_text';
  const action = getAt(card, '/card_action');
  if (type === 'text_notice' && action === undefined) return 'missing field `body.template_card.card_action`';
  if (action !== undefined && !hasNeeded(action, actionNeeds)) return 'template_card.card_action is invalid';
  return lists.map((list) => listProblem(card, list)).find(Boolean);
}

function listProblem(card: object, { name, most, needs }: (typeof lists)[number]): string | undefined {
  const entries = getAt(card, `/${name}`) ?? [];
  if (!Array.isArray(entries)) return `template_card.${name} is invalid`;
  if (entries.length > most) return `template_card.${name} exceed max length ${most}`;
  return entries.every((entry) => hasNeeded(entry, needs)) ? undefined : `template_card.${name} is invalid`;
}

function hasNeeded(entry: unknown, needs: Needs): boolean {
  const needed = needs.get(getAt(entry, '/type'));
  return isObject(entry) && needed !== undefined && (needed === '' || hasText(entry, `/${needed}`));
}
