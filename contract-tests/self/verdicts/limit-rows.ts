import type { VerdictRow } from './verdict-row.ts';

export const limitRows: readonly VerdictRow[] = [];
