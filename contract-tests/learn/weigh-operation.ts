// How well an operation fits a gap, by what its path, its name, its summary and its tags say, and by its method.
import { answerFields, nameOf } from './described-operation.ts';
import { findDestruction } from './doubts/destroys-others.ts';
import { findTrial, saysTrial } from './doubts/find-trial.ts';
import { namesPart } from './doubts/names-part.ts';
import { saysHookLog } from './doubts/says-hook.ts';
import { saysPublish, unsaidVersions } from './doubts/says-publish.ts';
import { answersList, isPage, type Understanding } from './understand-operation.ts';
import type { WantedOperation } from './wanted-operations.ts';
import type { Reading } from './words/read-name.ts';
import type { Resource, Verb } from './words/vocabulary.ts';

export interface Weight {
  /** The higher, the better; 40 where the path alone is about the right thing. */
  score: number;
  /** What speaks for it, and against it. */
  reasons: string[];
  doubts: string[];
  /** Whether only a value in its query or body makes it fail. */
  isByFlag: boolean;
}

interface Weighing extends Weight {
  /** What each of path, name, summary and tag says. */
  said: [what: string, text: string][];
  wanted: WantedOperation;
  /** Whether name and summary (or tag) both say in so many words what the gap is about; then paths and methods may be odd. */
  isNamed: boolean;
}

/** Undefined where too little speaks for it. */
export function weighOperation(wanted: WantedOperation, understood: Understanding): Weight | undefined {
  const known = wanted.verb === 'publish' ? withPublications(understood) : understood;
  const isNamed = areNames(known, wanted);
  const weighing: Weighing = {
    wanted,
    isNamed,
    said: [],
    score: 0,
    reasons: [],
    doubts: [],
    isByFlag: false,
  };
  weighResource(known, weighing);
  if (weighing.score <= 0) return undefined;
  weighVerbs(known, weighing);
  weighMethod(known, weighing);
  weighWords(known, weighing);
  weighFailure(known, weighing);
  weighTrial(known, weighing);
  if (weighing.score < leastScore) return undefined;
  const { score, doubts, isByFlag } = weighing;
  return { score, reasons: [...joinSaid(weighing.said), ...weighing.reasons], doubts, isByFlag };
}

/** Where a path publishes a site, "create a release" and "deploys" say so, too. */
function withPublications(known: Understanding): Understanding {
  const { path, id, summary, tag } = known;
  if (path.resource !== 'site' || !path.verbs.includes('publish')) return known;
  const read = (reading: Reading | undefined): Reading | undefined =>
    reading?.resource === 'publication' &&
    reading.verbs.every((verb) => verb === 'create' || verb === 'publish')
      ? { ...reading, resource: 'site', verbs: reading === tag ? [] : ['publish'] }
      : reading;
  return { ...known, id: read(id), summary: read(summary), tag: read(tag) };
}

/** Who says the same is named together. */
function joinSaid(said: Weighing['said']): string[] {
  const byText = Map.groupBy(said, ([, text]) => text);
  return [...byText].map(
    ([text, all]) =>
      `its ${all.map(([what]) => what).join(' and its ')} ${text.replace(/^(is|says)/, (verb) => (all.length > 1 ? (plural[verb] ?? verb) : verb))}`,
  );
}

const plural: Readonly<Record<string, string>> = { is: 'are', says: 'say' };

const leastScore = 25;

/** Both are there, one of them says it all, and the other nothing else. */
function areNames({ id, summary, tag }: Understanding, wanted: WantedOperation): boolean {
  const said = [id, summary ?? tag].map((reading) => agreement(reading, wanted));
  return !said.includes('none') && said.includes('whole');
}

function agreement(
  reading: Reading | undefined,
  { resource, verb }: WantedOperation,
): 'whole' | 'part' | 'none' {
  if (!reading || reading.foreign.length > 0) return 'none';
  const isAbout = reading.resource === resource || (resource === 'submission' && reading.resource === 'form');
  const isVerb = resource === 'ai' || reading.verbs.some((one) => (accepted[verb] ?? [verb]).includes(one));
  if (isAbout && isVerb) return 'whole';
  const isSilent = reading.verbs.length === 0 || reading.resource === undefined;
  return isSilent && (isAbout || isVerb) ? 'part' : 'none';
}

/** The verbs that a name may have where a gap is about one. */
const accepted: Partial<Record<Verb, readonly Verb[]>> = {
  create: ['create', 'save', 'generate', 'submit'],
  list: ['list', 'read'],
  get: ['get', 'read'],
  update: ['update', 'save'],
  generate: ['generate', 'create', 'submit', 'read'],
};

type Points = readonly [right: number, wrong: number];

