import type { VerdictRow } from './verdict-row.ts';

export const envelopeRows: readonly VerdictRow[] = [];
