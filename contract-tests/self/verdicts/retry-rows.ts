import { loadProfile, makeProfile, type Profile, statedValues } from '../../../openapi/profile.ts';
import { answering, dataOf, greeting } from '../tampering.ts';
import type { Tamper } from '../tampering-proxy.ts';
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
    behaviour: 'retries after 2 and 6 minutes, each time',
    run: () => ({ faults: ['retry-after-two-minutes', 'retry-after-six-minutes'], options: ofRetries }),
    fails: ['RETRY-3'],
  },
  {
    behaviour: 'a push log that lags by 2 s, longer than the run waits for it',
    run: () => ({ ...realTime, tamper: () => hiddenLog(2_000), options: log }),
    passes: ['LOG-1', 'EVENT-11'],
    remarks: ['late'],
  },
  {
    behaviour: 'a push log that never shows anything',
    run: () => ({
      ...realTime,
      tamper: () => hiddenLog(Number.POSITIVE_INFINITY),
      options: { ...log, patienceMs: 2_000 },
    }),
    fails: ['LOG-1'],
  },
];

/** Real time, with short waits: what the log shows late comes after the arrival timeout, and within the patience. */
const realTime = { control: false } as const;
const log = { tier: 'full', only: ['LOG-1', 'EVENT-11'], arrivalMs: 300, patienceMs: 6_000 } as const;

const ofRetries = {
  tier: 'full',
  cases: 0,
  only: ['RETRY-1', 'RETRY-2', 'RETRY-3', 'RETRY-4', 'RETRY-5'],
} as const;
const usual = loadProfile('default');

function spoken(values: Record<string, unknown>): Profile {
  return makeProfile({ ...statedValues(usual), ...values }, { name: 'unlike', source: 'test' });
}

/** Shows an empty log until some time after it was read first. */
function hiddenLog(ms: number): Tamper {
  let readAt: number | undefined;
  return answering(
    ({ message: { path } }) => /\/deliveries(\?|$)/.test(path),
    (body) => {
      readAt ??= Date.now();
      const isShown = Date.now() - readAt > ms;
      return isShown ? body : { ...body, data: { ...dataOf(body), list: [], total: 0 } };
    },
  );
}
