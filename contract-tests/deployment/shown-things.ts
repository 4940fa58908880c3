// What answers show of things: whose name stands with an identifier. An answer may name a template, a job, or what somebody else has.
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

/** Something that a call is about. Sites and keys are known by their identifier alone. */
export interface Thing {
  what: ResourceKind;
  id: unknown;
  site: unknown;
  tenant: 'main' | 'other';
}

/** How a kind is read: one by its identifier, and all of them. */
export const readingOf: Partial<Record<ResourceKind, { get?: OperationId; list: OperationId }>> = {
  site: { get: 'getSite', list: 'listSites' },
  content: { get: 'getContent', list: 'listContents' },
  'API key': { list: 'listKeys' },
  subscription: { list: 'listSubscriptions' },
};

/** Names under which an answer has the identifier of what it is about. */
const ownNames: Partial<Record<ResourceKind, RegExp>> = {
  site: /^site_?(id|uuid)$/i,
  content: /^(content|article|post|page|item|entry)_?(id|uuid)$/i,
  'API key': /^(api_?)?key_?(id|uuid)$/i,
  subscription: /^(subscription|webhook|hook)_?(id|uuid)$/i,
};
const plainNames = /^_?(id|uid|uuid|guid|pk|oid|identifier|编号|标识)$/i;

/** What an answer shows of one thing. */
export interface Shown {
  what: ResourceKind;
  id: unknown;
  /** Whether the run's name stands with it. */
  isOwn: boolean;
  /** What stands there as its name. */
  name: string | undefined;
  /** Whether it stands in a list, and there as the identifier of an item, not of something that the item names. */
  isList: boolean;
  isOfItem: boolean;
}

/** What an answer to a reading call shows. `about`: what the call names. `isMark`: whether a text is a name that the run gave. */
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

/** Members that hold the name, or the address, of what has them. */
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
  /** The pointer to what has the identifier. */
  holder: string;
  /** Where the profile says that names are. */
  stated: Readonly<Record<string, readonly string[]>>;
  isMark(value: unknown): boolean;
}

/** The name that stands with an identifier, and whether it is the run's. What names the run elsewhere, such as the last copy of a template, is not the run's. */
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

/** Whether an answer has the identifier of what it is about under such a name. */
function isOwnName(what: ResourceKind, name: string): boolean {
  return plainNames.test(name) || (ownNames[what]?.test(name) ?? false);
}

function kindReadBy(operation: OperationId): { what: ResourceKind; isList: boolean } | undefined {
  for (const [what, { get, list }] of Object.entries(readingOf))
    if (get === operation || list === operation)
      return { what: what as ResourceKind, isList: list === operation };
  return undefined;
}

/** Members that only group what is known of one thing, as in JSON:API. */
const groups = /\/(identity|identifiers?|attributes|attrs|meta|metadata|properties|props|fields)$/i;

/** What has a member, directly or in such a group. */
function holderOf(pointer: string): string {
  const parent = parentOf(pointer);
  return groups.test(parent) ? parentOf(parent) : parent;
}

function isWithin(pointer: string, holder: string): boolean {
  return holderOf(pointer) === holder || pointer.startsWith(`${holder}/`);
}

/**
 * Where the answer to a creation has an identifier: beside the name that was sent, under a name that identifiers have; elsewhere, apart from what holds that
 * name and another identifier; or neither. What has only begun may name a job, whatever it calls that.
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

/** Those in a holder, or else in what holds that. */
function nearestTo(holder: string, leaves: readonly JsonLeaf[]): readonly JsonLeaf[] {
  const here = leaves.filter(({ pointer }) => holderOf(pointer) === holder);
  return here.length > 0 || holder === '' ? here : nearestTo(parentOf(holder), leaves);
}
