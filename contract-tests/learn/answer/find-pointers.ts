// Where in the answer of an operation the values are that its gap reads.

import { parentOf, parsePointer } from '../../../openapi/json-pointer.ts';
import {
  type DescribedAnswer,
  type Field,
  type Link,
  nameOf,
  type SeenInCalls,
} from '../described-operation.ts';
import type { Understanding } from '../understand-operation.ts';
import type { WantedOperation } from '../wanted-operations.ts';
import { findByName, findNamed, isResourceName } from '../words/find-named.ts';
import { namesOfReads } from '../words/names-of-values.ts';
import { readPath } from '../words/read-name.ts';
import type { Resource } from '../words/vocabulary.ts';
import { wordsOf } from '../words/words.ts';
import { isOfAnother, rankIdentifier, resourceOfName } from './find-identifier.ts';
import { findVersion } from './find-version.ts';

export interface Answer {
  status: number | undefined;
  /** Whether it is one of several successes that are described alike. */
  isOneOfSeveral: boolean;
  pointers: Record<string, string>;
  /** Reads that checks need and that were not found, each with a reason. */
  missing: { read: string; reason: string }[];
}

export function findPointers(known: Understanding, wanted: WantedOperation): Answer {
  const answer = chooseAnswer(known, wanted);
  const { answers, seen } = known.operation;
  const isSeen = seen !== undefined;
  const isOneOfSeveral = (answers.some(isTelling) ? answers.filter(isTelling) : answers).length > 1;
  const body = answer?.body ?? [];
  const pointers = pointersIn(body, wanted, seen);
  if (isOfImport(known, pointers.id, body)) delete pointers.id;
  // A description may not say what there is; what was seen and is not there is missing.
  const isSilent = !isSeen && body.every(({ pointer }) => isEnvelope(pointer));
  const missing = isSilent ? [] : wanted.reads.filter((read) => pointers[read] === undefined);
  return {
    status: answer?.status,
    isOneOfSeveral,
    pointers,
    missing: missing.map((read) => ({ read, reason: sayMissing(read, body, { wanted, isSeen }) })),
  };
}

/** Of several successes, one that says what it holds; generators add 201 to all of them. */
function chooseAnswer(
  { operation: { answers }, variant }: Understanding,
  { verb }: WantedOperation,
): DescribedAnswer | undefined {
  const telling = answers.filter(isTelling);
  const creates = verb === 'create' || verb === 'import';
  const likely = variant && telling.length === 0 ? answers : telling;
  return (creates ? likely.find(({ status }) => status === 201) : undefined) ?? telling[0] ?? answers[0];
}

function isTelling({ body }: DescribedAnswer): boolean {
  return body !== undefined && body.length > 1;
}

