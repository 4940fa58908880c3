// The operations that gaps are about, and what a call of each needs.
import { type Gap, gaps } from '../../openapi/registers.ts';
import { type Resource, table, type Verb } from './words.ts';

export interface WantedOperation {
  gap: Gap;
  resource: Resource;
  verb: Verb;
  /** Whether it has to speak of a failure. */
  fails: boolean;
  /** Whether it reads. */
  isReading: boolean;
  /** The placeholders without which a call says nothing; of those in one list, one is enough. */
  needs: readonly (readonly string[])[];
  /** The same of values in its answer, without which its checks see nothing. */
  answers: readonly (readonly string[])[];
}

/** In the order of the gaps. */
export const wantedOperations: readonly WantedOperation[] = gaps.flatMap((gap) => {
  const row = table.operations[gap.id.slice('operation.'.length)];
  if (gap.kind !== 'operation' || !row) return [];
  const { resource, verb } = row;
  const [needs, answers] = [row.needs ?? [], row.answers ?? []].map((all) =>
    all.map((one) => one.split('|')),
  ) as [string[][], string[][]];
  const [fails, isReading] = [gap.id === 'operation.fail-publish', verb === 'list' || verb === 'get'];
  return { gap, resource, verb, fails, isReading, needs, answers };
});
