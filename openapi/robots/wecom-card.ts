// The members that WeCom requires in a template card.
import { isObject, type Json } from '../json.ts';
import { getAt } from '../json-pointer.ts';
import { hasText, missing, type RobotProblem, wrong } from './robot-problem.ts';

/** The required member of a list entry, or of the card's action, by its `type`. */
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

/** The two lists are optional, and by the document the action of a news card too. */
export function cardProblem(card: Json): RobotProblem | undefined {
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
