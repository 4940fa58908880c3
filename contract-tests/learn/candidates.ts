// Weighs the operations that may be those of the gaps, and gives each gap its own: the best pairs are made first.
import { type Answer, readAnswer } from './answer.ts';
import type { DescribedOperation } from './described-operation.ts';
import { fillRequest, type Request } from './request.ts';
import { judge } from './rules.ts';
import type { Subject } from './subject.ts';
import type { WantedOperation } from './words.ts';

export interface Candidate {
  /** The value that a profile would have. */
  value: Record<string, unknown>;
  /** Where the operation stands, for people. */
  place: string;
  /** What speaks for it, and what speaks against it or against being sure. */
  reasons: readonly string[];
  doubts: readonly string[];
}

interface Weighed extends Candidate {
  gap: string;
  score: number;
  subject: Subject;
}

/** `score`: that of its words, with what it answers. `lead`: over the next one. */
const least = { score: 2, certain: 6, lead: 1.5 };
const mostOthers = 2;

/** By the ids of gaps: the likeliest first, rivals among its doubts; then up to two others. */
export function findCandidates(wanted: readonly WantedOperation[], subjects: readonly Subject[]) {
  const all = wanted.flatMap((one) => subjects.flatMap((subject) => weigh(one, subject)));
  all.sort((one, other) => other.score - one.score);
  const [chosen, taken] = [new Map<string, Weighed>(), new Map<Subject, Weighed>()];
  for (const one of all) {
    if (chosen.has(one.gap) || taken.has(one.subject)) continue;
    chosen.set(one.gap, one);
    taken.set(one.subject, one);
  }
  const isFree = (one: Weighed) => (taken.get(one.subject)?.score ?? 0) <= one.score;
  return new Map<string, Candidate[]>(
    [...chosen].map(([gap, first]) => {
      const others = all.filter((one) => one.gap === gap && one !== first && isFree(one));
      return [gap, [{ ...first, doubts: doubtsOf(first, others) }, ...others.slice(0, mostOthers)]];
    }),
  );
}

function doubtsOf({ score, doubts }: Weighed, others: readonly Weighed[]): string[] {
  const rivals = others.filter((other) => other.score > score - least.lead).slice(0, mostOthers);
  const calls = rivals.map(({ subject: { operation } }) => `${operation.method} ${operation.path}`);
  const weak = doubts.length === 0 && score < least.certain ? ['little speaks for it'] : [];
  return [...doubts, ...weak, ...calls.map((call) => `${call} fits as well`)];
}

/** Returns no candidate if too little speaks for it, or if it nowhere names the resource. */
function weigh(wanted: WantedOperation, subject: Subject): Weighed[] {
  const { operation, resource, name, summary } = subject;
  if (![resource, ...name.resources, ...summary.resources].includes(wanted.resource)) return [];
  const answer = readAnswer(operation, wanted);
  const request = fillRequest(operation, wanted, answer.pointers.next !== undefined);
  const judgement = judge({ ...subject, wanted, answer, request });
  if (judgement.score + request.doubts.length < least.score) return [];
  const value = stateCall(operation, request, answer);
  return [{ ...judgement, gap: wanted.gap.id, subject, place: operation.place, value }];
}

/** As a profile states it. */
function stateCall(operation: DescribedOperation, request: Request, answer: Answer) {
  const { method, auth } = operation;
  const { next, ...pointers } = answer.pointers;
  const { path, body, query, filled } = request;
  return {
    ...{ method, path, ...(auth && { auth }), ...(body && { body }) },
    ...(Object.keys(query).length > 0 && { query }),
    ...((answer.status ?? 200) !== 200 && { status: answer.status }),
    ...pointers,
    ...(filled.has('cursor') && { next }),
  };
}
