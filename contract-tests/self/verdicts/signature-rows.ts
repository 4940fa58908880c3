import type { VerdictRow } from './verdict-row.ts';

export const signatureRows: readonly VerdictRow[] = [];
