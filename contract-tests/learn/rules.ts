// Rules that score whether an operation belongs to a gap.
import type { Answer } from './answer.ts';
import type { Request } from './request.ts';
import type { Subject } from './subject.ts';
import { isReading, resourcesIn, strongResourcesIn, table, verbsIn, type WantedOperation } from './words.ts';

interface Pair extends Subject {
  wanted: WantedOperation;
  request: Request;
  answer: Answer;
}

/** In the text, "%" is each word that the rule returns (each scores), "$" the resource, "!" the verb. Negative points make a doubt. */
type Rule = readonly [points: number, says: string, when: (one: Pair) => boolean | readonly string[]];

const isOf = ({ wanted, resource }: Pair) => resource === wanted.resource;
const isHeldBy = ({ wanted, resource }: Pair) =>
  table.holders[wanted.resource]?.includes(resource ?? '') ?? false;
const isOfFailure = ({ wanted }: Pair) => wanted.gap.id === 'operation.fail-publish';
const hasOtherMethod = ({ wanted, operation: { method } }: Pair) =>
  (method === 'GET' && !isReading(wanted)) || (method === 'DELETE' && wanted.verb !== 'delete');
const isDestructive = (verb: string) => ['import', 'publish', 'delete'].includes(verb);

/** An AI function may use any verb, and a list may be read with "get". */
function saysWanted({ verbs, wanted, isList }: Pair): boolean {
  const also: readonly string[] = wanted.resource === 'ai' ? ['create', 'update', 'get'] : [];
  const isGot = wanted.verb === 'list' && isList && verbs.includes('get');
  return isGot || verbs.some((verb) => verb === wanted.verb || also.includes(verb));
}

/** For a path without a verb. */
function fitsMethod({ wanted, operation: { method }, usualVerb }: Pair): boolean {
  return usualVerb === wanted.verb || (wanted.resource === 'ai' && method === 'POST');
}

/** Whether only ambiguous words name the resource. Recorded calls surely belong to the service. */
function isNamedWeakly({ wanted: { resource }, operation, said }: Pair): boolean {
  const names = (find: typeof resourcesIn) =>
    [...said, ...operation.tags].some((text) => find(text).includes(resource));
  const isOnSite = strongResourcesIn(operation.path).includes('site');
  return names(resourcesIn) && !names(strongResourcesIn) && !isOnSite && !operation.isCalled;
}

/** "POST /publish" may publish anything. */
function unsaid({ wanted: { resource, verb }, said }: Pair): string[] {
  const words = said.flatMap((text) => [...resourcesIn(text), ...verbsIn(text)]);
  const needed = ['import', 'publish'].includes(verb) ? [resource, verb] : [];
  return needed.filter((one) => !words.includes(one));
}

/** The first resource in the summary, if it is another one. */
function otherResources({ operation, summary: { resources }, wanted: { resource } }: Pair): string[] {
  const known = ['site', ...(table.holders[resource] ?? [])];
  const isOther = operation.texts.length > 0 && !resources.includes(resource);
  return isOther ? resources.slice(0, 1).filter((first) => !known.includes(first)) : [];
}

/** Unwanted verbs in name and summary. Summaries of reads and creations may contain others. */
function otherVerbs({ operation, name, summary, wanted }: Pair): string[] {
  const isDeleting = (verb: string) => verb === 'delete' && wanted.verb !== 'delete';
  const isOther = (verb: string) => wanted.verb !== 'create' || isDestructive(verb);
  const isSaid = operation.texts.length === 0 || summary.verbs.includes(wanted.verb);
  const others = isSaid || isReading(wanted) ? [] : summary.verbs.filter(isOther);
  return [...[...name.verbs, ...summary.verbs].filter(isDeleting), ...others];
}

/** In "/tenants/{siteID}/sites", the parameter is a tenant. */
function misplaced({ wanted, request: { path } }: Pair): string[] {
  const parts = path.split('/');
  const at = parts.findIndex(
    (part) => table.identifiers[part.replace(/^\{(\w+)\}.*$/, '$1')] === wanted.resource,
  );
  const isNamedAfter = parts.slice(at + 1).some((part) => resourcesIn(part)[0] === wanted.resource);
  return at >= 0 && isNamedAfter && !isReading(wanted) ? parts.slice(at, at + 1) : [];
}

const rules: readonly Rule[] = [
  [4, 'path: $', isOf],
  [-1, 'the path names a possible parent of the $', (one) => !isOf(one) && isHeldBy(one)],
  [-4, 'the path does not name the $', (one) => !isOf(one) && !isHeldBy(one)],
  [3, 'path: !', saysWanted],
  [-5, 'the path means "%"', (one) => (saysWanted(one) ? [] : one.verbs.slice(0, 1))],
  [2, 'method: !', (one) => one.verbs.length === 0 && fitsMethod(one)],
  [-4, 'method and path do not fit "!"', (one) => one.verbs.length === 0 && !fitsMethod(one)],
  [-3, 'the path means "%"', (one) => (isReading(one.wanted) ? one.verbs.filter(isDestructive) : [])],
  [-4, 'the method does not fit', hasOtherMethod],
  [1, 'name: $', (one) => one.name.resources[0] === one.wanted.resource],
  [1, 'name: !', (one) => one.name.verbs.includes(one.wanted.verb)],
  [1.5, 'summary: $', (one) => one.summary.resources[0] === one.wanted.resource],
  [1, 'summary: !', (one) => one.summary.verbs.includes(one.wanted.verb)],
  [-1.5, 'the summary is about the %', otherResources],
  [-1, 'name or summary means "%"', otherVerbs],
  [-3, 'the path says "%"', (one) => one.unknown],
  [-0.5, 'name or summary says "%"', ({ strange }) => strange.slice(0, 1)],
  [-3, 'says "%"', (one) => (isOfFailure(one) ? [] : one.others)],
  [-3, 'deprecated', (one) => one.operation.isDeprecated === true],
  [-8, 'does not say that it fails', (one) => isOfFailure(one) && !one.fails],
  [-8, 'says that it fails', (one) => one.wanted.verb === 'publish' && one.fails && !isOfFailure(one)],
  [-1, 'does not say "%"', unsaid],
  [0.5, 'path: as in the interface document', (one) => one.operation.path.startsWith('/tenant/sites')],
  [1, 'recorded', (one) => one.operation.isCalled === true],
  [-1, '%', (one) => one.operation.doubts],
  [-1, '%', (one) => one.request.doubts],
  [
    -2,
    'takes no %',
    ({ wanted: { needs = [] }, request: { filled } }) =>
      needs.filter((names) => !names.split('|').some((one) => filled.has(one))),
  ],
  [-0.5, '%', (one) => one.answer.doubts],
  [-1, 'the path names the $ with an ambiguous word', isNamedWeakly],
  [-3, 'the path has % in place of another identifier', misplaced],
];

export function judge(one: Pair) {
  const { resource, verb } = one.wanted;
  const found = rules.flatMap(([points, says, when]) => {
    const holds = when(one);
    const words = typeof holds === 'boolean' ? (holds ? [''] : []) : [...new Set(holds)];
    const text = says.replace('$', resource).replace('!', verb);
    return words.map((word) => ({ points, text: text.replace('%', () => word.replaceAll('|', ' or ')) }));
  });
  return {
    score: found.reduce((sum, { points }) => sum + points, 0),
    reasons: found.filter(({ points }) => points > 0).map(({ text }) => text),
    doubts: found.filter(({ points }) => points < 0).map(({ text }) => text),
  };
}
