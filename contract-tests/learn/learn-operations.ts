// Finds the operations that the gaps are about among those that the sources show.
import { makeProfile, ProfileError } from '../../openapi/profile.ts';
import type { Gap } from '../../openapi/registers.ts';
import { hasEnvelope } from './answer.ts';
import { type Candidate, findCandidates } from './candidates.ts';
import type { Demand, DescribedOperation } from './described-operation.ts';
import { callOf, subjectsOf } from './subject.ts';
import { wantedOperations } from './wanted-operations.ts';

/** What was learnt of one operation gap. */
export interface LearntOperation {
  gap: Gap;
  /** The value that a profile would have; undefined if nothing fits. */
  value: Record<string, unknown> | undefined;
  /** Whether it may be stated without having been called. */
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
  /** Sentences for people, on what all calls need or lack. */
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
  const joined = joinCalled(operations);
  const { demanding, notes } = readDemands(joined, headers);
  const wanted = wantedOperations.filter(({ gap }) => !Object.hasOwn(given, gap.id));
  const chosen = findCandidates(wanted, subjectsOf(demanding));
  const accepted: Record<string, unknown> = { ...given };
  return {
    operations: wanted.map(({ gap }) => learnt(gap, chosen.get(gap.id) ?? [], accepted)),
    count: joined.length,
    notes: [...notes, ...noteOnEnvelope(joined)],
  };
}

/** Of what was described and called, the description; its calls show the answers that it does not describe. */
function joinCalled(operations: readonly DescribedOperation[]): DescribedOperation[] {
  const described = operations.filter(({ isCalled }) => !isCalled);
  const called = new Map(operations.filter(({ isCalled }) => isCalled).map((one) => [callOf(one), one]));
  const joined = described.map((one) => {
    const call = called.get(callOf(one));
    if (!call) return one;
    const isTold = one.answers.some(({ body = [] }) => body.length > 1);
    const place = `${one.place} and ${call.place}`;
    return { ...one, place, isCalled: true, answers: isTold ? one.answers : call.answers };
  });
  const known = new Set(described.map(callOf));
  return [...joined, ...operations.filter((one) => one.isCalled && !known.has(callOf(one)))];
}

/** A demand is a doubt, unless it is given, or most operations have it: then it is said once. */
function readDemands(operations: readonly DescribedOperation[], given: readonly string[]) {
  const known = new Set(given.map((name) => `header ${name.toLowerCase()}`));
  const keyOf = (one: Demand) => `${one.in} ${one.name.toLowerCase()}`;
  const all = operations.flatMap(({ demands = [] }) => demands).filter((one) => !known.has(keyOf(one)));
  const groups = [...Map.groupBy(all, keyOf)].filter(([key]) => !key.startsWith('body'));
  const usual = groups.filter(([, { length }]) => length >= fewestUsual && length > operations.length / 2);
  for (const [key] of usual) known.add(key);
  const notes = usual.map(([key, { length }]) => {
    const advice = key.startsWith('header')
      ? 'give it with --header, in runs too'
      : 'no call of sitepub has one';
    return `${length} of ${operations.length} operations require the ${key}: ${advice}`;
  });
  const doubtsOf = ({ demands = [], doubts = [] }: DescribedOperation) => [
    ...doubts,
    ...demands.filter((one) => !known.has(keyOf(one))).map(sayDemand),
  ];
  return { demanding: operations.map((one) => ({ ...one, doubts: doubtsOf(one) })), notes };
}

const fewestUsual = 3;

function sayDemand({ in: place, name }: Demand): string {
  if (place !== 'body') return `it requires the ${place} ${name}`;
  return `its body is of the type ${name}, and that of a profile is JSON`;
}

function noteOnEnvelope(operations: readonly DescribedOperation[]): string[] {
  const bodies = operations.flatMap(({ answers }) => answers.map(({ body = [] }) => body));
  const told = bodies.filter((body) => body.length > 1);
  const lacking = told.filter((body) => !hasEnvelope(body));
  if (lacking.length === 0 || lacking.length < told.length / 2) return [];
  const count = `${lacking.length} of ${told.length} answers are described`;
  return [`${count} without code, message and data, so nothing about values in answers is certain`];
}

/** What no profile can state together with the rest is doubtful. Adds what is certain to what is accepted. */
function learnt(
  gap: Gap,
  [first, ...others]: readonly Candidate[],
  accepted: Record<string, unknown>,
): LearntOperation {
  const { value, reasons = [], doubts = ['no operation is like it'], subject } = first ?? {};
  const clashes = doubts.length === 0 ? clashesOf({ ...accepted, [gap.id]: value }) : [];
  const isClear = doubts.length + clashes.length === 0;
  if (isClear) accepted[gap.id] = value;
  const waitsForCall = isClear && gap.id.startsWith('operation.delete-');
  return {
    ...{ gap, value, reasons, waitsForCall, isCertain: isClear && !waitsForCall },
    doubts: [...doubts, ...clashes],
    place: subject?.operation.place,
    alternatives: others.map((one) => ({
      value: one.value,
      place: one.subject.operation.place,
      doubts: one.doubts,
    })),
  };
}

function clashesOf(values: Readonly<Record<string, unknown>>): string[] {
  try {
    makeProfile(values, { name: 'learn', source: 'learn' });
    return [];
  } catch (error) {
    if (!(error instanceof ProfileError)) throw error;
    return error.problems.map((problem) => problem.replace(/^learn:\d+: /, ''));
  }
}
