// What an operation is about, by its path, its name, its summary and its shape.
import { placeholdersOf } from '../../openapi/template.ts';
import { isIdentifier, ownIdIn, resourceOfName } from './answer/find-identifier.ts';
import { type DescribedOperation, type Field, nameOf } from './described-operation.ts';
import { type Failing, findFailing } from './doubts/find-failing.ts';
import { findHooks } from './doubts/says-hook.ts';
import { findApiKeys } from './doubts/says-key.ts';
import { isPublicFlag, isPublicState } from './words/public-state.ts';
import { type Reading, readId, readPath, readText, readWhole } from './words/read-name.ts';
import type { Resource, Verb } from './words/vocabulary.ts';
import { wordsOf } from './words/words.ts';

export interface Understanding {
  operation: DescribedOperation;
  path: Reading;
  /** Of `operationId`, and of the summary, where there is one. */
  id: Reading | undefined;
  summary: Reading | undefined;
  /** Of the first tag, where there is no summary: it names a group, so that a verb in it says nothing of one call. */
  tag: Reading | undefined;
  /** What else people say, in its tags and at the beginning of its description, that no gap is about. */
  aside: readonly string[];
  /** What else its texts and tags are about. */
  mentioned: readonly Resource[];
  /** Where the verb of the path was read. */
  verbPlace: 'path' | 'body';
  /** Whether something says that its subscriptions are those of webhooks. */
  isOfHooks: boolean;
  /** The same of keys and the API. */
  isOfApiKeys: boolean;
  /** What method and parameters show. */
  shape: Verb | undefined;
  /** What in its query or body makes it fail. */
  failing: Failing | undefined;
  /** Where the same call, with another body, does something else: whether the bodies are described, or guessed from one of them all. */
  variant: 'described' | 'guessed' | undefined;
}

export function understandOperations(described: readonly DescribedOperation[]): Understanding[] {
  const operations = described.map((one) => (saysDeprecated(one) ? { ...one, isDeprecated: true } : one));
  const sharing = Map.groupBy(operations, ({ method, path, place }) => `${method} ${path} ${place}`);
  const all = [...sharing.values()].flatMap((same) =>
    same.length === 1 ? same.flatMap(splitBody) : same.map((one) => understandOperation(one, 'described')),
  );
  const understood = all.map(({ operation }) => operation);
  const [hooks, keys] = [findHooks(understood), findApiKeys(understood)];
  return withoutGroups(
    all.map((one) => ({
      ...one,
      isOfHooks: hooks.has(one.operation),
      isOfApiKeys: keys.has(one.operation),
    })),
  );
}

/** Not everybody has a mark for it. */
function saysDeprecated({ id = '', texts, tags }: DescribedOperation): boolean {
  return [id, ...texts, ...tags].some(
    (text) => text.length < 80 && /deprecated|legacy|obsolete|废弃|弃用|旧版/i.test(text),
  );
}

/** Generators that know no alternatives describe one body for a call that creates without an identifier, and updates with one. */
function splitBody(operation: DescribedOperation): Understanding[] {
  const { body, method, texts } = operation;
  const whole = understandOperation(operation, undefined);
  const resource = whole.path.resource;
  const says = (verb: Verb) => texts.slice(0, 2).some((text) => readWhole(text).includes(verb));
  const isSplit =
    body &&
    resource &&
    method === 'POST' &&
    ownIdIn(operation, resource) === 'optional' &&
    says('create') &&
    says('update');
  if (!isSplit) return [whole];
  const isOwn = (field: Field) => isIdentifier(field, resource);
  const creating = { ...operation, body: body.filter((field) => !isOwn(field)) };
  const updating = {
    ...operation,
    body: body.map((field) => (isOwn(field) ? { ...field, isRequired: true } : field)),
  };
  return [creating, updating].map((one) => understandOperation(one, 'guessed'));
}

/** A word before all that is known, such as "cloud" in "/cloud/sites", says nothing where it stands before several kinds of things, and before all collections of that kind. */
function withoutGroups(all: readonly Understanding[]): Understanding[] {
  const kinds = Map.groupBy(
    all.flatMap(({ path }) => path.before.map((word) => ({ word, resource: path.resource }))),
    ({ word }) => word,
  );
  const ofResource = Map.groupBy(all.filter(isCollection), ({ path }) => path.resource);
  const isUsual = (word: string, resource: Resource | undefined) =>
    new Set(kinds.get(word)?.map((one) => one.resource)).size >= fewestKinds &&
    (ofResource.get(resource) ?? []).every(({ path }) => path.before.includes(word));
  return all.map((one) => {
    const before = one.path.before.filter((word) => !isUsual(word, one.path.resource));
    return before.length === one.path.before.length ? one : { ...one, path: { ...one.path, before } };
  });
}

