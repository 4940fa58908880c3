import { loadProfile, makeProfile, type Profile, statedValues } from '../../../openapi/profile.ts';
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
  {
    behaviour: 'an HTTP client that follows a redirect to success',
    run: () => ({ spoken: spoken({ 'webhook.redirects': 'counted' }), told: usual, options: ofRetries }),
    passes: ['RETRY-1', 'RETRY-2', 'RETRY-3'],
    verifies: ['RETRY-4', 'RETRY-5'],
    drifts: ['webhook.redirects'],
  },
  {
    behaviour: 'retries that are 45 s late, since a timer polls for them',
    run: () => ({
      spoken: spoken({ 'webhook.retry-delay': 45 }),
      told: usual,
      options: { ...ofRetries, only: ['RETRY-1', 'RETRY-2'] },
    }),
    passes: ['RETRY-1', 'RETRY-2'],
    remarks: ['late'],
  },
  {
    behaviour: 'retries after 2, 6 and 31 minutes, each time',
    run: () => ({ spoken: spoken({ 'webhook.retry-delay': 60 }), told: usual, options: ofRetries }),
    fails: ['RETRY-3'],
  },
];

const ofRetries = {
  tier: 'full',
  cases: 0,
  only: ['RETRY-1', 'RETRY-2', 'RETRY-3', 'RETRY-4', 'RETRY-5'],
} as const;
const usual = loadProfile('default');

function spoken(values: Record<string, unknown>): Profile {
  return makeProfile({ ...statedValues(usual), ...values }, { name: 'unlike', source: 'test' });
}
