import type { VerdictRow } from './verdict-row.ts';

export const identifierRows: readonly VerdictRow[] = [];
