import type { RootMock } from '../../../mock/server/create-mock.ts';
import { loadProfile, makeProfile, type Profile, statedValues } from '../../../openapi/profile.ts';
import type { MockRun } from '../run-against-mock.ts';
import type { Tamper } from '../tampering-proxy.ts';
import {
  generalQuota,
  limitedBy,
  lockedAfterWrongPasswords,
  locking,
  onePublishAtATime,
  sharedWithOthers,
  sliding,
  tokenBucket,
  unchangedPublishesAreFree,
} from './limiters.ts';
import type { VerdictRow } from './verdict-row.ts';

const all = ['LIMIT-1', 'LIMIT-2', 'LIMIT-3', 'LIMIT-4', 'LIMIT-5', 'LIMIT-6', 'LIMIT-7', 'LIMIT-8'];
const ofLogins = ['LIMIT-1', 'LIMIT-2', 'LIMIT-3', 'LIMIT-4'];

/** Runs only the checks of limits. */
const run = (sabotage: (mock: RootMock) => void, more: MockRun = {}) => ({
  sabotage,
  options: { tier: 'full', cases: 0, only: all } as const,
  ...more,
});

const lawful: readonly VerdictRow[] = [
  {
    behaviour: 'a limit as a token bucket',
    run: () => run(limitedBy(() => tokenBucket(10))),
    passes: all,
  },
  {
    behaviour: 'a limit of one call every six seconds',
    run: () => run(limitedBy(() => tokenBucket(1))),
    passes: ['LIMIT-4', 'LIMIT-5', 'LIMIT-7'],
    verifies: all,
  },
  {
    behaviour: 'a limit as a bucket of five',
    run: () => run(limitedBy(() => tokenBucket(5))),
    verifies: all,
  },
  {
    behaviour: 'a limit of five in half a minute',
    run: () => run(limitedBy(() => sliding(5, 30_000))),
    verifies: all,
  },
  {
    behaviour: 'a lock of two minutes after the limit',
    run: () => run(limitedBy(() => locking(120_000))),
    verifies: all.filter((id) => id !== 'LIMIT-4'),
    leavesOpen: ['LIMIT-4'],
    remarks: ['locked-longer'],
  },
  {
    behaviour: 'a lock after the limit that each further call renews',
    run: () => run(limitedBy(() => locking(75_000, true))),
    verifies: all.filter((id) => id !== 'LIMIT-4'),
    leavesOpen: ['LIMIT-4'],
    remarks: ['locked-longer'],
  },
  {
    behaviour: 'a lock of 75 seconds after the limit',
    run: () => run(limitedBy(() => locking(75_000))),
    verifies: all.filter((id) => id !== 'LIMIT-4'),
    leavesOpen: ['LIMIT-4'],
    remarks: ['locked-longer'],
  },
  {
    behaviour: 'a lock of an account after five wrong passwords',
    run: () => ({
      ...run(lockedAfterWrongPasswords),
      options: {
        tier: 'full',
        cases: 0,
        only: [...all, 'LOGIN-3', 'LOGIN-4', 'LOGIN-5'],
        maxWaitMs: 300_000,
      },
    }),
    verifies: ['LIMIT-5', 'LIMIT-6'],
  },
  {
    behaviour: 'an account that locks during the measurement',
    run: () => run(lockedFromTheStart),
    leavesOpen: ofLogins,
    verifies: ['LIMIT-5', 'LIMIT-6', 'LIMIT-7', 'LIMIT-8'],
    remarks: ['locked-longer'],
  },
  {
    behaviour: 'a publish that is refused while another one runs',
    run: () => run(onePublishAtATime),
    verifies: ['LIMIT-5', 'LIMIT-7', 'LIMIT-8'],
    leavesOpen: ['LIMIT-6'],
  },
  {
    behaviour: 'a publish that is refused while another one runs, and no limit',
    run: () =>
      run(
        (mock) => {
          limitedBy(() => () => true)(mock);
          onePublishAtATime(mock);
        },
        { options: { tier: 'full', cases: 0, only: ['LIMIT-5', 'LIMIT-6'] } },
      ),
    verifies: ['LIMIT-5'],
    leavesOpen: ['LIMIT-6'],
  },
  {
    behaviour: 'publishes without changes that do not count',
    run: () => run(unchangedPublishesAreFree),
    verifies: ['LIMIT-5', 'LIMIT-6', 'LIMIT-7', 'LIMIT-8'],
  },
  {
    behaviour: 'publishes without changes that do not count, in a whole run',
    run: () => ({ sabotage: unchangedPublishesAreFree, options: { tier: 'full', cases: 0 } }),
    verifies: ['LIMIT-5', 'LIMIT-6'],
  },
  {
    behaviour: 'publishes without changes that do not count, and no known call changes a site',
    run: () =>
      run(unchangedPublishesAreFree, { spoken: profileWith({ 'operation.create-content': 'unknown' }) }),
    leavesOpen: ['LIMIT-6'],
  },
  {
    behaviour: 'logins that are replayed for ten seconds',
    run: () => run(() => {}, { tamper: replayed }),
    leavesOpen: ['LIMIT-1', 'LIMIT-2'],
  },
  {
    behaviour: 'AI calls without a site',
    run: () => run(() => {}, { spoken: profileWith({ 'operation.ai': aiOfTheTenant }) }),
    passes: ['LIMIT-7', 'LIMIT-8'],
  },
  {
    behaviour: 'a general quota of a hundred calls a minute',
    run: () => ({ sabotage: generalQuota(100, 60_000), options: { tier: 'full', cases: 2 } }),
  },
  {
    behaviour: 'a general quota of a hundred calls a minute with an unknown code and status',
    run: () => ({ sabotage: generalQuota(100, 60_000, 403), options: { tier: 'full', cases: 2 } }),
  },
  {
    behaviour: 'a general quota of five calls a second',
    run: () => run(generalQuota(5, 1_000)),
    verifies: ['LIMIT-1', 'LIMIT-5', 'LIMIT-7'],
  },
  {
    behaviour: 'another client that logs in, publishes and asks the AI every 17 seconds',
    run: () => run(limitedBy(() => sharedWithOthers(17_000))),
    verifies: ['LIMIT-2', 'LIMIT-6', 'LIMIT-8'],
  },
  ...(
    [
      ['fixed', 'not-counted'],
      ['sliding', 'counted'],
      ['aligned', 'not-counted'],
    ] as const
  ).map<VerdictRow>(([window, others]) => ({
    behaviour: `${window} minutes, with failed logins and repetitions ${others}`,
    run: () =>
      run(() => {}, {
        spoken: profileWith({
          'limits.window': window,
          'limits.failed-logins': others,
          'limits.repeats': others,
        }),
        options: { tier: 'full', cases: 0, only: [...all, 'IDEM-2'] },
      }),
    passes: [...all, 'IDEM-2'],
  })),
];

