import type { VerdictRow } from './verdict-row.ts';

export const idempotencyRows: readonly VerdictRow[] = [];
