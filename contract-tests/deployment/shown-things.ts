// Finds ids and names of resources in answers. An answer may also name templates, jobs or resources of others.
import { formatPointer, getPath, parentOf } from '../../openapi/json-pointer.ts';
import type { Operation, OperationId } from '../../openapi/operations.ts';
import { type Exchange, succeeded } from '../core/exchange.ts';
import { answerLeaves, type JsonLeaf, listsIn } from '../core/json-leaves.ts';
import { exactOf, isSameId } from '../core/parse-json.ts';
import { isPathPart } from '../core/read-values.ts';

export type ResourceKind =
  | 'subscription'
  | 'site'
  | 'content'
  | 'API key'
  | 'form submission'
  | 'comment'
  | 'published version';

/** A resource that a call is about. Sites and keys are identified only by their id. */
export interface Thing {
  what: ResourceKind;
  id: unknown;
  site: unknown;
  tenant: 'main' | 'other';
}

/** The operations that read one resource of a kind, and list all. */
export const readingOf: Partial<Record<ResourceKind, { get?: OperationId; list: OperationId }>> = {
  site: { get: 'getSite', list: 'listSites' },
  content: { get: 'getContent', list: 'listContents' },
  'API key': { list: 'listKeys' },
  subscription: { list: 'listSubscriptions' },
};

/** Member names of the id of the resource that an answer is about. */
const ownNames: Partial<Record<ResourceKind, RegExp>> = {
  site: /^site_?(id|uuid)$/i,
  content: /^(content|article|post|page|item|entry)_?(id|uuid)$/i,
  'API key': /^(api_?)?key_?(id|uuid)$/i,
  subscription: /^(subscription|webhook|hook)_?(id|uuid)$/i,
};
const plainNames = /^_?(id|uid|uuid|guid|pk|oid|identifier|编号|标识)$/i;

export interface Shown {
  what: ResourceKind;
  id: unknown;
  /** Whether a name of the run belongs to it. */
  isOwn: boolean;
  name: string | undefined;
  /** Whether it is in a list; `isOfItem`: as the id of an item, not of something that the item refers to. */
  isList: boolean;
  isOfItem: boolean;
}

/** The resources in the answer to a reading call. `about`: the values of the call. `isMark`: whether a text is a name of the run. */
export function shownIn(
  { id: operation, success: { layout } }: Pick<Operation, 'id' | 'success'>,
  exchange: Exchange,
  { about, isMark }: { about: Readonly<Record<string, unknown>>; isMark: (value: unknown) => boolean },
): Shown[] {
  const kind = kindReadBy(operation);
  if (!kind || !succeeded(exchange)) return [];
  const { what, isList } = kind;
  const json = exactOf(exchange.response);
  if (!isList) {
    const leaves = answerLeaves(json).filter(({ pointer }) => !/\/\d+(\/|$)/.test(pointer));
    const id = about[what === 'site' ? 'siteID' : 'contentID'];
    const identifier = leaves.find(({ name, value }) => isOwnName(what, name) && isSameId(value, id));
    const holder = identifier ? holderOf(identifier.pointer) : '';
    const named = nameOf(leaves, { what, id, holder, stated: layout.values, isMark });
    return [{ what, id, ...named, isList, isOfItem: false }];
  }
  const lists = layout.values.list
    ? [getPath(json, layout.values.list)]
    : listsIn(json).map(({ value }) => value);
  return lists.filter(Array.isArray).flatMap((items: unknown[]) =>
    items.flatMap((item) => {
      const leaves = answerLeaves(item);
      const stated = layout.items.id && formatPointer(layout.items.id);
      const identifier = leaves.find(({ pointer, name }) =>
        stated ? pointer === stated : isOwnName(what, name),
      );
      if (!identifier || !isPathPart(identifier.value)) return [];
      const { value: id, pointer } = identifier;
      const isOfItem =
        pointer === `/${identifier.name}` &&
        (isOwnName(what, identifier.name) ||
          !leaves.some(({ name, pointer }) => pointer === `/${name}` && isOwnName(what, name)));
      const named = nameOf(leaves, { what, id, holder: holderOf(pointer), stated: layout.items, isMark });
      return [{ what, id, ...named, isList, isOfItem }];
    }),
  );
}

/** Member names of names and addresses. */
const namesOf: Partial<Record<ResourceKind, RegExp>> = {
  site: /^((site|project|display)_?)?(name|title)$/i,
  content: /^((content|article|post|page|item|entry|display)_?)?(name|title)$/i,
  'API key': /^((api_?)?key_?|display_?)?(name|title|label)$/i,
  subscription:
    /^((target|callback|endpoint|webhook|hook|receiving)_?)?(url|uri)$|^(target|callback|endpoint|address)$/i,
};