/** Some answer with the identifier of the import itself, as its state shows; the site is named beside it, or later. */
function isOfImport(
  { path, operation }: Understanding,
  id: string | undefined,
  body: readonly Field[],
): boolean {
  const isUsed = (operation.seen?.links ?? []).some(
    ({ pointer, usedBy }) => pointer === id && /import[^/]*\/\{[^/]*$/i.test(usedBy.path),
  );
  if (isUsed) return true;
  const isCollection = path.verbs.includes('import') && /imports\/?$/i.test(operation.path);
  if (!isCollection || id === undefined || resourceOfName(nameOf({ pointer: id })) === 'site') return false;
  const holder = parentOf(id);
  const beside = body.filter(({ pointer }) => pointer.startsWith(`${holder}/`));
  return (
    !/site/i.test(holder) && beside.some((field) => /^(state|status|progress|site)$/i.test(nameOf(field)))
  );
}

function sayMissing(
  read: string,
  body: readonly Field[],
  { wanted, isSeen }: { wanted: WantedOperation; isSeen: boolean },
): string {
  if (read === 'key' && isSeen) return 'nothing in its answer begins as a key does';
  const rivals = read === 'version' ? versionIn(body).rivals : read === 'key' ? keyIn(body).rivals : [];
  if (rivals.length > 1) return `which of ${rivals.join(', ')} in its answer is the ${read} is not said`;
  return `nothing in its answer looks like ${sayRead(read, wanted)}`;
}

function sayRead(read: string, { resource }: WantedOperation): string {
  if (read === 'list') return 'a list';
  const name = read.replace('item.', '');
  const what = name === 'id' ? `the identifier of a ${resource}` : name;
  return read.startsWith('item.') ? `${what} in an item of a list` : what;
}

/** By the names of the reads; those of items from the item. */
export function pointersIn(
  body: readonly Field[],
  wanted: WantedOperation,
  seen: SeenInCalls | undefined,
): Record<string, string> {
  const reads = wanted.gap.reads ?? [];
  const whole = body.filter(({ pointer }) => !isEnvelope(pointer) && !pointer.includes('/*'));
  const list = reads.includes('list') ? findList(body, seen !== undefined) : undefined;
  const items = list === undefined ? [] : below(body, `${list}/*`);
  const found: Record<string, string> = list === undefined ? {} : { list };
  // What bears the name of one value is not taken for another by its description.
  for (const find of [findByName, findNamed])
    for (const read of reads) {
      if (found[read] !== undefined || (read === 'next' && list === undefined)) continue;
      const isOfItem = read.startsWith('item.');
      const taken = Object.entries(found).filter(([name]) => name.startsWith('item.') === isOfItem);
      const free = (isOfItem ? items : whole).filter(
        ({ pointer }) => !taken.some(([, other]) => overlap(pointer, other)),
      );
      const start = isOfItem ? `${list}/*` : '';
      const linked = linkedIn(seen, start);
      const search = { wanted, find, linked, isSeen: seen !== undefined };
      const pointer = findRead(read.replace('item.', ''), free, search);
      if (pointer !== undefined) found[read] = pointer;
    }
  return found;
}

function isEnvelope(pointer: string): boolean {
  return ['', '/data'].includes(pointer) || /^\/(code|message|trace_id)(\/|$)/.test(pointer);
}

function overlap(one: string, other: string): boolean {
  return one === other || one.startsWith(`${other}/`) || other.startsWith(`${one}/`);
}

/** The fields of an item, by pointers from the item. */
function below(body: readonly Field[], start: string): Field[] {
  return body
    .filter(({ pointer }) => pointer.startsWith(`${start}/`))
    .map((field) => ({ ...field, pointer: field.pointer.slice(start.length) }))
    .filter(({ pointer }) => !pointer.includes('/*'));
}

/** The list of a page: an array of objects, by its name, else the only one. What was seen may have been empty. */
function findList(body: readonly Field[], isSeen: boolean): string | undefined {
  const arrays = body.filter(
    ({ pointer, types }) => types.includes('array') && !pointer.includes('/*') && !isEnvelope(pointer),
  );
  const ofObjects = arrays.filter(
    ({ pointer }) =>
      body.some((one) => one.pointer.startsWith(`${pointer}/*/`)) ||
      (isSeen && !body.some((one) => one.pointer.startsWith(`${pointer}/`))),
  );
  const [named] = findNamed(ofObjects, namesOfReads.list ?? []);
  if (named) return named.field.pointer;
  return ofObjects.length === 1 ? ofObjects[0]?.pointer : undefined;
}

const scalars = ['string', 'integer', 'number'];

/** What a value of that name may be. */
const typesOfReads: Readonly<Record<string, readonly string[]>> = {
  total: ['integer', 'number'],
  pages: ['integer', 'number'],
  version: ['integer', 'number', 'string'],
  fields: ['object', 'array', 'string'],
  events: ['array', 'string'],
  attempts: ['array', 'integer', 'number', 'object'],
  updated_at: ['string', 'integer', 'number'],
};

interface Search {
  wanted: WantedOperation;
  find: typeof findNamed;
  /** By pointers, what later calls have sent the values as identifiers of. */
  linked: ReadonlyMap<string, readonly (Resource | undefined)[]>;
  isSeen: boolean;
}

function findRead(read: string, fields: readonly Field[], search: Search): string | undefined {
  const { wanted, find, linked, isSeen } = search;
  const all = fittingIn(fields, read, { isByName: find === findByName, resource: wanted.resource });
  // What else an answer names has an identifier, too: its template, what it replaces.
  const fitting = read === 'id' ? all.filter((field) => isOfItself(field, wanted.resource)) : all;
  const isLinked = (resource: Resource) =>
    fitting.filter(({ pointer }) => linked.get(pointer)?.includes(resource) ?? false);
  if (read === 'id') {
    const own = mostSent(isLinked(wanted.resource), wanted.resource, linked);
    const only = own.length === 1 ? own[0]?.pointer : undefined;
    return only ?? findIdentifier(own, wanted) ?? findIdentifier(fitting, wanted);
  }
  if (read === 'version') {
    // A publish may have an identifier beside its version, and later calls may send that.
    const sent = isLinked('publication');
    const numbers = sent.filter((field) =>
      /(^|[_a-z])(number|no|version|revision|seq)$/i.test(nameOf(field)),
    );
    if (numbers.length === 1) return numbers[0]?.pointer;
    const beside = fitting.filter(
      (field) =>
        nameOf(field).toLowerCase() === 'number' &&
        sent.some((one) => parentOf(one.pointer) === parentOf(field.pointer)),
    );
    const versions = find(fitting, ['version']).length > 0 ? [] : beside.length > 0 ? beside : sent;
    return versions.length === 1 ? versions[0]?.pointer : versionIn(fitting, find).pointer;
  }
  // What was recorded shows whether it is a key.
  if (read === 'key') return keyIn(isSeen ? fitting.filter(looksLikeKey) : fitting, find).pointer;
  const named = find(fitting, namesOfReads[read] ?? [read]);
  if (read === 'text' && wanted.resource === 'ai') return answeredIn(named.map(({ field }) => field));
  return named[0]?.field.pointer;
}

/** Of several members that calls have sent as identifiers, those that most of them did. */
function mostSent(fields: readonly Field[], resource: Resource, linked: Search['linked']): Field[] {
  const countOf = ({ pointer }: Field) => linked.get(pointer)?.filter((one) => one === resource).length ?? 0;
  const most = Math.max(...fields.map(countOf));
  return fields.filter((field) => countOf(field) === most);
}

/** Of texts under one name, what AI has answered: it may repeat what it was asked. `named`: the best first. */
function answeredIn(named: readonly Field[]): string | undefined {
  const [best, ...others] = named.filter((field) => !isBelow(field, asked));
  if (!best) return undefined;
  const rivals = others.filter((field) => nameOf(field) === nameOf(best));
  const answers = [best, ...rivals].filter((field) => isBelow(field, answered));
  if (answers.length === 1) return answers[0]?.pointer;
  const depth = (field: Field) => parsePointer(field.pointer).length;
  return rivals.every((field) => depth(field) > depth(best)) ? best.pointer : undefined;
}

const asked = /^(inputs?|requests?|prompts?|quer(y|ies)|questions?)$/i;
const answered = /^(outputs?|results?|repl(y|ies)|completions?)$/i;

function isBelow({ pointer }: Field, names: RegExp): boolean {
  return parsePointer(pointer)
    .slice(0, -1)
    .some((segment) => names.test(segment));
}

interface Fitting {
  isByName: boolean;
  resource?: Resource;
}

/** What may be a value of that name, by its type and by what holds it. */
function fittingIn(fields: readonly Field[], read: string, { isByName, resource }: Fitting): Field[] {
  const types = typesOfReads[read] ?? scalars;
  // What was null whenever it was seen is known by its name alone.
  const mayBeNull = isByName && read !== 'id' && read !== 'key';
  return fields.filter(
    (field) =>
      (field.types.some((one) => types.includes(one)) ||
        field.types.every((one) => mayBeNull && one === 'null')) &&
      !(ownReads.has(read) && isInAnother(field)) &&
      !(read === 'state' && resource && isOfOther(field, resource)) &&
      !(read === 'name' && field.texts.some(isResourceName)) &&
      !(read === 'text' && field.texts.some((text) => /prompt|提示/i.test(text.slice(0, 60)))),
  );
}

/** Reads of what an answer is about itself, not of its owner or its template. */
const ownReads = new Set(['name', 'title', 'text', 'state', 'version', 'created_at', 'updated_at', 'url']);

function isInAnother({ pointer }: Field): boolean {
  return parsePointer(pointer).slice(0, -1).some(isOfAnother);
}

/** "comment_status" of a content item. */
function isOfOther(field: Field, resource: Resource): boolean {
  const words = wordsOf(nameOf(field));
  const about = resourceOfName(
    words
      .slice(0, -1)
      .map(({ text }) => text)
      .join(' '),
  );
  return words.length > 1 && about !== undefined && about !== resource;
}

const versionIn = (fields: readonly Field[], find?: typeof findNamed) =>
  findVersion(fittingIn(fields, 'version', { isByName: false }), find);

interface Found {
  pointer: string | undefined;
  /** Those that fit, where it is one of several. */
  rivals: readonly string[];
}

/** The key in plain text: as an example shows it, as it is described, or by its name. */
function keyIn(fields: readonly Field[], find: typeof findNamed = findNamed): Found {
  const whole = fittingIn(fields, 'key', { isByName: false }).filter((field) => !isMasked(field));
  for (const fits of [looksLikeKey, isShownOnce]) {
    const [only, ...others] = whole.filter(fits);
    if (only && others.length === 0) return { pointer: only.pointer, rivals: [] };
  }
  const names = namesOfReads.key ?? [];
  const rivals = findByName(whole, names).map(({ field }) => field.pointer);
  if (rivals.length > 1) return { pointer: undefined, rivals };
  return { pointer: find(whole, names)[0]?.field.pointer, rivals: [] };
}

/** The links of the fields below a pointer, by pointers from there. */
function linkedIn(seen: SeenInCalls | undefined, start: string): Search['linked'] {
  const inside = (seen?.links ?? []).filter(({ pointer }) => pointer.startsWith(`${start}/`));
  const byPointer = Map.groupBy(inside, ({ pointer }) => pointer.slice(start.length));
  return new Map(
    [...byPointer].map(([pointer, links]) => [pointer, links.map((link) => resourceOfLink(link))]),
  );
}

/** By the name of the parameter, else by the part of the path before it. Elsewhere than in a path, only identifiers count, by their names. */
function resourceOfLink({ usedBy: { path, in: where, pointer } }: Link): Resource | undefined {
  const name = nameOf({ pointer });
  const before = where === 'path' ? (path.split(`{${name}}`)[0] ?? '') : path;
  const held = readPath(before);
  const isPublish = held.verbs.includes('publish') && held.resource !== 'content';
  const resource = resourceOfName(name) ?? (isPublish ? 'publication' : held.resource);
  const field: Field = { pointer, types: [], isRequired: true, texts: [], values: [] };
  const isNamed = where === 'path' || (resource && rankIdentifier(field, resource) !== undefined);
  return isNamed ? resource : undefined;
}

/** Whether it shows a part of a key only, or what it is called. */
function isMasked(field: Field): boolean {
  const said = field.texts.some((text) =>
    /mask|prefix|first (few )?(characters|letters)|last (four|4)|hint|fingerprint|identif|public|掩码|脱敏|前缀|尾号|标识/i.test(
      text.slice(0, 120),
    ),
  );
  return (
    (said && !isShownOnce(field)) ||
    /prefix|masked|hint|last_?(4|four)|fingerprint|preview/i.test(nameOf(field))
  );
}

function isShownOnce({ texts }: Field): boolean {
  return texts.some((text) =>
    /plain ?text|(only|shown|returned|visible) once|once only|明文|一次/i.test(text),
  );
}

/** The interface document says how a key begins. */
function looksLikeKey({ values, pointer, format }: Field): boolean {
  if (format === 'api-key') return true;
  return (
    /key|token|secret|plain/i.test(pointer) && values.some((value) => /^sp_[^.*…]*$/.test(String(value)))
  );
}

function findIdentifier(fields: readonly Field[], { resource }: WantedOperation): string | undefined {
  const ranked = fields
    .filter(({ types }) => types.length === 0 || types.some((type) => scalars.includes(type)))
    .flatMap((field) => {
      const rank = rankIdentifier(field, resource);
      return rank === undefined ? [] : [{ pointer: field.pointer, rank }];
    })
    .sort((one, other) => one.rank - other.rank);
  return ranked[0]?.pointer ?? findUnusual(fields, resource);
}

/** Of what has no identifier by the usual names: "entryId" of a submission, "zid", or a member that is called as the resource itself. */
function findUnusual(fields: readonly Field[], resource: Resource): string | undefined {
  const isText = ({ types }: Field) => types.includes('string');
  const named = fields.filter((field) => {
    const name = nameOf(field);
    const words = wordsOf(name);
    // A plural is how many there are.
    const isAbout = words.every(({ concept }) => concept === resource) && !name.endsWith('s');
    if (abbreviated.test(name)) return true;
    if (resource === 'submission') return isAbout || namesEntry(words.map(({ text }) => text));
    // A text may be what the resource says.
    return resource !== 'key' && isAbout && (resource === 'subscription' || !isText(field));
  });
  const scalar = named.filter(({ types }) => types.some((type) => type === 'integer' || type === 'string'));
  return scalar.length === 1 ? scalar[0]?.pointer : undefined;
}

/** Whether a field stands in the answer itself, or in what merely wraps what the answer is about: "result", "siteInfo". */
function isOfItself({ pointer }: Field, resource: Resource): boolean {
  const holders = parsePointer(pointer).slice(0, -1);
  return holders.every((holder) =>
    wordsOf(holder).every(
      ({ concept, text }) =>
        concept === resource || wrappers.has(text) || (resource === 'submission' && entries.has(text)),
    ),
  );
}

const wrappers = new Set(
  'data result results identity ids meta metadata props properties fields item items record records object entity resource model payload body content response resp res info detail details attributes attrs vo dto bo new created output value list rows'.split(
    ' ',
  ),
);

/** As "zid" of a zhandian; those of a parent, a tenant or a group have such names, too. */
const abbreviated = /^(?![gpt]id$)[a-z]id$/;

const entries = new Set('entry response message record enquiry inquiry lead receipt ticket'.split(' '));

function namesEntry([first = '', last, ...more]: readonly string[]): boolean {
  return entries.has(first) && /^(id|uuid|no|number)$/.test(last ?? '') && more.length === 0;
}
