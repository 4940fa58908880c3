// The operations that gaps are about, and what a call of each needs.
import { type Gap, gaps } from '../../openapi/registers.ts';
import { type OperationRow, table } from './words.ts';

export interface WantedOperation extends OperationRow {
  gap: Gap;
}

/** In the order of the gaps. */
export const wantedOperations: readonly WantedOperation[] = gaps.flatMap((gap) => {
  const row = table.operations[gap.id.slice('operation.'.length)];
  return gap.kind === 'operation' && row ? [{ gap, ...row }] : [];
});

/** Whether it has to speak of a failure. */
export function isOfFailure({ gap }: WantedOperation): boolean {
  return gap.id === 'operation.fail-publish';
}

export function isReading({ verb }: WantedOperation): boolean {
  return verb === 'list' || verb === 'get';
}

export function isCreating({ verb }: Pick<WantedOperation, 'verb'>): boolean {
  return verb === 'create' || verb === 'import';
}
