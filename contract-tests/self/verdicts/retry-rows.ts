import { greeting } from '../tampering.ts';
import type { VerdictRow } from './verdict-row.ts';

export const retryRows: readonly VerdictRow[] = [
  {
    behaviour: 'a greeting of each new target, before the push that fails there',
    run: () => ({
      control: false,
      tamper: () => greeting(20),
      options: {
        tier: 'full',
        cases: 0,
        only: ['RETRY-1', 'RETRY-2', 'SIG-6'],
        maxWaitMs: 81_000,
        arrivalMs: 1_000,
      },
    }),
    passes: ['RETRY-1', 'RETRY-2', 'SIG-6'],
    remarks: ['greeting'],
  },
];
