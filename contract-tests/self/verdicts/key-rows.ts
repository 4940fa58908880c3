import type { VerdictRow } from './verdict-row.ts';

export const keyRows: readonly VerdictRow[] = [];
