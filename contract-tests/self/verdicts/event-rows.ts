import type { VerdictRow } from './verdict-row.ts';

export const eventRows: readonly VerdictRow[] = [];
