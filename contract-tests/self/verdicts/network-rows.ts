import type { VerdictRow } from './verdict-row.ts';

export const networkRows: readonly VerdictRow[] = [];
