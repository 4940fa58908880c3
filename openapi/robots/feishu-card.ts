// The cards of Feishu: of the older form, of schema 2.0, or from a template of the vendor's editor.
import { isObject, type Json } from '../json.ts';
import { getAt } from '../json-pointer.ts';
import { hasText, missing, type RobotProblem, wrong } from './robot-problem.ts';

/** What the elements need is not judged but for their tag; a card that shows nothing at all is no card. */
export function feishuCardProblem(card: unknown): RobotProblem | undefined {
  if (!isObject(card)) return wrong('card', 'card must be an object');
  if (card.type === 'template')
    return hasText(card, '/data/template_id') ? undefined : missing('card.data.template_id');
  if (card.schema === '2.0' && card.elements !== undefined)
    return wrong('card.elements', 'card.elements must stand in card.body, as schema is 2.0');
  const lists = listsOf(card);
  const broken = lists.find(({ elements }) => !isListOfElements(elements));
  if (broken) return wrong(broken.at, `${broken.at} must be a list of objects with a tag`);
  const isFilled = lists.some(({ elements }) => Array.isArray(elements) && elements.length > 0);
  // A title alone is something to show, and no document demands more.
  return isFilled || hasText(card, '/header/title/content') ? undefined : missing(placeOf(card));
}

interface ElementList {
  at: string;
  elements: unknown;
}

/** The lists that a card has: one, or in the older form one for each language. */
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
