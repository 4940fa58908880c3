// Which fields hold the identifier of what.
import { parsePointer } from '../../../openapi/json-pointer.ts';
import type { DescribedOperation, Field } from '../described-operation.ts';
import { type Resource, resources, verbs } from '../words/vocabulary.ts';
import { wordsOf } from '../words/words.ts';

/** What a name such as "siteId", "hook_id" or "form" is the identifier of; "id" alone says nothing. */
export function resourceOfName(name: string): Resource | undefined {
  const concepts = wordsOf(name).flatMap(({ concept }) => concept ?? []);
  if (concepts.includes('submission') || (concepts.includes('form') && concepts.includes('content')))
    return 'submission';
  if (concepts.includes('delivery')) return 'delivery';
  return resources.find((one) => one !== 'key' && concepts.includes(one)) ?? keyOr(concepts);
}

function keyOr(concepts: readonly string[]): Resource | undefined {
  return concepts.includes('key') || concepts.includes('token') ? 'key' : undefined;
}

/** How well a field seems to be the identifier of a resource: 0 is best; undefined where it does not. */
export function rankIdentifier({ pointer, texts }: Field, resource: Resource): number | undefined {
  const segments = parsePointer(pointer);
  const last = segments.at(-1) ?? '';
  const words = wordsOf(last);
  const hasId = words.some(({ concept }) => concept === 'id');
  const about = resourceOfName(last);
  if (about !== undefined)
    return hasId && about === resource && !saysMore(last) && !isKept(texts) ? 0 : undefined;
  if (words.length === 1 && plainNames.test(last)) {
    const inside = segments.slice(0, -1).findLast((segment) => segment !== '*') ?? '';
    if (isOfAnother(inside) || (texts[0] !== undefined && describesAnother(texts[0], resource)))
      return undefined;
    const holder = segments.slice(0, -1).some((segment) => resourceOfName(segment) === resource);
    return (/^id$/i.test(last) ? 1 : 2) - (holder ? 0.5 : 0) + segments.length / 100;
  }
  return hasId ? undefined : rankDescribed(texts[0] ?? '', resource);
}

/** Whether a name says that it is about something else than what a resource is: an owner, a job, a parent. */
export function isOfAnother(name: string): boolean {
  return wordsOf(name).some(
    ({ concept, text }) => concept === 'other' || concept === 'container' || strangers.has(text),
  );
}

/** Whether the name of an identifier says more than what it is of: "keepSiteId" is of a site that is not meant. */
export function saysMore(name: string): boolean {
  return wordsOf(name).some(
    ({ concept, text }) =>
      isOfAnother(text) ||
      ((concept === undefined || verbs.some((verb) => verb === concept)) && !generic.test(text)),
  );
}

const generic =
  /^(ref|reference|uuid|guid|hash|hashid|hid|nid|sid|zid|str|string|num|int|key|the|my|hao|[a-z]|\d+)$/;

/** "The site to keep; all others are deleted." */
function isKept([text = '']: readonly string[]): boolean {
  return /\b(keep|kept|except|other(s|wise)?|exclud|ignore|spare)|保留|除外|之外/i.test(text.slice(0, 120));
}

const strangers = new Set(
  'user owner author creator editor parent tenant zuhu customer client organization organisation org company group type kind event operator operation request response trace transaction thread session connection language lang locale year month date prefix'.split(
    ' ',
  ),
);

/** "ID of the job": an identifier, and of something else. */
function describesAnother(text: string, resource: Resource): boolean {
  const words = wordsOf(text.slice(0, 60));
  const [last] = words.slice(-1);
  const about = resourceOfName(text.slice(0, 60));
  const isId = words.some(({ concept }) => concept === 'id');
  return (
    isId && about !== resource && (about !== undefined || (last !== undefined && isOfAnother(last.text)))
  );
}

const plainNames = /^_?(id|uid|uuid|pk|oid|sid|identifier|编号|标识)$/i;

/** By what people say of it: "ID of the site", "站点ID", "Identifier". */
function rankDescribed(text: string, resource: Resource): number | undefined {
  const words = wordsOf(text.slice(0, 60));
  if (!words.some(({ concept, text: word }) => concept === 'id' && plainNames.test(word))) return undefined;
  const about = resourceOfName(text.slice(0, 60));
  if (about === undefined) return words.length < 4 ? 4 : undefined;
  return about === resource ? 3 : undefined;
}

/** Whether the query or body holds the identifier of the resource itself. */
export function ownIdIn(
  { query, body = [] }: DescribedOperation,
  resource: Resource | undefined,
): 'required' | 'optional' | undefined {
  if (!resource) return undefined;
  const own = [...query, ...body].filter((field) => isIdentifier(field, resource));
  if (own.length === 0) return undefined;
  return own.some(({ isRequired }) => isRequired) ? 'required' : 'optional';
}

export function isIdentifier(field: Field, resource: Resource): boolean {
  const { pointer, types } = field;
  const rank = rankIdentifier(field, resource);
  const isScalar = types.length === 0 || types.some((type) => ['string', 'integer', 'number'].includes(type));
  return rank !== undefined && isScalar && !pointer.includes('/*');
}