/** A part of a product has fewer of the things that the gaps are about. */
const fewestKinds = 3;

function isCollection({ path, operation }: Understanding): boolean {
  const isPlain = path.foreign.length === 0 && path.unknown.length === 0 && !operation.isDeprecated;
  const lists = path.verbs.every((verb) => verb === 'list' || verb === 'create' || verb === 'read');
  return isPlain && lists && !endsInParameter(operation.path);
}

function understandOperation(
  operation: DescribedOperation,
  variant: Understanding['variant'],
): Understanding {
  const said = ofMethod(readPath(operation.path), operation);
  const isByState = said.resource === 'content' && said.verbs.length === 0 && setsPublished(operation);
  const path: Reading = isByState ? { ...said, verbs: ['publish'] } : said;
  const [first] = operation.texts;
  const [, ...others] = [...operation.texts, ...operation.tags];
  const mentioned = others
    .filter((text) => text.length < 60)
    .flatMap((text) => readText(text).resource ?? []);
  return {
    operation,
    path,
    id: operation.id === undefined ? undefined : readId(operation.id, operation),
    summary: first === undefined || first.length > 300 ? undefined : readText(first),
    tag: first === undefined ? readTag(operation) : undefined,
    mentioned,
    aside: asidesOf(operation),
    isOfHooks: false,
    isOfApiKeys: false,
    shape: shapeOf(operation, path.resource),
    failing: findFailing(operation),
    verbPlace: isByState ? 'body' : 'path',
    variant,
  };
}

/** The summary is read by itself. */
function asidesOf({ texts: [, description = ''], tags }: DescribedOperation): string[] {
  const short = tags.filter((tag) => tag.length < 60);
  const inTags = short.flatMap((tag) => [...readText(tag).foreign, ...(/member|customer/i.exec(tag) ?? [])]);
  const beginning = firstWords(description);
  const trial = /dry[- ]?run|nothing goes live|试运行/i.exec(beginning) ?? [];
  const inBeginning = readText(beginning).foreign.filter((word) => !partsOfSites.test(word));
  return [...new Set([...inTags, ...inBeginning, ...trial])];
}

/** What is in a site, or may become of it: a description of what is done with the site names these. */
const partsOfSites =
  /^(pages?|empty|drafts?|media|navigation|menus?|sections?|widgets?|layouts?|domains?|images?|pictures?|files?|themes?|templates?)$/i;

/** The beginning of a sentence, which says what it is about; later words say how, and with what. */
function firstWords(text: string): string {
  return text.split(/\s+/).slice(0, 14).join(' ');
}

/** Whether all that recorded calls changed was a state, which became public: `PATCH /contents/7` with `status: published`. */
function setsPublished({ method, body = [], seen, path }: DescribedOperation): boolean {
  const [only, ...others] = body.filter(({ pointer, isRequired }) => pointer !== '' && isRequired);
  if (!seen || !/^P/.test(method) || !endsInParameter(path) || !only || others.length > 0) return false;
  const [value, ...more] = only.values;
  const isFlag = value === true && isPublicFlag(only.pointer.slice(1));
  return more.length === 0 && (isFlag || isPublicState(value));
}

function readTag({ tags: [tag] }: DescribedOperation): Reading | undefined {
  return tag === undefined || tag.length > 300 ? undefined : { ...readText(tag), verbs: [], fails: false };
}