function weighResource(known: Understanding, weighing: Weighing): void {
  const { path, id, summary, tag, mentioned, operation } = known;
  const { resource } = weighing.wanted;
  const weigh = (reading: Reading | undefined, [right, wrong]: Points, what: string) => {
    if (!reading?.resource) return;
    const isRight = reading.resource === resource;
    const isHolder = !isRight && holdersOf(resource).includes(reading.resource);
    weighing.score += isRight ? right : isHolder ? wrong / 3 : wrong;
    if (isRight) weighing.said.push([what, `is about ${plurals[resource]}`]);
    else if (!isHolder) weighing.doubts.push(`its ${what} is about ${plurals[reading.resource]}`);
  };
  weigh(path, [40, weighing.isNamed ? -15 : -40], 'path');
  weigh(id, [12, -12], 'name');
  weigh(summary, [12, -12], 'summary');
  weigh(tag, [12, -12], 'tag');
  weighKind(known, weighing);
  // Of several kinds of keys, those that are called so.
  if (resource === 'key' && /(api|access)[-_]?key/i.test(operation.path)) weighing.score += 12;
  if (mentioned.includes(resource)) weighing.score += 4;
  // Of twins, the one that stands where the interface document has its own.
  if (operation.path.startsWith('/tenant/sites')) weighing.score += 12;
}

