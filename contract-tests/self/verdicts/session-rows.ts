import type { VerdictRow } from './verdict-row.ts';

export const sessionRows: readonly VerdictRow[] = [];
