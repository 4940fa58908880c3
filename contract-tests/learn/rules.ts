// What speaks for and against an operation being the one of a gap, a row each.
import type { Answer } from './answer.ts';
import type { Request } from './request.ts';
import type { Subject } from './subject.ts';
import { isOfFailure, isReading, type WantedOperation } from './wanted-operations.ts';
import { type Resource, resourcesIn, strongResourcesIn, table, type Verb } from './words.ts';

/** An operation, and what is wanted. */
export interface Pair extends Subject {
  wanted: WantedOperation;
}

/** With how it would be called, and what it answers. */
export interface Called extends Pair {
  request: Request;
  answer: Answer;
}

export interface Rule<Known extends Pair> {
  /** Negative ones make a doubt. */
  points: number;
  /** For people; "%" is what it holds for, "$" the resource, "!" the verb. */
  says: string;
  /** Whether it holds, or all that it holds for, each for these points. */
  when(one: Known): boolean | readonly string[];
}

function isHeldBy({ wanted }: Pair, resource: Resource | undefined = wanted.resource): boolean {
  return table.holders[wanted.resource]?.includes(resource) ?? false;
}

/** Whether a verb is the wanted one: any that creates or changes calls an AI function, and a list may be got. */
function isWanted(verb: Verb, { wanted, isList }: Pair): boolean {
  if (wanted.resource === 'ai') return ['create', 'update', 'get'].includes(verb);
  return verb === wanted.verb || (wanted.verb === 'list' && verb === 'get' && isList);
}

function saysWanted(one: Pair): boolean {
  return one.verbs.some((verb) => isWanted(verb, one));
}

/** Whether method and path do what is wanted; undefined of a POST that reads, as its name or summary says. */
function fitsMethod({ wanted, operation, usualVerb, name, summary }: Pair): boolean | undefined {
  const isPost = operation.method === 'POST';
  if (usualVerb === wanted.verb || (wanted.resource === 'ai' && isPost)) return true;
  const isSaid = [name, summary].some(({ verbs }) => verbs.includes(wanted.verb));
  return isPost && isReading(wanted) && isSaid ? undefined : false;
}

/** Whether the resource is named by words alone that mean other things as well. A recording is of the service. */
function isNamedWeakly({ wanted: { resource }, operation, request }: Called): boolean {
  const { path, id = '', texts, tags, isCalled } = operation;
  const names = (resourcesOf: typeof resourcesIn) =>
    [path, id, texts[0] ?? '', ...tags].some((text) => resourcesOf(text).includes(resource));
  const isOnSite = request.filled.has('siteID') && strongResourcesIn(path).includes('site');
  return names(resourcesIn) && !names(strongResourcesIn) && !isOnSite && !isCalled;
}

/** What the summary names first, if that is another thing. */
function otherThings(one: Pair): Resource[] {
  const { operation, summary, wanted } = one;
  const [first] = operation.texts.length > 0 ? summary.resources : [];
  const isOther = first !== 'site' && !summary.resources.includes(wanted.resource) && !isHeldBy(one, first);
  return first && isOther ? [first] : [];
}

function otherVerbs({ operation, summary: { verbs }, wanted }: Pair): readonly Verb[] {
  const isCreation = wanted.verb === 'create' && wanted.resource !== 'comment';
  const isOther = (verb: Verb) => isCreation && isDestructive(verb) && !verbs.includes('create');
  if (isReading(wanted) || wanted.verb === 'create')
    return verbs.filter((verb) => verb === 'delete' || isOther(verb));
  return operation.texts.length > 0 && !verbs.includes(wanted.verb) ? verbs : [];
}

/** Whether its name says that it deletes, and something else is wanted. */
function saysDelete({ name, wanted }: Pair): boolean {
  return wanted.verb !== 'delete' && name.verbs.includes('delete');
}

/** Parts of the path that say what the identifiers around them are not: "/tenants/{siteID}/sites" are the sites of a tenant. */
function misplaced({ wanted, request: { path } }: Called): string[] {
  const parts = path.split('/');
  const things = parts.map((part) => table.identifiers[part.replace(/^\{(\w+)\}.*$/, '$1')]);
  return parts.filter((_, index) => {
    const thing = things[index];
    if (isReading(wanted) || !thing) return false;
    const [before] = resourcesIn(parts[index - 1] ?? '');
    const isSwapped = before && before !== thing && things.includes(before);
    const isHolder =
      thing === wanted.resource && parts.slice(index + 1).some((one) => resourcesIn(one)[0] === thing);
    return isSwapped || isHolder;
  });
}

