// Weighs the operations that may be those of the gaps, and gives each gap its own: the best pairs are made first.
import { readAnswer } from './answer.ts';
import { fillRequest } from './request.ts';
import { type Called, callRules, type Pair, type Rule, wordRules } from './rules.ts';
import type { Subject } from './subject.ts';
import type { WantedOperation } from './wanted-operations.ts';

export interface Candidate extends Evidence {
  gap: string;
  subject: Subject;
  /** The value that a profile would have. */
  value: Record<string, unknown>;
}

interface Evidence {
  score: number;
  reasons: readonly string[];
  doubts: readonly string[];
}

/** `words`: what path, name and summary have to say of a candidate. `lead`: over the next one. */
const least = { words: 3, certain: 6, lead: 1.5 };
const mostOthers = 2;

/** By the ids of gaps: the likeliest first, rivals among its doubts; then up to two others. */
export function findCandidates(
  wanted: readonly WantedOperation[],
  subjects: readonly Subject[],
): Map<string, Candidate[]> {
  const all = wanted.flatMap((one) =>
    subjects.flatMap((subject) => weigh({ ...subject, wanted: one }, subject) ?? []),
  );
  all.sort((one, other) => other.score - one.score);
  const [chosen, taken] = [new Map<string, Candidate>(), new Map<Subject, Candidate>()];
  for (const one of all) {
    if (chosen.has(one.gap) || taken.has(one.subject)) continue;
    chosen.set(one.gap, one);
    taken.set(one.subject, one);
  }
  const isFree = (one: Candidate) => (taken.get(one.subject)?.score ?? 0) <= one.score;
  return new Map(
    [...chosen].map(([gap, first]) => {
      const others = all.filter((one) => one.gap === gap && one !== first && isFree(one));
      return [gap, [{ ...first, doubts: doubtsOf(first, others) }, ...others.slice(0, mostOthers)]];
    }),
  );
}

function doubtsOf({ score, doubts }: Candidate, others: readonly Candidate[]): string[] {
  const rivals = others.filter((other) => other.score > score - least.lead).slice(0, mostOthers);
  const calls = rivals.map(({ subject: { operation } }) => `${operation.method} ${operation.path}`);
  const isWeak = doubts.length === 0 && score < least.certain;
  return [
    ...doubts,
    ...(isWeak ? ['little speaks for it'] : []),
    ...calls.map((call) => `${call} fits as well`),
  ];
}

/** An operation that nowhere names the resource is no candidate. */
function weigh(pair: Pair, subject: Subject): Candidate | undefined {
  const { wanted, resource, name, summary, operation } = pair;
  if (![resource, ...name.resources, ...summary.resources].includes(wanted.resource)) return undefined;
  const words = apply(wordRules, pair);
  if (words.score < least.words) return undefined;
  const answer = readAnswer(operation, wanted);
  const called = {
    ...pair,
    answer,
    request: fillRequest(operation, wanted, answer),
  };
  const more = apply(callRules, called);
  return {
    ...{ gap: wanted.gap.id, subject, value: stateCall(called) },
    score: words.score + more.score,
    reasons: [...words.reasons, ...more.reasons],
    doubts: [...words.doubts, ...more.doubts],
  };
}

function apply<Known extends Pair>(rules: readonly Rule<Known>[], one: Known): Evidence {
  const { resource, verb } = one.wanted;
  const found = rules.flatMap(({ points, says, when }) => {
    const holds = when(one);
    const words = typeof holds === 'boolean' ? (holds ? [''] : []) : [...new Set(holds)];
    const text = says.replace('$', resource).replace('!', verb);
    return words.map((word) => ({ points, text: text.replace('%', () => word) }));
  });
  return {
    score: found.reduce((sum, { points }) => sum + points, 0),
    reasons: found.filter(({ points }) => points > 0).map(({ text }) => text),
    doubts: found.filter(({ points }) => points < 0).map(({ text }) => text),
  };
}

/** As a profile states it. */
function stateCall({ operation: { method, auth }, request, answer }: Called): Record<string, unknown> {
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
