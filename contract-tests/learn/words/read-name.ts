// What a path, a name or a sentence says an operation is about.
import type { Concept, Resource, Verb } from './vocabulary.ts';
import { resources, verbs } from './vocabulary.ts';
import { type Word, wordsOf } from './words.ts';

export interface Reading {
  /** What it works on; undefined where that is not said. */
  resource: Resource | undefined;
  /** What it may do, the likeliest first; none where that is not said. */
  verbs: readonly Verb[];
  /** Words that no gap is about. */
  foreign: readonly string[];
  /** Of a path, words that nobody knows: before all others, such as the group in "/projects/sites", and after. */
  before: readonly string[];
  unknown: readonly string[];
  /** Whether it speaks of a failure. */
  fails: boolean;
}

/** A name or sentence; what nobody knows in it says nothing. */
export function readText(text: string): Reading {
  // "Store a newly created resource", "Post a comment": no shop, and no content item.
  const plain = text.replace(/^(store|post)s?(?= (an?|the|new|newly)\b|$)/i, 'create');
  const words = wordsOf(mainClause(plain));
  const found = words.flatMap(({ concept }) => concept ?? []);
  // "Request that a site be published" may be all that it does.
  const foreign = [
    ...(/^\s*requests?\b/i.test(text) ? ['request'] : []),
    ...words.filter((word) => isForeign(word, found)).map((word) => word.text),
  ];
  const said = summarize(found, 'deepest');
  // To cancel a subscription, or to take back a key, is to delete it.
  const isCancelled =
    (said.resource === 'subscription' && foreign.every((word) => /^(cancel|取消|quxiao)$/.test(word))) ||
    (said.resource === 'key' && foreign.every((word) => word === '撤销'));
  if (isCancelled && foreign.length > 0)
    return { ...said, verbs: ['delete'], foreign: [], before: [], unknown: [] };
  return { ...said, foreign, before: [], unknown: [] };
}

/** What no gap is about. A failure may be simulated; anything else that is simulated does not happen. */
function isForeign({ concept, text }: Word, found: readonly Concept[]): boolean {
  if (/^(settings?|preferences?)$|^设置$/.test(text)) return true;
  return concept === 'other' && !(found.includes('fail') && /^(simulat|moni$|模拟)/.test(text));
}

/** All verbs of a text, in whatever sentence they are. */
export function readWhole(text: string): Verb[] {
  return wordsOf(text).flatMap(({ concept }) => (isVerb(concept) ? [concept] : []));
}

interface Call {
  method: string;
  path: string;
}

/** Ids of generated code repeat the path, and begin or end with the method. */
export function readId(id: string, call: Call): Reading {
  const name = id
    .replace(/Using(GET|POST|PUT|PATCH|DELETE)(_\d+)?$/, '')
    .replace(/_(get|post|put|patch|delete)$/i, '')
    .replace(/(?<=[a-z])POST$/, '')
    .replace(/[._-]store$/i, '_save')
    .replace(/^([Pp]ost|[Pp]ut|[Pp]atch|POST|PUT|PATCH)(?=[A-Z_-])/, '');
  return readText(withoutMethod(name, call).replace(/partial_update$/, 'update'));
}

/** "POST:site.Create", "put/sites"; of posts, "post" may be what it is about. */
function withoutMethod(name: string, { method, path }: Call): string {
  const [begin = '', word = ''] = /^(post|put|patch)[:/. ]+/i.exec(name) ?? [];
  const isMethod = word.toUpperCase() === method;
  const isAboutPosts = wordsOf(path).some(({ text }) => /^posts?$/.test(text));
  return isMethod && !(method === 'POST' && isAboutPosts) ? name.slice(begin.length) : name;
}

