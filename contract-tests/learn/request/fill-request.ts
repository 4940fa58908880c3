// What a call sends: the placeholders of its gap in path, query and body, and what else is required.
import { parsePointer, setPath } from '../../../openapi/json-pointer.ts';
import { isIdentifier, resourceOfName } from '../answer/find-identifier.ts';
import { type DescribedOperation, type Field, nameOf } from '../described-operation.ts';
import { isClearConstant } from '../doubts/clear-constant.ts';
import type { Failing } from '../doubts/find-failing.ts';
import { isTrial } from '../doubts/find-trial.ts';
import type { WantedOperation } from '../wanted-operations.ts';
import { findByName, findNamed, isResourceName } from '../words/find-named.ts';
import { namesOfPlaceholders } from '../words/names-of-values.ts';
import { readText } from '../words/read-name.ts';
import type { Resource } from '../words/vocabulary.ts';
import { fillPath, identifiers } from './fill-path.ts';
import { requiredValue, seenValue } from './required-value.ts';

export interface Request {
  path: string;
  query: Record<string, string | number | boolean>;
  body: Record<string, unknown> | undefined;
  /** The placeholders that have a place. */
  filled: readonly string[];
  /** Why the call can't be made, or not for sure. */
  problems: readonly string[];
}

interface Filling {
  operation: DescribedOperation;
  wanted: WantedOperation;
  /** By place ("body /site/id"), the placeholder or constant. */
  places: Map<string, { field: Field; value: unknown }>;
  filled: Set<string>;
  problems: string[];
}

/** The request of a gap by an operation. `failing`: what makes it fail. */
export function fillRequest(
  operation: DescribedOperation,
  wanted: WantedOperation,
  failing?: Failing,
): Request {
  const filling: Filling = { operation, wanted, places: new Map(), filled: new Set(), problems: [] };
  const path = fillPath(filling);
  for (const name of wanted.gap.placeholders ?? []) if (identifiers[name]) placeIdentifier(name, filling);
  for (const name of wanted.gap.placeholders ?? []) if (!filling.filled.has(name)) placeNamed(name, filling);
  placePages(filling);
  if (failing) placeFailing(failing, filling);
  placeRequired(filling);
  noteUnstated(filling);
  noteMissing(filling);
  return {
    path,
    query: queryOf(filling),
    body: bodyOf(filling),
    filled: [...filling.filled],
    problems: filling.problems,
  };
}

const scalars = ['string', 'integer', 'number'];

function placeIdentifier(name: string, filling: Filling): undefined {
  const { wanted, filled } = filling;
  const resource = identifiers[name];
  if (!resource || filled.has(name)) return;
  const isAboutIt = (field: Field) =>
    [nameOf(field), field.texts[0] ?? ''].some((one) => resourceOfName(one) === resource);
  const explicit = (field: Field) => isIdentifier(field, resource) && isAboutIt(field);
  const others = (wanted.gap.placeholders ?? []).filter((one) => one !== name);
  const isOther = (field: Field) =>
    others.some((one) => findByName([field], namesOfPlaceholders[one] ?? []).length > 0);
  const alone = (field: Field) =>
    resourceOfName(nameOf(field)) === resource &&
    isScalar(field) &&
    !isOther(field) &&
    !/(name|title|url|mingcheng|名称)$/i.test(nameOf(field));
  const plain = (field: Field) => wanted.resource === resource && isIdentifier(field, resource);
  for (const fits of [explicit, plain, alone])
    for (const place of ['query', 'body'] as const) {
      const field = freeFields(place, filling).find(fits);
      if (field) return put(name, { place, field }, filling);
    }
  const list = freeFields('body', filling).find((field) => resourceOfList(field, filling) === resource);
  if (!list) return;
  filling.places.set(`body ${list.pointer}`, { field: list, value: [`{${name}}`] });
  filled.add(name);
}

/** What a list such as "ids" or "siteIds" has the identifiers of. */
function resourceOfList(field: Field, { operation, wanted }: Filling): Resource | undefined {
  const name = nameOf(field);
  const items = operation.body?.find(({ pointer }) => pointer === `${field.pointer}/*`);
  if (!field.types.includes('array') || !/ids$/i.test(name) || (items && !isScalar(items))) return undefined;
  return resourceOfName(name) ?? (/^ids$/i.test(name) ? wanted.resource : undefined);
}

function isScalar({ types }: Field): boolean {
  return types.length === 0 || types.some((type) => scalars.includes(type));
}

type Where = 'query' | 'body';

interface Place {
  place: Where;
  field: Field;
}

function put(name: string, { place, field }: Place, { places, filled }: Filling): undefined {
  places.set(`${place} ${field.pointer}`, { field, value: `{${name}}` });
  filled.add(name);
}

