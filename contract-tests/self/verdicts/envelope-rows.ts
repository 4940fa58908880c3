import { answering, any } from '../tampering.ts';
import type { VerdictRow } from './verdict-row.ts';

export const envelopeRows: readonly VerdictRow[] = [
  {
    behaviour: 'one trace_id for all calls',
    run: () => ({
      tamper: () => answering(any, (body) => ({ ...body, trace_id: 'the-one' })),
      options: { tier: 'full', only: ['ENV-4', 'LIMIT-1', 'LIMIT-2', 'LIMIT-6'], cases: 4 },
    }),
    fails: ['ENV-4'],
    verifies: ['LIMIT-1', 'LIMIT-2', 'LIMIT-6'],
  },
];
