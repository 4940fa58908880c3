// What speaks for and against an operation being the one of a gap, a row each.
import type { Answer } from './answer.ts';
import type { Request } from './request.ts';
import type { Subject } from './subject.ts';
import { isReading, resourcesIn, strongResourcesIn, table, verbsIn, type WantedOperation } from './words.ts';

/** An operation for what is wanted: how it would be called, and what it answers. */
interface Pair extends Subject {
  wanted: WantedOperation;
  request: Request;
  answer: Answer;
}

/** "%" stands for what a rule holds for, each for these points, "$" for the resource, "!" for the verb. Negative points make a doubt. */
type Rule = readonly [points: number, says: string, when: (one: Pair) => boolean | readonly string[]];

const isOf = ({ wanted, resource }: Pair) => resource === wanted.resource;
const isHeldBy = ({ wanted, resource }: Pair) =>
  table.holders[wanted.resource]?.includes(resource ?? '') ?? false;
const isOfFailure = ({ wanted }: Pair) => wanted.gap.id === 'operation.fail-publish';
const hasOtherMethod = ({ wanted, operation: { method } }: Pair) =>
  (method === 'GET' && !isReading(wanted)) || (method === 'DELETE' && wanted.verb !== 'delete');
const isDestructive = (verb: string) => ['import', 'publish', 'delete'].includes(verb);

/** Any verb that creates or changes calls an AI function, and a list may be got. */
function saysWanted({ verbs, wanted, isList }: Pair): boolean {
  const also: readonly string[] = wanted.resource === 'ai' ? ['create', 'update', 'get'] : [];
  const isGot = wanted.verb === 'list' && isList && verbs.includes('get');
  return isGot || verbs.some((verb) => verb === wanted.verb || also.includes(verb));
}

/** Whether method and path do what is wanted, if the path has no verb. */
function fitsMethod({ wanted, operation: { method }, usualVerb }: Pair): boolean {
  return usualVerb === wanted.verb || (wanted.resource === 'ai' && method === 'POST');
}

/** Whether the resource is named by words alone that mean other things as well. A recording is of the service. */
function isNamedWeakly({ wanted: { resource }, operation, said }: Pair): boolean {
  const names = (find: typeof resourcesIn) =>
    [...said, ...operation.tags].some((text) => find(text).includes(resource));
  const isOnSite = strongResourcesIn(operation.path).includes('site');
  return names(resourcesIn) && !names(strongResourcesIn) && !isOnSite && !operation.isCalled;
}

/** "POST /publish" may be about anything, and "POST /deployments" may deploy anything. */
function unsaid({ wanted: { resource, verb }, said }: Pair): string[] {
  const words = said.flatMap((text) => [...resourcesIn(text), ...verbsIn(text)]);
  const needed = ['import', 'publish'].includes(verb) ? [resource, verb] : [];
  return needed.filter((one) => !words.includes(one));
}

/** What its summary names first, if that is another thing. */
function otherResources({ operation, summary: { resources }, wanted: { resource } }: Pair): string[] {
  const known = ['site', ...(table.holders[resource] ?? [])];
  const isOther = operation.texts.length > 0 && !resources.includes(resource);
  return isOther ? resources.slice(0, 1).filter((first) => !known.includes(first)) : [];
}

/** Verbs of its summary that are not the wanted one. A summary of what reads or creates may have others. */
function otherVerbs({ operation, name, summary, wanted }: Pair): string[] {
  const isDeleting = (verb: string) => verb === 'delete' && wanted.verb !== 'delete';
  const isOther = (verb: string) => wanted.verb !== 'create' || isDestructive(verb);
  const isSaid = operation.texts.length === 0 || summary.verbs.includes(wanted.verb);
  const others = isSaid || isReading(wanted) ? [] : summary.verbs.filter(isOther);
  return [...[...name.verbs, ...summary.verbs].filter(isDeleting), ...others];
}

/** An identifier whose thing is named after it: "/tenants/{siteID}/sites" are the sites of a tenant. */
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
  [-1, 'its path names what may hold the $', (one) => !isOf(one) && isHeldBy(one)],
  [-4, 'its path does not name the $', (one) => !isOf(one) && !isHeldBy(one)],
  [3, 'path: !', saysWanted],
  [-5, 'its path means "%"', (one) => (saysWanted(one) ? [] : one.verbs.slice(0, 1))],
  [2, 'method: !', (one) => one.verbs.length === 0 && fitsMethod(one)],
  [-4, 'its method and path are not those of "!"', (one) => one.verbs.length === 0 && !fitsMethod(one)],
  [-3, 'its path means "%"', (one) => (isReading(one.wanted) ? one.verbs.filter(isDestructive) : [])],
  [-4, 'its method is that of other calls', hasOtherMethod],
  [1, 'name: $', (one) => one.name.resources[0] === one.wanted.resource],
  [1, 'name: !', (one) => one.name.verbs.includes(one.wanted.verb)],
  [1.5, 'summary: $', (one) => one.summary.resources[0] === one.wanted.resource],
  [1, 'summary: !', (one) => one.summary.verbs.includes(one.wanted.verb)],
  [-1.5, 'its summary is about the %', otherResources],
  [-1, 'its name or summary means "%"', otherVerbs],
  [-3, 'its path says "%"', (one) => one.unknown],
  [-0.5, 'its name or summary says "%"', ({ strange }) => strange.slice(0, 1)],
  [-3, 'it says "%"', (one) => (isOfFailure(one) ? [] : one.others)],
  [-3, 'it is deprecated', (one) => one.operation.isDeprecated === true],
  [-8, 'nothing says that it fails', (one) => isOfFailure(one) && !one.fails],
  [-8, 'it says that it fails', (one) => one.wanted.verb === 'publish' && one.fails && !isOfFailure(one)],
  [-1, 'nothing says "%"', unsaid],
  [0.5, 'path: as in the interface document', (one) => one.operation.path.startsWith('/tenant/sites')],
  [1, 'it was called', (one) => one.operation.isCalled === true],
  [-1, '%', (one) => one.operation.doubts],
  [-1, '%', (one) => one.request.doubts],
  [
    -2,
    'it takes no %',
    ({ wanted: { needs = [] }, request: { filled } }) =>
      needs.filter((names) => !names.split('|').some((one) => filled.has(one))),
  ],
  [-0.5, '%', (one) => one.answer.doubts],
  [-1, 'its path names the $ by a word that means other things as well', isNamedWeakly],
  [-3, 'its path has % in the place of another identifier', misplaced],
];

/** Returns what speaks for it, and what speaks against it or against being sure. */
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
