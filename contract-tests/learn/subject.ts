// What an operation is about, by its path, its name and its summary.
import { documentedCalls } from '../../openapi/call-clashes.ts';
import { findList } from './answer.ts';
import type { DescribedOperation } from './described-operation.ts';
import {
  containersIn,
  othersIn,
  type Resource,
  resourcesIn,
  splitWords,
  unknownWords,
  type Verb,
  verbsIn,
} from './words.ts';

/** What a text names, the most specific resource first. */
interface Named {
  resources: readonly Resource[];
  verbs: readonly Verb[];
}

/** What a path is about. */
interface PathMeaning {
  resource: Resource | undefined;
  verbs: readonly Verb[];
  /** What the path does not say in words. */
  implied: readonly ('resource' | 'verb')[];
}

export interface Subject extends PathMeaning {
  operation: DescribedOperation;
  /** What method and path do if no word says more. */
  usualVerb: Verb;
  /** Whether an answer is a list of things. */
  isList: boolean;
  /** Words of the path that are in no list, before the first that is, and after it. */
  unknownBefore: readonly string[];
  unknown: readonly string[];
  /** Words of the path, the name and the summary that make any call unclear. */
  others: readonly string[];
  /** Its `operationId`. */
  name: Named;
  /** Its summary, or else its tag. */
  summary: Named;
  /** Whether it says that something fails. */
  fails: boolean;
}

/** Method and path, without the names of parameters. */
export function callOf({ method, path }: DescribedOperation): string {
  return `${method} ${path.replace(/\{[^{}]*\}/g, '{}').replace(/(?<=.)\/$/, '')}`;
}

/** Of each operation that the interface document does not show. */
export function subjectsOf(operations: readonly DescribedOperation[]): Subject[] {
  const words = operations.flatMap(({ path }) => [...new Set(literalsOf(path).flatMap(unknownWords))]);
  const isUsual = (count: number) => count >= fewestUsual && count > operations.length / 2;
  const usual = [...Map.groupBy(words, (word) => word)].filter(([, all]) => isUsual(all.length));
  const saysNothing = new Set(usual.map(([word]) => word));
  return operations
    .filter((one) => !Object.hasOwn(documentedCalls, callOf(one)))
    .map((operation) => subjectOf(operation, saysNothing));
}

const fewestUsual = 5;
const longestSummary = 120;

/** `usual`: words that most paths have, which say nothing. */
function subjectOf(operation: DescribedOperation, usual: ReadonlySet<string>): Subject {
  const { id = '', texts, tags, path, method, answers } = operation;
  const isList = answers.some(({ body = [] }) => findList(body) !== undefined);
  const isItem = /\}(\.\w+)?\/?$/.test(path);
  const parts = literalsOf(path);
  // A description in place of a summary is longer.
  const [summary = ''] = (texts[0] ?? tags[0] ?? '').slice(0, longestSummary).split(/[.。:：\n]/);
  const said = [...parts, id, summary];
  const first = parts.findIndex((part) => resourcesIn(part).length > 0 || verbsIn(part).length > 0);
  const unknown = (some: readonly string[]) =>
    unknownWords(some.join(' ')).filter((word) => !usual.has(word));
  return {
    ...{ operation, isList },
    ...readPath({ method, parts, isItem, isList }),
    usualVerb: usualVerbOf(method, isItem, isList),
    unknownBefore: unknown(first < 0 ? parts : parts.slice(0, first)),
    unknown: first < 0 ? [] : [...unknown(parts.slice(first)), ...containersAfter(parts.slice(first))],
    others: said.flatMap(othersIn),
    name: { resources: resourcesIn(id), verbs: verbsIn(id) },
    summary: { resources: resourcesIn(summary), verbs: verbsIn(summary) },
    fails: said.some((text) => verbsIn(text).includes('fail')),
  };
}

/** "settings" of "sites/settings", and not "user" of "userKeys". */
function containersAfter(parts: readonly string[]): readonly string[] {
  const words = splitWords(parts.join(' ')).split(' ');
  const start = words.findIndex((word) => containersIn(word).length === 0);
  return start < 0 ? [] : containersIn(words.slice(start).join(' '));
}

/** The parts of a path that are no parameters: "sites" and "publish" of "/sites/{id}/publish". */
function literalsOf(path: string): string[] {
  return path
    .split('/')
    .map((part) => part.replace(/\{[^{}]*\}/g, ''))
    .filter((part) => part !== '');
}

function usualVerbOf(method: DescribedOperation['method'], isItem: boolean, isList: boolean): Verb {
  if (method === 'DELETE') return 'delete';
  if (method === 'GET') return isItem ? 'get' : 'list';
  if (method !== 'POST') return 'update';
  return isList ? 'list' : isItem ? 'update' : 'create';
}

interface Path {
  method: DescribedOperation['method'];
  parts: readonly string[];
  /** Whether it ends in a parameter. */
  isItem: boolean;
  isList: boolean;
}

/** The last part that names a resource is what the path is about; verbs count from there on. */
function readPath(path: Path): PathMeaning {
  const { verbs, ...meaning } = interpret(path);
  // "create" beside another verb says nothing: "/publishes/create".
  return { ...meaning, verbs: verbs.length > 1 ? verbs.filter((verb) => verb !== 'create') : verbs };
}

function interpret({ method, parts, isItem, isList }: Path): PathMeaning {
  // "webhooks/{id}/logs" names together what neither part does alone.
  const resources = parts.map((part, index) => {
    const [alone, before] = [resourcesIn(part), resourcesIn(parts[index - 1] ?? '')];
    const together = resourcesIn(`${parts[index - 1] ?? ''} ${part}`);
    return together.find((one) => ![...alone, ...before].includes(one)) ?? alone[0];
  });
  const at = resources.findLastIndex((one) => one !== undefined);
  const before = resources.slice(0, Math.max(at, 0)).filter((one) => one !== undefined);
  const verbs = verbsIn(parts.slice(before.length > 0 ? at : 0).join(' '));
  const resource = resources[at];
  const [isPost, publishes] = [method === 'POST', verbs.includes('publish')];
  // "POST /deployments" publishes.
  if (isPost && resource === 'publication' && verbs.length === 0 && !isList)
    return {
      resource: before.includes('content') ? 'content' : 'site',
      verbs: ['publish'],
      implied: before.length > 0 ? ['verb'] : ['verb', 'resource'],
    };
  // "GET /sites/{id}/publishes" and "POST /sites/publish-detail" read publications.
  if (resource === 'publication' || (!isPost && publishes && (resource ?? 'site') === 'site'))
    return { resource: 'publication', verbs: verbs.filter((one) => one !== 'publish'), implied: [] };
  // "POST /publish" publishes a site.
  if (!resource && (publishes || verbs.includes('import')))
    return { resource: 'site', verbs, implied: ['resource'] };
  // "POST /forms/{form}" submits one.
  const isSubmission = isPost && resource === 'form' && (isItem || verbs.includes('create'));
  if (isSubmission) return { resource: 'submission', verbs: ['create'], implied: [] };
  return { resource, verbs, implied: [] };
}
