// Gives each gap its operation, all gaps together: an operation serves one, and the best pairs are made first.
import type { DescribedOperation } from './described-operation.ts';
import type { Match } from './match-operation.ts';

export interface Assigned {
  match: Match;
  /** What speaks against it, rivals included. */
  doubts: readonly string[];
  /** What else the gap's operation may be, the likeliest first. */
  others: readonly Match[];
}

/** So much better has the best one to be. */
const margin = 10;
const mostOthers = 3;
const leastCertain = 50;

/** By the ids of gaps. */
export function assignOperations(matches: readonly Match[]): Map<string, Assigned> {
  const sorted = [...matches].sort((one, other) => other.score - one.score);
  const chosen = new Map<string, Match>();
  const taken = new Map<DescribedOperation, Match>();
  for (const match of sorted) {
    const { operation } = match.known;
    if (chosen.has(match.wanted.gap.id) || (taken.has(operation) && !match.isByFlag)) continue;
    chosen.set(match.wanted.gap.id, match);
    if (!match.isByFlag) taken.set(operation, match);
  }
  const ofGap = Map.groupBy(sorted, ({ wanted }) => wanted.gap.id);
  return new Map(
    [...chosen].map(([gap, match]) => {
      const others = (ofGap.get(gap) ?? []).filter((other) => other !== match && !isTaken(other, taken));
      return [gap, { match, doubts: doubtsOf(match, others), others: others.slice(0, mostOthers) }];
    }),
  );
}

/** Whether an operation serves another gap, and better so. */
function isTaken(match: Match, taken: ReadonlyMap<DescribedOperation, Match>): boolean {
  const other = taken.get(match.known.operation);
  return other !== undefined && other.score > match.score + margin;
}

/** Whether another one may be meant as well. What is doubtful itself has to be the likelier one; a change of a part and of the whole is the same gap. */
function isRival(other: Match, match: Match): boolean {
  const [path, own] = [other, match].map(({ known }) => known.operation.path);
  const isSameChange = match.wanted.verb === 'update' && path === own && isClean(other);
  if (isSameChange) return false;
  const isLikelier = match.doubts.length === 0 && other.doubts.length > 0;
  return other.score > match.score - (isLikelier ? 0 : margin);
}

function isClean({ doubts }: Match): boolean {
  return doubts.length === 0;
}

function doubtsOf(match: Match, others: readonly Match[]): string[] {
  const rivals = others.filter((other) => isRival(other, match));
  return [
    ...match.doubts,
    ...(match.score < leastCertain && match.doubts.length === 0 ? ['little speaks for it'] : []),
    ...rivals
      .slice(0, mostOthers)
      .map(({ known: { operation } }) => `${operation.method} ${operation.path} fits as well`),
  ];
}