function freeFields(place: Where, { operation, places }: Filling): Field[] {
  const fields = place === 'query' ? operation.query : (operation.body ?? []);
  return fields.filter(
    ({ pointer }) =>
      pointer !== '' &&
      !pointer.includes('/*') &&
      ![...places.keys()].some(
        (key) => `${key}/`.startsWith(`${place} ${pointer}/`) || `${place} ${pointer}/`.startsWith(`${key}/`),
      ),
  );
}

function placeNamed(name: string, filling: Filling): undefined {
  const names = namesOfPlaceholders[name];
  if (!names || (identifiers[name] && name !== 'form')) return;
  const isObject = name === 'fields';
  for (const place of ['body', 'query'] as const) {
    const fitting = freeFields(place, filling).filter(
      ({ types, texts }) =>
        (types.length === 0 || types.includes(isObject ? 'object' : 'string')) && !texts.some(isResourceName),
    );
    const [best] = preferRequired(findNamed(fitting, names));
    if (!best) continue;
    const field = isObject ? freeObject(best.field, fitting, filling) : best.field;
    return put(name, { place, field }, filling);
  }
}

/** An object with members of its own wraps what is meant, which is one of them. Members in recorded calls are what people called their fields. */
function freeObject(named: Field, objects: readonly Field[], { operation, problems }: Filling): Field {
  const isFree = ({ pointer }: Field) =>
    !(operation.body ?? []).some((one) => one.pointer.startsWith(`${pointer}/`));
  if (operation.seen || isFree(named)) return named;
  const inside = objects.filter((one) => one.pointer.startsWith(`${named.pointer}/`) && isFree(one));
  const [best] = preferRequired(findByName(inside, namesOfPlaceholders.fields ?? []));
  if (!best)
    problems.push(
      `${named.pointer} in its request has members of its own, and whether {fields} takes their place is not said`,
    );
  return best?.field ?? named;
}

/** What is required has to be filled by something. */
function preferRequired<T extends { field: Field }>(named: readonly T[]): T[] {
  return [
    ...named.filter(({ field }) => field.isRequired),
    ...named.filter(({ field }) => !field.isRequired),
  ];
}

/** By page, by offset or by cursor: one way, in the query or in the body. */
function placePages(filling: Filling): void {
  const { query: names = [] } = filling.wanted.gap;
  for (const find of [findByName, findNamed])
    for (const [start, size] of waysOfPaging)
      for (const place of ['query', 'body'] as const) {
        if (!names.includes(start) || !putPaging(start, { place, find }, filling)) continue;
        putPaging(size, { place, find }, filling);
        return;
      }
  if (filling.operation.seen) placeSize(filling);
}

/** Nobody who sees all in one page asks for the next one. */
function placeSize(filling: Filling): undefined {
  const names = (filling.wanted.gap.query ?? []).filter((name) => name === 'limit' || name === 'page_size');
  for (const place of ['query', 'body'] as const) {
    const fields = freeFields(place, filling).filter(isScalar);
    const found = names.flatMap((name) =>
      findByName(fields, namesOfPlaceholders[name] ?? []).map((named) => ({ name, ...named })),
    );
    const [best] = found.sort((one, other) => one.rank - other.rank);
    if (best) return put(best.name, { place, field: best.field }, filling);
  }
}

const waysOfPaging = [
  ['page', 'page_size'],
  ['offset', 'limit'],
  ['cursor', 'limit'],
] as const;

interface Search {
  place: Where;
  find: typeof findNamed;
}

function putPaging(name: string, { place, find }: Search, filling: Filling): boolean {
  const bears = (field: Field, one: string) => findByName([field], namesOfPlaceholders[one] ?? []).length > 0;
  // "How many items to return per page" is said of no page.
  const isOther = (field: Field) =>
    !bears(field, name) && waysOfPaging.flat().some((one) => bears(field, one));
  const fields = freeFields(place, filling).filter((field) => isScalar(field) && !isOther(field));
  const [best] = find(fields, namesOfPlaceholders[name] ?? []);
  if (best) put(name, { place, field: best.field }, filling);
  return best !== undefined;
}

function placeFailing({ place, pointer, value }: Failing, filling: Filling): void {
  const { operation, wanted, places, problems } = filling;
  const field = (place === 'query' ? operation.query : operation.body)?.find(
    (one) => one.pointer === pointer,
  );
  if (!field) return;
  if (wanted.fails) {
    places.set(`${place} ${pointer}`, { field, value: value ?? field.allowed?.[0] });
    if (value === undefined) problems.push(`which value of ${pointer} makes it fail is not said`);
    return;
  }
  const others = field.types.includes('boolean')
    ? [false]
    : (field.allowed ?? []).filter((one) => one !== value);
  // What has to be there, and must not let it fail.
  if (field.isRequired && value !== undefined && others.length === 1)
    places.set(`${place} ${pointer}`, { field, value: others[0] });
}