/** To read "publish" or "publishes" is to read what became of one; so with what was submitted. */
function ofMethod(path: Reading, operation: DescribedOperation): Reading {
  const { method, path: text } = operation;
  const isOfSubmissions =
    method === 'GET' && path.resource !== 'comment' && /(submit|tijiao|提交)\/?$/i.test(text);
  if (isOfSubmissions)
    return { ...path, resource: 'submission', verbs: path.verbs.filter((verb) => verb !== 'create') };
  // What is sent to a form is submitted.
  const [said = ''] = operation.texts;
  const makesForm = /creat|\bnew\b|\badd|defin|design|build|新建|创建|新增|添加/i.test(
    `${operation.id ?? ''} ${said.slice(0, 80)}`,
  );
  const isToForm = method === 'POST' && path.resource === 'form' && endsInParameter(text) && !makesForm;
  if (isToForm && path.verbs.length === 0) return { ...path, resource: 'submission', verbs: ['create'] };
  // "/comment/post" is no content item.
  const posted = method === 'POST' ? /^(.+)\/post\/?$/i.exec(text)?.[1] : undefined;
  const before = posted === undefined ? undefined : readPath(posted);
  if (before?.resource) return { ...before, verbs: [...before.verbs, 'create'] };
  // "/imports" alone: only sites are imported.
  if (method === 'POST' && path.resource === undefined && path.verbs.includes('import'))
    return isOfMembers(text) ? path : { ...path, resource: 'site' };
  // "/publish" alone: what its request names is published.
  if (method === 'POST' && path.resource === undefined && path.verbs.includes('publish'))
    return { ...path, resource: namedIn(operation) };
  const isRelease =
    method === 'POST' && path.verbs.length === 0 && /(release|deployment|publication)s?\/?$/i.test(text);
  if (isRelease) return { ...path, resource: isOfContent(text) ? 'content' : 'site', verbs: ['publish'] };
  const isPublication =
    method === 'GET' && path.verbs.includes('publish') && path.resource !== 'content' && !path.fails;
  if (!isPublication) return path;
  return { ...path, resource: 'publication', verbs: path.verbs.filter((verb) => verb !== 'publish') };
}

function isOfMembers(path: string): boolean {
  return wordsOf(path).some(({ concept }) => concept === 'container');
}

/** Whether a request names a content item or a site by its identifier. */
function namedIn({ query, body = [] }: DescribedOperation): Resource | undefined {
  const named = [...query, ...body].map((field) => {
    const name = nameOf(field);
    const about = resourceOfName(name);
    return about && (isIdentifier(field, about) || /^[a-z]+$/.test(name)) ? about : undefined;
  });
  return (['content', 'site'] as const).find((resource) => named.includes(resource));
}

/** Whether what stands before its last part is about content: "/content/release". */
function isOfContent(path: string): boolean {
  return readPath(path.replace(/\/[^/]*\/?$/, '')).resource === 'content';
}

function asksForVersion({ query, body = [] }: DescribedOperation): boolean {
  return [...query, ...body].some(
    (field) => field.isRequired && resourceOfName(nameOf(field)) === 'publication',
  );
}

function shapeOf(operation: DescribedOperation, resource: Resource | undefined): Verb | undefined {
  const { method, path } = operation;
  const isItem = endsInParameter(path) || ownIdIn(operation, resource) === 'required';
  // What was published is not created or changed: its number asks how it stands.
  if (
    resource === 'publication' &&
    method !== 'DELETE' &&
    !answersList(operation) &&
    asksForVersion(operation)
  )
    return 'get';
  if (method === 'DELETE') return 'delete';
  if (method === 'PUT' || method === 'PATCH') return 'update';
  // Some ask for lists by POST.
  if (method === 'POST') return answersList(operation) ? 'list' : isItem ? 'update' : 'create';
  return isItem ? 'get' : 'list';
}

/** Whether its answer is described with a list of objects. */
export function answersList({ answers }: DescribedOperation): boolean {
  const [body = []] = answers.flatMap(({ body: fields }) => (fields ? [fields] : []));
  return body.some(({ pointer }) => /^(\/data)?\/[^/]+\/\*\/[^/]+$/.test(pointer));
}

/** Whether a recorded answer is a page of a list, and nothing else. */
export function isPage({ answers, seen }: DescribedOperation): boolean {
  const members = answers.flatMap(({ body = [] }) =>
    body.filter(({ pointer }) => /^\/data(\/[^/]+)?$/.test(pointer)),
  );
  const isOne = members.some(
    (field) => isIdentifier(field, 'content') || /\/(title|name)$/.test(field.pointer),
  );
  return (
    seen !== undefined &&
    !isOne &&
    members.some(
      ({ pointer, types }) =>
        types.includes('array') && /^\/data(\/(list|items|records|rows|results))?$/.test(pointer),
    )
  );
}

function endsInParameter(path: string): boolean {
  const last = path.split('/').filter(Boolean).at(-1) ?? '';
  return placeholdersOf(last).length > 0;
}