function unsaid({ wanted, implied, name, summary }: Pair): string[] {
  const said: string[] = [name.resources, summary.resources, name.verbs, summary.verbs].flat();
  return implied.map((one) => wanted[one]).filter((one) => !said.includes(one));
}

const isDestructive = (verb: Verb) => ['import', 'publish', 'delete'].includes(verb);
const hasOtherMethod = ({ operation: { method }, wanted }: Pair) =>
  (method === 'GET' && !isReading(wanted)) || (method === 'DELETE' && wanted.verb !== 'delete');

/** About the words of its path, name and summary. */
export const wordRules: readonly Rule<Pair>[] = [
  { points: 4, says: 'path: $', when: (one) => one.resource === one.wanted.resource },
  { points: -1, says: 'its path names what may hold the $', when: (one) => isHeldBy(one, one.resource) },
  {
    points: -4,
    says: 'its path does not name the $',
    when: (one) => one.resource !== one.wanted.resource && !isHeldBy(one, one.resource),
  },
  { points: 3, says: 'path: !', when: saysWanted },
  {
    points: -5,
    says: 'its path says "%"',
    when: (one) => (saysWanted(one) ? [] : one.verbs.slice(0, 1)),
  },
  {
    points: 2,
    says: 'method: !',
    when: (one) => one.verbs.length === 0 && fitsMethod(one) === true,
  },
  {
    points: -4,
    says: 'its method and path are not those of "!"',
    when: (one) => one.verbs.length === 0 && fitsMethod(one) === false,
  },
  {
    points: -3,
    says: 'its path says "%"',
    when: (one) => (isReading(one.wanted) ? one.verbs.filter(isDestructive) : []),
  },
  { points: -4, says: 'its method is that of other calls', when: hasOtherMethod },
  { points: 1, says: 'name: $', when: (one) => one.name.resources[0] === one.wanted.resource },
  { points: 1, says: 'name: !', when: (one) => one.name.verbs.includes(one.wanted.verb) },
  {
    points: 1.5,
    says: 'summary: $',
    when: (one) => one.summary.resources[0] === one.wanted.resource,
  },
  { points: 1, says: 'summary: !', when: (one) => one.summary.verbs.includes(one.wanted.verb) },
  { points: -1.5, says: 'its summary is about the %', when: otherThings },
  { points: -1, says: 'its summary says "%"', when: otherVerbs },
  { points: -3, says: 'its name says "delete"', when: saysDelete },
  { points: -1, says: 'neither its path nor its name and summary say "%"', when: unsaid },
  { points: -2, says: 'its path begins with "%"', when: (one) => one.unknownBefore },
  { points: -3, says: 'its path says "%"', when: (one) => one.unknown },
  { points: -3, says: 'it says "%"', when: (one) => (isOfFailure(one.wanted) ? [] : one.others) },
  { points: -3, says: 'it is deprecated', when: (one) => one.operation.isDeprecated === true },
  { points: -8, says: 'nothing says that it fails', when: (one) => isOfFailure(one.wanted) && !one.fails },
  {
    points: -8,
    says: 'it says that it fails',
    when: ({ wanted, fails }) => wanted.verb === 'publish' && fails && !isOfFailure(wanted),
  },
  {
    points: 0.5,
    says: 'path: as in the interface document',
    when: ({ operation }) => operation.path.startsWith('/tenant/sites'),
  },
  { points: 1, says: 'it was called', when: (one) => one.operation.isCalled === true },
];

/** About how it is called and what it answers. */
export const callRules: readonly Rule<Called>[] = [
  { points: -1, says: '%', when: (one) => one.operation.doubts ?? [] },
  { points: -1, says: '%', when: (one) => one.request.doubts },
  {
    points: -2,
    says: 'it takes no %',
    when: ({ wanted: { needs = [] }, request }) => {
      const lacking = needs.filter((names) => !names.split('|').some((one) => request.filled.has(one)));
      return lacking.map((names) => names.replace('|', ' or '));
    },
  },
  { points: -0.5, says: '%', when: (one) => one.answer.doubts },
  { points: -3, says: 'its path has % in the place of another identifier', when: misplaced },
  { points: -1, says: 'its path names the $ by a word that means other things as well', when: isNamedWeakly },
];
