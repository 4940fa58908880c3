import type { VerdictRow } from './verdict-row.ts';

export const subscriptionRows: readonly VerdictRow[] = [];
