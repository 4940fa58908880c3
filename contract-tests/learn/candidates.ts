// Scores operations for each gap, and assigns them greedily by score.
import { type Answer, readAnswer } from './answer.ts';
import type { DescribedOperation } from './described-operation.ts';
import { fillRequest, type Request } from './request.ts';
import { judge } from './rules.ts';
import type { Subject } from './subject.ts';
import type { WantedOperation } from './words.ts';

export interface Candidate {
  /** As a profile states it. */
  value: Record<string, unknown>;
  /** Place in the source, for example "line 7 of api.json". */
  place: string;
  reasons: readonly string[];
  doubts: readonly string[];
}

interface Weighed extends Candidate {
  gap: string;
  score: number;
  subject: Subject;
}

/** Least score of a candidate, least score without a doubt, and least lead over a rival. */
const least = { score: 2, certain: 6, lead: 1.5 };
const mostOthers = 2;

/** By gap id: the likeliest candidate, with rivals among its doubts, then up to two others. */
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
  const weak = doubts.length === 0 && score < least.certain ? ['weak match'] : [];
  return [...doubts, ...weak, ...calls.map((call) => `${call} also fits`)];
}

/** Returns nothing if the score is too low or the operation never names the resource. */
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