/** Things that other products have under the same names. */
function weighKind({ operation, isOfApiKeys, isOfHooks }: Understanding, { wanted, doubts }: Weighing): void {
  const { path } = operation;
  const { resource } = wanted;
  if (resource === 'key' && !isOfApiKeys) doubts.push('nothing says that its keys are those of the API');
  if (resource === 'delivery' && !saysHookLog(operation))
    doubts.push('nothing says that it is the log of webhooks');
  if (resource === 'site' && /(^|\/)public\//i.test(path)) doubts.push('its path says "public"');
  if (resource === 'subscription' && !isOfHooks)
    doubts.push('nothing says that its subscriptions are of webhooks');
  if (resource === 'publication' && /api[-_]?versions?/i.test(path))
    doubts.push('its path is about versions of the API');
  if (resource === 'publication' && !saysPublish(operation)) doubts.push(unsaidVersions);
}

/** What may be named instead, since it holds what is meant. */
function holdersOf(resource: Resource): Resource[] {
  if (resource === 'submission') return ['form', 'site'];
  return resource === 'delivery' ? ['subscription', 'site'] : ['site'];
}

const plurals: Readonly<Record<Resource, string>> = {
  site: 'sites',
  content: 'content',
  form: 'forms',
  submission: 'what came by forms',
  comment: 'comments',
  key: 'API keys',
  subscription: 'webhook subscriptions',
  delivery: 'the push log',
  publication: 'publishes',
  ai: 'AI',
};

function weighVerbs(known: Understanding, weighing: Weighing): void {
  const { path, verbPlace, id, summary, variant, operation } = known;
  const { verb, resource } = weighing.wanted;
  const fitting = accepted[verb] ?? [verb];
  const readsOnly = verb === 'list' || verb === 'get';
  const opposite = verb === 'get' ? 'list' : verb === 'list' ? 'get' : undefined;
  // Some "retrieve" lists.
  const getsMany = verb === 'list' && answersList(operation);
  const weigh = (reading: Reading | undefined, [right, wrong]: Points, what: string) => {
    const [said] = reading?.verbs ?? [];
    if (!reading || said === undefined) return;
    const isOpposite = said === opposite && !getsMany;
    const isRight =
      !isOpposite && reading.verbs.some((one) => fitting.includes(one) || (getsMany && one === 'get'));
    // To "get" may be to get one or all.
    const isVague = resource !== 'ai' && said === 'read' && !reading.verbs.includes(verb);
    weighing.score += isRight ? (isVague ? right * 0.4 : right) : wrong;
    const narrowing = readsOnly ? reading.verbs.find((one) => narrowed.has(one)) : undefined;
    if (isRight && narrowing !== undefined) weighing.doubts.push(`its ${what} says "${narrowing}"`);
    if (isRight) weighing.said.push([what, `says "${said}"`]);
    else weighing.doubts.push(`its ${what} says "${said}"`);
  };
  weigh(path, [25, -45], verbPlace);
  const listing = [path, id, summary].some((reading) => reading?.verbs.includes('list'));
  if (verb === 'list' && path.verbs.includes('read') && !listing && !answersList(operation))
    weighing.doubts.push('it may read one, or all');
  if (verb === 'get' && isPage(operation)) weighing.doubts.push('its answer is a list');
  // The name of a call that does several things is that of one of them.
  if (variant === 'guessed') weighing.doubts.push('one body is described for several calls');
  if (variant) return;
  weigh(id, [10, -14], 'name');
  weigh(summary, [10, -14], 'summary');
}

/** Verbs that say which of them are read: "list deleted sites". */
const narrowed: ReadonlySet<Verb> = new Set(['delete', 'publish', 'import']);

function weighMethod({ path, shape, operation }: Understanding, weighing: Weighing): void {
  const { verb, resource } = weighing.wanted;
  const { method } = operation;
  const isDeleting = method === 'DELETE' && verb !== 'delete';
  if (isDeleting || (method === 'GET' && !['list', 'get'].includes(verb))) {
    weighing.score -= isDeleting ? 60 : 15;
    if (!weighing.isNamed) weighing.doubts.push(`a ${method} is used for something else`);
  }
  const part = namesPart(operation, weighing.wanted);
  if (part !== undefined) {
    weighing.score -= 10;
    weighing.doubts.push(`its path ends with "${part}"`);
  }
  if (path.verbs.length > 0 || resource === 'ai') return;
  if (shape === verb) {
    weighing.score += 20;
    weighing.reasons.push(`its method is ${method}`);
    return;
  }
  const isSilent = path.resource === undefined;
  weighing.score -= weighing.isNamed || isSilent ? 5 : 30;
  if (!weighing.isNamed) weighing.doubts.push(`a ${method} like this is used to ${shape}`);
}

function weighWords({ path, id, summary, tag, aside, operation }: Understanding, weighing: Weighing): void {
  const { fails, verb, resource } = weighing.wanted;
  const isOfPushes = resource === 'subscription' || resource === 'delivery';
  const note = (words: readonly string[] | undefined, cost: number, what: string) => {
    // A publish that fails is there for tests, and messages are what webhooks send.
    const telling =
      words?.filter((word) => !(fails && /^tests?$/.test(word)) && !(isOfPushes && word === '消息')) ?? [];
    for (const word of telling.slice(0, 3)) {
      weighing.score -= cost;
      weighing.doubts.push(`its ${what} says "${word}"`);
    }
  };
  note(path.foreign, 30, 'path');
  note(id?.foreign, 15, 'name');
  note(summary?.foreign, 15, 'summary');
  note(tag?.foreign, 15, 'tag');
  note(aside, 5, 'description');
  const isSilent = path.resource === undefined && path.verbs.length === 0;
  note(path.before, 3, 'path');
  // A word that people repeat is what it is about.
  const said = `${operation.id} ${operation.texts[0] ?? operation.tags[0]}`.toLowerCase();
  const unknown = path.unknown
    .filter((word) => !weighing.isNamed || said.includes(word))
    .filter((word) => !(verb === 'import' && /^(url|link|remote|external)$/.test(word)))
    .filter((word) => !(resource === 'ai' && /^texts?$/.test(word)));
  // What a text is written for may have any name.
  note(unknown, isSilent || resource === 'ai' ? 5 : 30, 'path');
  if (!operation.isDeprecated) return;
  weighing.score -= 25;
  weighing.doubts.push('it is deprecated');
}

function weighFailure({ path, id, summary, failing, variant }: Understanding, weighing: Weighing): void {
  const { fails, verb } = weighing.wanted;
  if (verb !== 'publish') return;
  const isNamedSo = !variant && !failing && ((id?.fails ?? false) || (summary?.fails ?? false));
  const isSaid = path.fails || isNamedSo || (failing?.isAlways ?? false);
  weighing.isByFlag = fails && failing !== undefined && !isSaid;
  if (fails !== (isSaid || weighing.isByFlag)) weighing.score -= 70;
  if (fails && isSaid) weighing.reasons.push('it speaks of a failure');
  if (weighing.isByFlag) weighing.reasons.push(`${failing?.pointer} in its ${failing?.place} makes it fail`);
}

/** Where a call only begins what another one has to confirm. */
function asksToConfirm(operation: Understanding['operation']): boolean {
  return answerFields(operation).some(
    (field) =>
      /(confirm|approv)[a-z]*_?(token|code|url|link|required|needed)/i.test(nameOf(field)) ||
      field.values.some((value) => /await|needs?_|(requires?|pending)_(approv|confirm)/i.test(String(value))),
  );
}

function weighTrial({ operation }: Understanding, weighing: Weighing): void {
  const { verb, fails } = weighing.wanted;
  const destruction = findDestruction(operation, verb);
  if (destruction !== undefined) weighing.doubts.push(`its text says "${destruction.slice(0, 60)}"`);
  if ((verb === 'delete' || verb === 'publish') && asksToConfirm(operation))
    weighing.doubts.push('its answer says that it has to be confirmed');
  if (verb === 'list' || verb === 'get' || fails) return;
  const trial = findTrial(operation, verb);
  if (trial !== undefined) {
    weighing.score -= 30;
    weighing.doubts.push(`what it sends says "${trial}"`);
  }
  // "Publish site (dry run, nothing goes live)".
  const [, aside = ''] = /[(（]([^)）]*)/.exec(operation.texts[0]?.slice(0, 300) ?? '') ?? [];
  if (!saysTrial(aside)) return;
  weighing.score -= 15;
  weighing.doubts.push(`its summary says "${aside.slice(0, 60)}"`);
}
