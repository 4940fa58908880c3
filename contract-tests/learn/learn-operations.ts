// Which operations of a deployment are those that the gaps are about.
import { isObject } from '../../openapi/json.ts';
import { makeProfile, ProfileError } from '../../openapi/profile.ts';
import type { Gap } from '../../openapi/registers.ts';
import { parameterOf, pointerFor } from './answer/identify-by-parameter.ts';
import { assignOperations } from './assign-operations.ts';
import type { DescribedOperation } from './described-operation.ts';
import { isDocumented } from './documented-operations.ts';
import { sayOtherName } from './doubts/doubt-other-name.ts';
import { isNamedByOther, repeatedInstead } from './doubts/other-identifier.ts';
import { isOfJob, readsByOther } from './doubts/other-than-version.ts';
import { unsaidVersions } from './doubts/says-publish.ts';
import { withoutUsualDemands } from './doubts/usual-demands.ts';
import { type Match, matchOperation } from './match-operation.ts';
import { mergeOperations } from './merge-operations.ts';
import { type NamedContent, nameContent } from './name-content.ts';
import { preferOrdinary } from './prefer-ordinary.ts';
import { type Understanding, understandOperations } from './understand-operation.ts';
import { wantedOperations } from './wanted-operations.ts';
import { isPublicState } from './words/public-state.ts';

/** What was learnt of one operation gap. */
export interface LearntOperation {
  gap: Gap;
  /** The value that a profile would have; undefined where nothing fits. */
  value: Record<string, unknown> | undefined;
  isCertain: boolean;
  /** Whether it reads clearly, and deletes: it is stated once it has been called on something that was made for that. */
  waitsForCall: boolean;
  /** What speaks for it. */
  reasons: readonly string[];
  /** What speaks against it, or against being sure. */
  doubts: readonly string[];
  /** Where the operation stands, for people. */
  place: string | undefined;
  /** What else it may be, the likeliest first. */
  alternatives: readonly Alternative[];
}

interface Alternative {
  value: Record<string, unknown>;
  place: string;
  doubts: readonly string[];
}

export interface Learning {
  /** In the order of the gaps; without those that were given. */
  operations: readonly LearntOperation[];
  /** How many operations the sources have; one that is described and recorded counts once. */
  count: number;
  /** Sentences for people, on what all calls need. */
  notes: readonly string[];
}

interface Known {
  /** The values that a profile states already. */
  given: Readonly<Record<string, unknown>>;
  /** Names of headers that are sent with every call. */
  headers?: readonly string[];
}

/** Finds the operation of each gap that is not given. */
export function learnOperations(
  operations: readonly DescribedOperation[],
  { given, headers = [] }: Known,
): Learning {
  const wanted = wantedOperations.filter(({ gap }) => !Object.hasOwn(given, gap.id));
  const { operations: demanding, notes } = withoutUsualDemands(operations, headers);
  const merged = mergeOperations(demanding);
  const undocumented = merged.filter((one) => !isDocumented(one));
  const { operations: named, restore } = nameContent(undocumented);
  const known = understandOperations(named);
  const matches = wanted.flatMap((one) => known.flatMap((other) => matchOperation(one, other) ?? []));
  const chosen = assignOperations(
    matches.map((match) => preferCalled(preferOrdinary(match, matches), known)),
  );
  const accepted: Record<string, unknown> = { ...given };
  const found = wanted
    .map(({ gap }) => identifyByPaths(learnt(gap, chosen.get(gap.id)), chosen))
    .map((one) => withoutJob(one, chosen.get(one.gap.id), named))
    .map((one) => identifyByCalls(one, chosen));
  const all = found.map((one) => publishedAtOnce(doubtOtherName(readByVersion(one, chosen), chosen), found));
  return {
    operations: all
      .map((one) => accept(restored(one, restore), accepted))
      .map((one) => ({ ...one, waitsForCall: one.isCertain && one.gap.id.startsWith('operation.delete-') })),
    count: merged.length,
    notes,
  };
}