/** What nothing else fills: what the description says of it. */
function placeRequired(filling: Filling): void {
  for (const place of ['query', 'body'] as const)
    for (const field of freeFields(place, filling)) {
      if (!isNeeded(field, filling) || hasRequiredParts(field, filling)) continue;
      const constant = constantOf(field, filling);
      if (constant) {
        filling.places.set(`${place} ${field.pointer}`, { field, value: constant.value });
        const isClear =
          !filling.operation.seen ||
          isClearConstant({ field, value: constant.value, verb: filling.wanted.verb, place });
        if (constant.doubt) filling.problems.push(constant.doubt);
        else if (!isClear)
          filling.problems.push(`what ${field.pointer} in its ${place} means, which was sent, is not known`);
      } else filling.problems.push(`nothing is known for ${field.pointer}, which its ${place} requires`);
    }
}

/** A member of a form, by its maker's name, is none. */
function constantOf(field: Field, { operation: { body = [], seen } }: Filling) {
  const hasParts = body.some(({ pointer }) => pointer.startsWith(`${field.pointer}/`));
  return seen && !field.allowed ? seenValue(field, hasParts) : requiredValue(field, hasParts);
}

/** A field with one possible value is there to be sent; one that makes a call fail is not. */
function isNeeded(field: Field, { operation, wanted }: Filling): boolean {
  const { isRequired, allowed } = field;
  const { fails } = readText(nameOf(field));
  const isSent = allowed?.length === 1 && operation.method !== 'GET' && !fails;
  return isRequired || (isSent && !isTrial(field, allowed[0], wanted.verb));
}

function hasRequiredParts({ pointer }: Field, { operation }: Filling): boolean {
  return (operation.body ?? []).some(
    (one) => one.isRequired && one.pointer.startsWith(`${pointer}/`) && !one.pointer.includes('/*'),
  );
}

/** What recorded calls sent beside what a profile can state, or together only. */
function noteUnstated({ operation: { seen }, places, problems }: Filling): void {
  if (!seen) return;
  if (seen.bodyType === 'form') problems.push('its body was a form, and that of a profile is JSON');
  if (seen.bodyType === 'other') problems.push('its body was no JSON');
  for (const name of seen.headers)
    problems.push(`its calls carried the header ${name}, which others did not`);
  // Elsewhere than in its last part, "body /options/fail" may be stated as a whole.
  const isStated = (extra: string) => [...places.keys()].some((place) => `${extra}/`.startsWith(`${place}/`));
  const isNeverAlone = seen.extras.length > 0 && seen.extras.every((all) => !all.every(isStated));
  if (isNeverAlone)
    problems.push(
      'each of its calls sent more than is stated here, and whether it may be left out is not known',
    );
}

function noteMissing({ operation, wanted, filled, problems }: Filling): void {
  if (operation.seen?.isCut)
    problems.push('it sends more, which is left out since its name might tell something');
  else if (operation.body?.[0]?.isCut) problems.push('its body is so large that only a part of it was read');
  for (const needed of wanted.needs)
    if (!needed.some((name) => filled.has(name)))
      problems.push(`nothing in its request looks like {${needed.join('} or {')}}`);
}

function queryOf({ places }: Filling): Record<string, string | number | boolean> {
  const entries = [...places]
    .filter(([key]) => key.startsWith('query '))
    .map(([, { field, value }]) => [parsePointer(field.pointer)[0] ?? '', value] as const);
  return Object.fromEntries(
    entries.map(([name, value]) => [
      name,
      typeof value === 'number' || typeof value === 'boolean' ? value : String(value),
    ]),
  );
}

function bodyOf({ operation, places }: Filling): Record<string, unknown> | undefined {
  const parts = [...places].filter(([key]) => key.startsWith('body '));
  // Nothing of it is needed, but there may have to be one.
  const takesObject = operation.body?.[0]?.types.includes('object') && /^P/.test(operation.method);
  if (parts.length === 0) return takesObject ? {} : undefined;
  const body: Record<string, unknown> = {};
  const order = operation.body?.map(({ pointer }) => pointer) ?? [];
  parts.sort(([, one], [, other]) => order.indexOf(one.field.pointer) - order.indexOf(other.field.pointer));
  for (const [, { field, value }] of parts) setPath(body, parsePointer(field.pointer), value);
  return body;
}