interface Named {
  what: ResourceKind;
  id: unknown;
  /** The pointer to the object with the id. */
  holder: string;
  /** The places of names by the profile. */
  stated: Readonly<Record<string, readonly string[]>>;
  isMark(value: unknown): boolean;
}

/** The name beside an id, and whether the run gave it. A name elsewhere does not count, for example the name of a template's last copy. */
function nameOf(
  leaves: readonly JsonLeaf[],
  { what, id, holder, stated, isMark }: Named,
): Pick<Shown, 'isOwn' | 'name'> {
  const others = leaves
    .filter(({ name, value }) => isOwnName(what, name) && !isSameId(value, id))
    .map(({ pointer }) => holderOf(pointer))
    .filter((other) => other !== holder);
  const near = leaves.filter(
    ({ pointer }) => isWithin(pointer, holder) && !others.some((other) => isWithin(pointer, other)),
  );
  const pointers = [stated.name, stated.title, stated.url].flatMap((path) =>
    path ? [formatPointer(path)] : [],
  );
  const plain = near.filter(({ name }) => namesOf[what]?.test(name));
  const said = near.filter(({ pointer }) => pointers.includes(pointer));
  const depth = Math.min(...[...plain, ...said].map(({ pointer }) => depthOf(pointer)));
  const names = [...said, ...plain].filter(({ pointer }) => depthOf(pointer) === depth);
  const [first] = names.filter(({ value }) => typeof value === 'string');
  const isPlain = (leaf: JsonLeaf) => plain.length === 0 || plain.includes(leaf);
  const isOwn = first
    ? names.some((leaf) => isPlain(leaf) && isMark(leaf.value))
    : near.some(({ value }) => isMark(value));
  return { isOwn, name: first && String(first.value) };
}

function depthOf(pointer: string): number {
  return holderOf(pointer).split('/').length;
}

function isOwnName(what: ResourceKind, name: string): boolean {
  return plainNames.test(name) || (ownNames[what]?.test(name) ?? false);
}

function kindReadBy(operation: OperationId): { what: ResourceKind; isList: boolean } | undefined {
  for (const [what, { get, list }] of Object.entries(readingOf))
    if (get === operation || list === operation)
      return { what: what as ResourceKind, isList: list === operation };
  return undefined;
}

/** Members that only group the members of one resource, as in JSON:API. */
const groups = /\/(identity|identifiers?|attributes|attrs|meta|metadata|properties|props|fields)$/i;

/** The object with a member, directly or in such a group. */
function holderOf(pointer: string): string {
  const parent = parentOf(pointer);
  return groups.test(parent) ? parentOf(parent) : parent;
}

function isWithin(pointer: string, holder: string): boolean {
  return holderOf(pointer) === holder || pointer.startsWith(`${holder}/`);
}

/**
 * The place of an id in the answer to a creation. `beside`: next to the sent name, in a member that contains ids. `elsewhere`: that name has another
 * id beside it. `untold`: neither, or the status is 202, because its ids may belong to jobs.
 */
export function placeOf(
  { response }: Pick<Exchange, 'response'>,
  { what, id, isMark }: { what: ResourceKind; id: unknown; isMark: (value: unknown) => boolean },
): 'beside' | 'elsewhere' | 'untold' {
  const leaves = response.status === 202 ? [] : answerLeaves(exactOf(response));
  const identifiers = leaves.filter(({ name, value }) => isOwnName(what, name) && isPathPart(value));
  const holders = leaves.filter(({ value }) => isMark(value)).map(({ pointer }) => holderOf(pointer));
  const nearest = holders.map((holder) => nearestTo(holder, identifiers));
  if (nearest.some((near) => near.some(({ value }) => isSameId(value, id)))) return 'beside';
  const isAround = leaves.some(
    ({ value, pointer }) =>
      isSameId(value, id) && holders.some((holder) => `${holder}/`.startsWith(`${parentOf(pointer)}/`)),
  );
  return !isAround && nearest.some((near) => near.length > 0) ? 'elsewhere' : 'untold';
}

/** The leaves in an object, otherwise in the nearest object around it. */
function nearestTo(holder: string, leaves: readonly JsonLeaf[]): readonly JsonLeaf[] {
  const here = leaves.filter(({ pointer }) => holderOf(pointer) === holder);
  return here.length > 0 || holder === '' ? here : nearestTo(parentOf(holder), leaves);
}