/** What a console calls is likelier than what is only described. */
const calledScore = 20;

function preferCalled(match: Match, known: readonly Understanding[]): Match {
  const isAnyDescribed = known.some(({ operation }) => !operation.seen);
  return match.known.operation.seen && isAnyDescribed
    ? { ...match, score: match.score + calledScore, reasons: [...match.reasons, 'it was called'] }
    : match;
}

interface Choice {
  match: Match;
  doubts: readonly string[];
  others: readonly Match[];
}

function learnt(gap: Gap, choice: Choice | undefined): LearntOperation {
  if (!choice) {
    const doubts = ['no operation is like it'];
    return {
      gap,
      value: undefined,
      isCertain: false,
      waitsForCall: false,
      reasons: [],
      doubts,
      place: undefined,
      alternatives: [],
    };
  }
  const { match, doubts, others } = choice;
  return {
    gap,
    value: match.value,
    isCertain: doubts.length === 0,
    waitsForCall: false,
    reasons: match.reasons,
    doubts,
    place: match.known.operation.place,
    alternatives: others.map(({ value, known, doubts: against }) => ({
      value,
      place: known.operation.place,
      doubts: against,
    })),
  };
}

/** With the names that the deployment has. */
function restored({ gap, ...rest }: LearntOperation, restore: NamedContent['restore']): LearntOperation {
  const within = (value: unknown): unknown => {
    if (typeof value === 'string') return restore(value);
    if (Array.isArray(value)) return value.map(within);
    if (!isObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [restore(key), within(part)]));
  };
  return { gap, ...(within(rest) as Omit<LearntOperation, 'gap'>) };
}

/** A publish is asked for by its version; a deployment may ask for another identifier that it has. */
function readByVersion(one: LearntOperation, chosen: ReadonlyMap<string, Choice>): LearntOperation {
  const [read, publish] = ['get-publish', 'publish-site'].map(
    (name) => chosen.get(`operation.${name}`)?.match,
  );
  if (one.gap.id !== read?.wanted.gap.id) return one;
  const isGiven =
    one.doubts.every((doubt) => doubt === unsaidVersions) &&
    wasGivenBy(publish, read) &&
    chosen.get('operation.publish-site')?.doubts.length === 0;
  const told = isGiven ? { ...one, isCertain: true, doubts: [] } : one;
  if (!told.isCertain || !readsByOther(read, publish)) return told;
  const doubts = ['what its path names a publish by may be another identifier than the version'];
  return { ...one, isCertain: false, doubts };
}

/** What recorded paths name a thing by is its identifier. */
function identifyByCalls(one: LearntOperation, chosen: ReadonlyMap<string, Choice>): LearntOperation {
  const match = chosen.get(one.gap.id)?.match;
  if (!match || !one.value) return one;
  const matchOf = (name: string) => chosen.get(`operation.${name}`)?.match;
  const givers = givingGaps.map(([resource, name]) => [resource, matchOf(name)] as const);
  if (isNamedByOther(match, givers))
    return doubted(one, 'its path has another value than the identifier that is stated');
  const instead = repeatedInstead(match);
  if (!instead) return one;
  const [only, ...more] = instead;
  if (only === undefined || more.length > 0)
    return doubted(one, 'its answer has another identifier than its path');
  return { ...one, value: { ...one.value, id: only } };
}

const givingGaps = [
  ['site', 'create-site'],
  ['site', 'list-sites'],
  ['content', 'create-content'],
  ['key', 'create-key'],
  ['key', 'list-keys'],
  ['subscription', 'list-subscriptions'],
] as const;

/** The identifier of a job is no version. */
function withoutJob(
  one: LearntOperation,
  choice: Choice | undefined,
  operations: readonly DescribedOperation[],
): LearntOperation {
  if (!choice || !one.value || !isOfJob(choice.match, operations)) return one;
  const { version, ...value } = one.value;
  return doubted(
    { ...one, value },
    `what its answer has at ${version} is not the version that later answers have`,
  );
}

