// Reads resource and verb of an operation from its path, name and summary.
import { documentedCalls } from '../../openapi/contradictions.ts';
import { findList } from './answer.ts';
import { bareCall, type DescribedOperation } from './described-operation.ts';
import { othersIn, resourcesIn, strangersIn, strangersSaid, verbsIn } from './words.ts';

export type Subject = ReturnType<typeof subjectOf>;

/** Omits operations that the interface document shows. */
export function subjectsOf(operations: readonly DescribedOperation[]): Subject[] {
  const subjects = operations.map(subjectOf);
  const inPaths = unusualIn(subjects.map(({ unknown }) => unknown));
  const inTexts = unusualIn(subjects.map(({ strange }) => strange));
  return subjects
    .filter(({ operation }) => !Object.hasOwn(documentedCalls, bareCall(operation)))
    .map((one) => ({ ...one, unknown: inPaths(one.unknown), strange: inTexts(one.strange) }));
}

/** Ignores words that most operations share. */
function unusualIn(all: readonly (readonly string[])[]): (words: readonly string[]) => string[] {
  const counts = Map.groupBy(
    all.flatMap((one) => [...new Set(one)]),
    (word) => word,
  );
  return (words) => words.filter((one) => (counts.get(one)?.length ?? 0) <= Math.max(all.length / 2, 4));
}

const longestSummary = 120;

function subjectOf(operation: DescribedOperation) {
  const { id = '', texts, tags, path, method, answers } = operation;
  const isList = answers.some(({ body = [] }) => findList(body) !== undefined);
  const isItem = /\}(\.\w+)?\/?$/.test(path);
  const parts = literalsOf(path);
  // A long first sentence is a description, not a summary.
  const [summary = ''] = (texts[0] ?? tags[0] ?? '').slice(0, longestSummary).split(/[.。:：\n]/);
  const said = [...parts, id, summary];
  const usualVerb = usualVerbOf(method, isItem, isList);
  return {
    ...{ operation, isList, said },
    ...readPath(parts, usualVerb, method === 'POST'),
    usualVerb,
    /** Words in no list: `unknown` from the path, `strange` from name and summary. */
    unknown: strangersIn(parts.join(' ')),
    strange: [id, summary].flatMap(strangersSaid),
    /** Words that make any call doubtful. */
    others: said.flatMap(othersIn),
    name: { resources: resourcesIn(id), verbs: verbsIn(id) },
    summary: { resources: resourcesIn(summary), verbs: verbsIn(summary) },
    fails: said.some((text) => verbsIn(text).includes('fail')),
  };
}

/** "sites" and "publish" for "/sites/{id}/publish". */
function literalsOf(path: string): string[] {
  const parts = path.split('/').map((part) => part.replace(/\{[^{}]*\}/g, ''));
  return parts.filter((part) => part !== '');
}

function usualVerbOf(method: string, isItem: boolean, isList: boolean): string {
  if (method === 'DELETE') return 'delete';
  if (method === 'GET') return isItem ? 'get' : 'list';
  if (method !== 'POST') return 'update';
  return isList ? 'list' : isItem ? 'update' : 'create';
}

/** The path is about the last named resource; only verbs from there on count. */
function readPath(parts: readonly string[], usualVerb: string, isPost: boolean) {
  // In "webhooks/{id}/logs", both parts together name the resource.
  const resources = parts.map((part, index) => {
    const before = parts[index - 1] ?? '';
    const alone = [...resourcesIn(part), ...resourcesIn(before)];
    return resourcesIn(`${before} ${part}`).find((one) => !alone.includes(one)) ?? resourcesIn(part)[0];
  });
  const at = resources.findLastIndex((one) => one !== undefined);
  const before = resources.slice(0, Math.max(at, 0)).filter((one) => one !== undefined);
  const verbs = verbsIn(parts.slice(before.length > 0 ? at : 0).join(' '));
  const resource = resources[at];
  const publishes = verbs.includes('publish');
  // "POST /deployments" publishes.
  const isNew = verbs.length === 0 && usualVerb !== 'list' && !verbsIn(parts.join(' ')).includes('publish');
  if (isPost && resource === 'publication' && isNew)
    return { resource: before.includes('content') ? 'content' : 'site', verbs: ['publish'] };
  // "GET /sites/{id}/publishes" and "POST /sites/publish-detail" read publications.
  if (resource === 'publication' || (!isPost && publishes && (resource ?? 'site') === 'site'))
    return { resource: 'publication', verbs: verbs.filter((one) => one !== 'publish') };
  // "POST /publish" publishes a site.
  if (!resource && (publishes || verbs.includes('import'))) return { resource: 'site', verbs };
  // "POST /forms/{form}" submits one.
  const isSubmission = isPost && resource === 'form' && (usualVerb === 'update' || verbs.includes('create'));
  return isSubmission ? { resource: 'submission', verbs: ['create'] } : { resource, verbs };
}