const broken: readonly VerdictRow[] = [
  {
    behaviour: 'a bucket of eleven',
    run: () => run(limitedBy(() => tokenBucket(11))),
    fails: ['LIMIT-2', 'LIMIT-6', 'LIMIT-8'],
  },
  {
    behaviour: 'ten at once, then one every two seconds',
    run: () => run(limitedBy(() => tokenBucket(10, 2_000))),
    fails: ['LIMIT-2', 'LIMIT-6', 'LIMIT-8'],
  },
  {
    behaviour: 'a limit of nine a minute',
    run: () => run(limitedBy(() => sliding(9))),
    fails: ['LIMIT-1', 'LIMIT-5', 'LIMIT-7'],
  },
  {
    behaviour: 'a limit of logins that lasts 75 seconds',
    run: () => run(() => {}, { faults: ['login-limit-a-quarter-too-long'] }),
    fails: ['LIMIT-4'],
  },
  {
    behaviour: 'limits with a race between check and count',
    run: () =>
      run(() => {}, {
        faults: [
          'logins-at-once-not-limited',
          'publishes-at-once-not-limited',
          'ai-calls-at-once-not-limited',
        ],
      }),
    fails: ['LIMIT-2', 'LIMIT-6', 'LIMIT-8'],
  },
  {
    behaviour: 'no limit at all',
    run: () => run(limitedBy(() => () => true)),
    fails: ['LIMIT-2', 'LIMIT-6', 'LIMIT-8'],
  },
  {
    behaviour: 'no limit at all, and a lock of an account after five wrong passwords',
    run: () =>
      run(
        (mock) => {
          limitedBy(() => () => true)(mock);
          lockedAfterWrongPasswords(mock);
        },
        {
          options: {
            tier: 'full',
            cases: 0,
            only: ['LIMIT-1', 'LIMIT-2', 'LIMIT-3', 'LIMIT-4'],
            maxWaitMs: 300_000,
          },
        },
      ),
    fails: ['LIMIT-2'],
  },
];

export const limitRows: readonly VerdictRow[] = [...lawful, ...broken];

const aiOfTheTenant = {
  method: 'POST',
  path: '/tenant/ai',
  auth: 'bearer',
  body: { prompt: '{prompt}' },
  text: '/data/text',
};

function profileWith(values: Record<string, unknown>): Profile {
  const stated = { ...statedValues(loadProfile('default')), ...values };
  return makeProfile(stated, { name: 'limits', source: 'test' });
}

/** Locks the account for 15 minutes after the first login of the run. */
function lockedFromTheStart(mock: RootMock): void {
  let first: number | undefined;
  limitedBy(() => sliding())(mock);
  const { steps } = mock;
  Object.defineProperty(mock, 'steps', {
    value: {
      ...steps,
      handle: (...[handler, call]: Parameters<typeof steps.handle>) => {
        if (call.operation.id === 'login' && String(call.input.username).startsWith('mei')) {
          first ??= call.now;
          if (call.now > first + 5_000)
            return steps.handle(handler, { ...call, input: { ...call.input, password: '' } });
        }
        return steps.handle(handler, call);
      },
    },
  });
}

/** Replays the answer to an identical POST for ten seconds. */
function replayed(): Tamper {
  const first = new Map<string, { at: number; reply: ReturnType<Tamper> }>();
  return (message, forward) => {
    const { method, path, headers, body } = message;
    if (method !== 'POST') return forward(message);
    const key = [path, headers.authorization ?? '', body.toString()].join(' ');
    const known = first.get(key);
    if (known && Date.now() < known.at + 10_000) return known.reply;
    const reply = forward(message);
    first.set(key, { at: Date.now(), reply });
    return reply;
  };
}
