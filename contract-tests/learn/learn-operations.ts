import type { Gap } from '../../openapi/registers.ts';
import { clashesOf } from '../findings/gap-findings.ts';
import { hasEnvelope } from './answer.ts';
import { type Candidate, findCandidates } from './candidates.ts';
import { bareCall, type DescribedOperation } from './described-operation.ts';
import { subjectsOf } from './subject.ts';
import { type WantedOperation, wantedOperations } from './words.ts';

/** The best candidate for an operation gap, if there is one. */
export interface LearntOperation extends Partial<Candidate> {
  gap: Gap;
  doubts: readonly string[];
  /** True if there are no doubts. A profile may then state the operation without a call, unless it deletes. */
  isCertain: boolean;
  alternatives: readonly Candidate[];
}

/** `operations`: in the order of the gaps, without given ones. `count`: operations in the sources. `notes`: for the user. */
export interface Learning {
  operations: readonly LearntOperation[];
  count: number;
  notes: readonly string[];
}

/** Finds the operation of each gap that is not given. `headers`: names of the headers sent with each call. */
export function learnOperations(
  operations: readonly DescribedOperation[],
  { given, headers = [] }: { given: Readonly<Record<string, unknown>>; headers?: readonly string[] },
): Learning {
  const joined = joinCalled(operations).map((one) => withHeaders(one, headers));
  const wanted = wantedOperations.filter(({ gap }) => !Object.hasOwn(given, gap.id));
  const chosen = findCandidates(wanted, subjectsOf(joined));
  const accepted: Record<string, unknown> = { ...given };
  return {
    operations: wanted.map((one) => settle(one, chosen.get(one.gap.id) ?? [], accepted)),
    count: joined.length,
    notes: noteOnEnvelope(joined),
  };
}

/** Prefers the description of an operation that is both described and recorded. */
function joinCalled(operations: readonly DescribedOperation[]): DescribedOperation[] {
  const groups = Map.groupBy(operations, bareCall);
  return [...groups.values()].flatMap((all) => {
    const described = all.filter(({ isCalled }) => !isCalled);
    const call = all.find(({ isCalled }) => isCalled);
    if (!call || described.length === 0) return all;
    return described.map((one) => ({ ...one, isCalled: true, place: `${one.place} and ${call.place}` }));
  });
}

function withHeaders(one: DescribedOperation, headers: readonly string[]): DescribedOperation {
  const given = headers.map((name) => `requires the header ${name}`.toLowerCase());
  return { ...one, doubts: one.doubts.filter((doubt) => !given.includes(doubt.toLowerCase())) };
}

function noteOnEnvelope(operations: readonly DescribedOperation[]): string[] {
  const described = operations.flatMap(({ answers }) => answers.filter(({ body = [] }) => body.length > 1));
  const lacking = described.filter(({ body = [] }) => !hasEnvelope(body));
  if (lacking.length === 0 || lacking.length < described.length / 2) return [];
  const count = `${lacking.length} of ${described.length} answers are described`;
  return [`${count} without code, message and data, so no value in an answer is certain`];
}

/** Records a doubt if the value contradicts the accepted ones; otherwise accepts it. */
function settle(
  { gap, click }: WantedOperation,
  [first, ...alternatives]: readonly Candidate[],
  accepted: Record<string, unknown>,
): LearntOperation {
  const { doubts = [`record: ${click}`] } = first ?? {};
  const clashes = doubts.length === 0 ? clashesOf({ ...accepted, [gap.id]: first?.value }) : [];
  const isCertain = doubts.length + clashes.length === 0;
  if (isCertain) accepted[gap.id] = first?.value;
  return { ...first, gap, alternatives, isCertain, doubts: [...doubts, ...clashes] };
}
