import type { VerdictRow } from './verdict-row.ts';

export const retryRows: readonly VerdictRow[] = [];
