import { profileWith } from '../../../mock/testing/open-mock.ts';
import { eventNames } from '../../../openapi/event-names.ts';
import type { EventName } from '../../../openapi/generated/types.ts';
import { loadProfile } from '../../../openapi/profile.ts';
import { changingData, greeting } from '../tampering.ts';
import type { Message, Tamper } from '../tampering-proxy.ts';
import { replaceSteps } from './limiters.ts';
import { row, type VerdictRow } from './verdict-row.ts';

export const retryRows: readonly VerdictRow[] = [
  row(
    'a greeting of each new target before the failing push',
    { passes: ['RETRY-1', 'RETRY-2', 'SIG-6'], remarks: ['greeting'] },
    () => ({
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
  ),
  row(
    'an HTTP client that follows a redirect to success',
    {
      passes: ['RETRY-1', 'RETRY-2', 'RETRY-3'],
      verifies: ['RETRY-4', 'RETRY-5'],
      drifts: ['webhook.redirects'],
    },
    () => ({ spoken: profileWith({ 'webhook.redirects': 'counted' }), told: usual, options: ofRetries }),
  ),
  row('a redirect that is followed but counts as a failed delivery', { passes: ['RETRY-1'] }, () => ({
    spoken: profileWith({ 'webhook.redirects': 'followed' }),
    options: ofRetries,
  })),
  row(
    'retries up to 45 s late because of a polling timer',
    { passes: ['RETRY-1', 'RETRY-2'], remarks: ['late'] },
    () => ({
      spoken: profileWith({ 'webhook.retry-delay': 45 }),
      told: usual,
      options: { ...ofRetries, only: ['RETRY-1', 'RETRY-2'] },
    }),
  ),
  row('retries always after 2 and 6 minutes', { fails: ['RETRY-3'] }, () => ({
    faults: ['retry-after-two-minutes', 'retry-after-six-minutes'],
    options: ofRetries,
  })),
  row(
    'a push log that lags by 2 s, longer than the arrival timeout',
    { passes: ['LOG-1', 'EVENT-11'], remarks: ['late'] },
    () => ({ ...realTime, tamper: () => hiddenLog(2_000), options: log }),
  ),
  row('a push log that is always empty', { fails: ['LOG-1'] }, () => ({
    ...realTime,
    tamper: () => hiddenLog(Number.POSITIVE_INFINITY),
    options: { ...log, patienceMs: 2_000 },
  })),
  ...(
    [
      ['in the words of the console', (event) => `${String(event).replace('.', ' ')} finished`],
      ['with an underscore', (event) => String(event).replace('.', '_')],
      ['in capitals', (event) => String(event).toUpperCase()],
      ['by a number', (event) => eventNames.indexOf(event as EventName) + 1],
      ['as an object', (event) => ({ name: event })],
    ] satisfies [how: string, write: (event: unknown) => unknown][]
  ).map<VerdictRow>(([how, write]) =>
    row(
      `a push log that names events ${how}`,
      { passes: ['EVENT-11'], leavesOpen: ['LOG-1'], drifts: ['operation.list-deliveries'] },
      () => ({ tamper: () => loggedAs(write), options: ofLog }),
    ),
  ),
  ...(
    [
      ['none', 'full'],
      ['on-creation', 'full'],
      ['none', 'safe'],
    ] as const
  ).map<VerdictRow>(([greeting, tier]) =>
    row(
      `a push log without test messages (suite ${tier}, greetings ${greeting}), and subscriptions that stay`,
      { passes: ['LOG-1'] },
      () => ({
        spoken: profileWith({
          'subscription.greeting': greeting,
          'operation.delete-subscription': 'unknown',
        }),
        sabotage: withoutTestsInLog,
        options: { tier, cases: 0 },
      }),
    ),
  ),
];

const ofLog = { tier: 'full', only: ['LOG-1', 'EVENT-11'], cases: 0 } as const;

/** Renames the events in the log. */
function loggedAs(write: (event: unknown) => unknown): Tamper {
  return changingData(isOfLog, (data) => {
    const list = data.list as { event: unknown }[];
    return { ...data, list: list.map((entry) => ({ ...entry, event: write(entry.event) })) };
  });
}

const withoutTestsInLog = replaceSteps((steps) => ({
  handle: async (handler, call) => {
    const values = await steps.handle(handler, call);
    if (call.operation.id !== 'listDeliveries') return values;
    const isEvent = ({ id }: { id: number }) => call.world.deliveries.get(id)?.isTest === false;
    const list = (values.list as { id: number }[]).filter(isEvent);
    return { ...values, list, total: list.length };
  },
}));

/** Real time with short waits: late log entries come after the arrival timeout but within the patience. */
const realTime = { control: false } as const;
const log = { tier: 'full', only: ['LOG-1', 'EVENT-11'], arrivalMs: 300, patienceMs: 6_000 } as const;

const ofRetries = {
  tier: 'full',
  cases: 0,
  only: ['RETRY-1', 'RETRY-2', 'RETRY-3', 'RETRY-4', 'RETRY-5'],
} as const;
const usual = loadProfile('default');

/** Shows an empty log until some time after the first read. */
function hiddenLog(ms: number): Tamper {
  let readAt: number | undefined;
  return changingData(isOfLog, (data) => {
    readAt ??= Date.now();
    return Date.now() - readAt > ms ? data : { ...data, list: [], total: 0 };
  });
}

function isOfLog({ message: { path } }: { message: Message }): boolean {
  return /\/deliveries(\?|$)/.test(path);
}