function doubted(one: LearntOperation, doubt: string): LearntOperation {
  return { ...one, isCertain: false, doubts: [...one.doubts, doubt] };
}

/** Whether recorded calls have read by what the publish answered. */
function wasGivenBy(publish: Match | undefined, read: Match): boolean {
  const { method, path, seen } = read.known.operation;
  const links = publish?.known.operation.seen?.links ?? [];
  return seen !== undefined && links.some(({ usedBy }) => usedBy.method === method && usedBy.path === path);
}

/** An answer may have other identifiers than the one that paths take. */
function identifyByPaths(one: LearntOperation, chosen: ReadonlyMap<string, Choice>): LearntOperation {
  const match = chosen.get(one.gap.id)?.match;
  if (!match || !one.value || match.known.operation.seen) return one;
  const matches = [...chosen.values()].map((choice) => choice.match);
  const parameter = parameterOf(match.wanted.resource, matches);
  const { operation } = match.known;
  const value = { ...one.value };
  const doubts: string[] = [];
  for (const [read, start] of [
    ['id', ''],
    ['item.id', `${value.list}/*`],
  ] as const) {
    const pointer = value[read];
    if (typeof pointer !== 'string') continue;
    const right = pointerFor(parameter, pointer, operation, start);
    if (right === undefined) {
      delete value[read];
      doubts.push('which identifier in its answer is the one that paths take is not said');
    } else value[read] = right;
  }
  const all = [...one.doubts, ...doubts];
  return { ...one, value, doubts: all, isCertain: all.length === 0 };
}

function doubtOtherName(one: LearntOperation, chosen: ReadonlyMap<string, Choice>): LearntOperation {
  const matchOf = (id: string) => chosen.get(id)?.match;
  const match = matchOf(one.gap.id);
  // A recording shows by its identifiers what is deleted, and of twins people may call either.
  if (!match || !one.isCertain || match.known.operation.seen) return one;
  const pathOf = (name: string) => matchOf(`operation.${name}`)?.known.operation.path;
  const doubt = sayOtherName(match.known.operation.path, match.wanted.resource, pathOf);
  return doubt === undefined ? one : doubted(one, doubt);
}

/** Content may be published by the call that creates it: then nothing else publishes it, and a constant says so. */
function publishedAtOnce(one: LearntOperation, all: readonly LearntOperation[]): LearntOperation {
  const [doer] = one.gap.by ?? [];
  const other = all.find(({ gap }) => gap.id === `operation.${doer}`);
  const published = findPublished(other?.value?.body);
  if (one.isCertain || !other?.value || published === undefined) return one;
  const value = { by: doer };
  const reasons = [`what is created is ${published} at once`];
  if (one.value === undefined || one.doubts.length > 1)
    return {
      ...one,
      value,
      isCertain: other.isCertain,
      reasons,
      doubts: other.isCertain ? [] : other.doubts,
      place: other.place,
    };
  const alternative = { value, place: other.place ?? '', doubts: [] };
  return { ...one, alternatives: [alternative, ...one.alternatives] };
}

/** A constant of a body that says that what it holds is public. */
function findPublished(body: unknown): string | undefined {
  if (!isObject(body)) return undefined;
  return Object.values(body).map(String).find(isPublicState);
}

/** What no profile can state together with the rest is doubtful. */
function accept(one: LearntOperation, accepted: Record<string, unknown>): LearntOperation {
  if (!one.isCertain) return one;
  const id = one.gap.id;
  try {
    makeProfile({ ...accepted, [id]: one.value }, { name: 'learn', source: 'learn' });
    accepted[id] = one.value;
    return one;
  } catch (error) {
    if (!(error instanceof ProfileError)) throw error;
    const doubts = error.problems.map((problem) => problem.replace(/^learn:\d+: /, ''));
    return { ...one, isCertain: false, doubts };
  }
}