function mainClause(text: string): string {
  const [clause = ''] = text.split(/[.,;:(（。，；：\n]/, 1);
  // What goes along with it.
  return (
    clause.split(/ (?:and (?:all|its|the|everything)|with (?:all|its)|including|along with) /i, 1)[0] ?? ''
  );
}

/** The segments of a path; a parameter in braces says nothing by itself. */
export function readPath(path: string): Reading {
  const segments = path.split('/').filter((segment) => segment !== '' && !/^\{[^{}]*\}$/.test(segment));
  const words = segments.map((segment) => wordsOf(decode(segment).replace(/\{[^}]*\}/g, ' ')));
  const found = words.flat().flatMap(({ concept }) => concept ?? []);
  const first = words.findIndex((all) => all.some(({ concept }) => isAbout(concept)));
  const [before, after] = [words.slice(0, Math.max(first, 0)).flat(), words.slice(Math.max(first, 0)).flat()];
  const afterAi = after.slice(after.findIndex(({ concept }) => concept === 'ai') + 1);
  const foreign = [
    ...before.filter((word) => isForeign(word, found) || isOtherVersion(word.text)),
    ...after.filter(
      (word) =>
        isForeign(word, found) ||
        word.concept === 'container' ||
        word.text === 'app' ||
        isOtherVersion(word.text),
    ),
    // What makes sites by AI writes no text.
    ...(found.includes('ai')
      ? afterAi.filter(({ concept }) => concept === 'site' || concept === 'log' || concept === 'status')
      : []),
    // To remove oneself is to leave.
    ...(words.at(-1) ?? []).filter(
      ({ text }) => /^(me|myself|self)$/.test(text) && (words.at(-1)?.length ?? 0) > 1,
    ),
  ];
  const textsOf = (all: readonly Word[]) => all.map(({ text }) => text);
  return {
    ...summarize(found, 'last'),
    foreign: textsOf(foreign),
    before: textsOf(before.filter(isUnknown)),
    unknown: textsOf(after.filter(isUnknown)),
  };
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

function isAbout(concept: Concept | undefined): boolean {
  return isResource(concept) || isVerb(concept) || concept === 'push' || concept === 'token';
}

/** Of the interface, which is at its version 1. */
function isOtherVersion(text: string): boolean {
  return /^\d+$/.test(text) && text !== '1';
}

function isUnknown({ text, concept }: Word): boolean {
  return concept === undefined && text.length > 1 && !/^\d+$/.test(text);
}

function isResource(concept: Concept | undefined): concept is Resource {
  return resources.some((one) => one === concept);
}

function isVerb(concept: Concept | undefined): concept is Verb {
  return verbs.some((one) => one === concept);
}

/** `last`: of several resources the last one counts; `deepest`: the one that the others hold. */
function summarize(
  found: readonly Concept[],
  which: 'last' | 'deepest',
): Omit<Reading, 'foreign' | 'before' | 'unknown'> {
  const resource = resourceIn(found, which);
  const said = found.filter(isVerb).filter((verb) => !(verb === 'publish' && resource === 'publication'));
  const reads = said.some((verb) => verb === 'list' || verb === 'get' || verb === 'read');
  const isSubmitted =
    !reads && said.includes('submit') && (resource === 'submission' || resource === 'comment');
  return {
    resource,
    verbs: isSubmitted
      ? ['create']
      : [...new Set(said.filter((verb) => verb !== 'submit'))].sort(
          (one, other) => weightOf(other) - weightOf(one),
        ),
    fails: found.includes('fail'),
  };
}

/** Of two verbs in one name, the one that says more: "sites_publish_create", "getSiteList". */
function weightOf(verb: Verb): number {
  return verb === 'read' ? 0 : verb === 'create' || verb === 'save' ? 1 : verb === 'get' ? 2 : 3;
}

function resourceIn(found: readonly Concept[], which: 'last' | 'deepest'): Resource | undefined {
  const has = (...any: readonly Concept[]) => any.some((one) => found.includes(one));
  if (has('ai')) return 'ai';
  if (has('log', 'delivery') && has('push', 'subscription', 'delivery')) return 'delivery';
  if (has('submission') || (has('form') && has('submit', 'content', 'log', 'data'))) return 'submission';
  const isOfPublish = has('publish') && !has('content') && has('log', 'status', 'get', 'list', 'read');
  if (isOfPublish) return 'publication';
  const isPath = which === 'last';
  const named = found
    .map((one) => (isPath && one === 'push' ? 'subscription' : one))
    .filter(isResource)
    .filter((one) => !(one === 'publication' && has('publish')));
  if (named.length === 0) return has('push') ? 'subscription' : has('token') ? 'key' : undefined;
  return isPath ? named.at(-1) : inside.find((one) => named.includes(one));
}

/** Each before those that may hold it. */
const inside: readonly Resource[] = [
  'delivery',
  'submission',
  'comment',
  'key',
  'subscription',
  'content',
  'publication',
  'form',
  'site',
];
