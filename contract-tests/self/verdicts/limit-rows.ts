import type { RootMock } from '../../../mock/server/create-mock.ts';
import { profileWith } from '../../../mock/testing/open-mock.ts';
import { loadProfile } from '../../../openapi/profile.ts';
import { sharedWithOthers, sliding, tokenBucket } from '../../checks/limits/testing.ts';
import type { MockRun } from '../run-against-mock.ts';
import { replaying } from '../tampering.ts';
import {
  generalQuota,
  limitedBy,
  lockedAfterWrongPasswords,
  locking,
  replaceSteps,
  unchangedPublishesAreFree,
} from './limiters.ts';
import { row, type VerdictRow } from './verdict-row.ts';

const all = ['LIMIT-1', 'LIMIT-2', 'LIMIT-3', 'LIMIT-4', 'LIMIT-5', 'LIMIT-6', 'LIMIT-7', 'LIMIT-8'];
const ofLogins = ['LIMIT-1', 'LIMIT-2', 'LIMIT-3', 'LIMIT-4'];

/** Refuses with a code that the suite does not know. */
const onePublishAtATime = profileWith({
  'publish.concurrent': 'refused',
  'errors.codes': { 'publish-under-way': 40_910 },
});

/** Runs only the checks of limits. */
const run = (sabotage: (mock: RootMock) => void, more: MockRun = {}) => ({
  sabotage,
  options: { tier: 'full', cases: 0, only: all } as const,
  ...more,
});

const lawful: readonly VerdictRow[] = [
  row('a limit as a token bucket', { passes: all }, () => run(limitedBy(() => tokenBucket(10)))),
  row(
    'a limit of one call every six seconds',
    { passes: ['LIMIT-4', 'LIMIT-5', 'LIMIT-7'], verifies: all },
    () => run(limitedBy(() => tokenBucket(1))),
  ),
  row('a limit as a bucket of five', { verifies: all }, () => run(limitedBy(() => tokenBucket(5)))),
  row('a limit of five in half a minute', { verifies: all }, () => run(limitedBy(() => sliding(5, 30_000)))),
  row(
    'a lock of two minutes after the limit',
    { verifies: all.filter((id) => id !== 'LIMIT-4'), leavesOpen: ['LIMIT-4'], remarks: ['locked-longer'] },
    () => run(limitedBy(() => locking(120_000))),
  ),
  row(
    'a lock after the limit that each further call renews',
    { verifies: all.filter((id) => id !== 'LIMIT-4'), leavesOpen: ['LIMIT-4'], remarks: ['locked-longer'] },
    () => run(limitedBy(() => locking(75_000, true))),
  ),
  row(
    'a lock of 75 seconds after the limit',
    { verifies: all.filter((id) => id !== 'LIMIT-4'), leavesOpen: ['LIMIT-4'], remarks: ['locked-longer'] },
    () => run(limitedBy(() => locking(75_000))),
  ),
  row('a lock of an account after five wrong passwords', { verifies: ['LIMIT-5', 'LIMIT-6'] }, () => ({
    ...run(lockedAfterWrongPasswords),
    options: {
      tier: 'full',
      cases: 0,
      only: [...all, 'LOGIN-3', 'LOGIN-4', 'LOGIN-5'],
      maxWaitMs: 300_000,
    },
  })),
  row(
    'an account that locks during the measurement',
    {
      leavesOpen: ofLogins,
      verifies: ['LIMIT-5', 'LIMIT-6', 'LIMIT-7', 'LIMIT-8'],
      remarks: ['locked-longer'],
    },
    () => run(lockedFromTheStart),
  ),
  row(
    'a publish that is refused while another one runs',
    { verifies: ['LIMIT-5', 'LIMIT-7', 'LIMIT-8'], leavesOpen: ['LIMIT-6'] },
    () => run(() => {}, { spoken: onePublishAtATime, told: loadProfile('default') }),
  ),
  row(
    'a publish that is refused while another one runs, and no limit',
    { verifies: ['LIMIT-5'], leavesOpen: ['LIMIT-6'] },
    () =>
      run(
        limitedBy(() => () => true),
        {
          spoken: onePublishAtATime,
          told: loadProfile('default'),
          options: { tier: 'full', cases: 0, only: ['LIMIT-5', 'LIMIT-6'] },
        },
      ),
  ),
  row(
    'publishes without changes that do not count',
    { verifies: ['LIMIT-5', 'LIMIT-6', 'LIMIT-7', 'LIMIT-8'] },
    () => run(unchangedPublishesAreFree),
  ),
  row(
    'publishes without changes that do not count, in a whole run',
    { verifies: ['LIMIT-5', 'LIMIT-6'] },
    () => ({ sabotage: unchangedPublishesAreFree, options: { tier: 'full', cases: 0 } }),
  ),
  row(
    'publishes without changes that do not count, and no known call changes a site',
    { leavesOpen: ['LIMIT-6'] },
    () => run(unchangedPublishesAreFree, { spoken: profileWith({ 'operation.create-content': 'unknown' }) }),
  ),
  row('logins that are replayed for ten seconds', { leavesOpen: ['LIMIT-1', 'LIMIT-2'] }, () =>
    run(() => {}, { tamper: replaying }),
  ),
  row('AI calls without a site', { passes: ['LIMIT-7', 'LIMIT-8'] }, () =>
    run(() => {}, { spoken: profileWith({ 'operation.ai': aiOfTheTenant }) }),
  ),
  row('a general quota of a hundred calls a minute', {}, () => ({
    sabotage: generalQuota(100, 60_000),
    options: { tier: 'full', cases: 2 },
  })),
  row('a general quota of a hundred calls a minute with an unknown code and status', {}, () => ({
    sabotage: generalQuota(100, 60_000, 403),
    options: { tier: 'full', cases: 2 },
  })),
  row('a general quota of five calls a second', { verifies: ['LIMIT-1', 'LIMIT-5', 'LIMIT-7'] }, () =>
    run(generalQuota(5, 1_000)),
  ),
  row(
    'another client that logs in, publishes and asks the AI every 17 seconds',
    { verifies: ['LIMIT-2', 'LIMIT-6', 'LIMIT-8'] },
    () => run(limitedBy(() => sharedWithOthers(17_000))),
  ),
  ...(
    [
      ['fixed', 'not-counted'],
      ['sliding', 'counted'],
      ['aligned', 'not-counted'],
    ] as const
  ).map<VerdictRow>(([window, others]) =>
    row(
      `${window} minutes, with failed logins and repetitions ${others}`,
      { passes: [...all, 'IDEM-2'] },
      () =>
        run(() => {}, {
          spoken: profileWith({
            'limits.window': window,
            'limits.failed-logins': others,
            'limits.repeats': others,
          }),
          options: { tier: 'full', cases: 0, only: [...all, 'IDEM-2'] },
        }),
    ),
  ),
];

const broken: readonly VerdictRow[] = [
  row('a bucket of eleven', { fails: ['LIMIT-2', 'LIMIT-6', 'LIMIT-8'] }, () =>
    run(limitedBy(() => tokenBucket(11))),
  ),
  row('ten at once, then one every two seconds', { fails: ['LIMIT-2', 'LIMIT-6', 'LIMIT-8'] }, () =>
    run(limitedBy(() => tokenBucket(10, 2_000))),
  ),
  row('a limit of nine a minute', { fails: ['LIMIT-1', 'LIMIT-5', 'LIMIT-7'] }, () =>
    run(limitedBy(() => sliding(9))),
  ),
  row('a limit of logins that lasts 75 seconds', { fails: ['LIMIT-4'] }, () =>
    run(() => {}, { faults: ['login-limit-a-quarter-too-long'] }),
  ),
  row('limits with a race between check and count', { fails: ['LIMIT-2', 'LIMIT-6', 'LIMIT-8'] }, () =>
    run(() => {}, {
      faults: ['logins-at-once-not-limited', 'publishes-at-once-not-limited', 'ai-calls-at-once-not-limited'],
    }),
  ),
  row('no limit at all', { fails: ['LIMIT-2', 'LIMIT-6', 'LIMIT-8'] }, () =>
    run(limitedBy(() => () => true)),
  ),
  row('no limit at all, and a lock of an account after five wrong passwords', { fails: ['LIMIT-2'] }, () =>
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
  ),
];

export const limitRows: readonly VerdictRow[] = [...lawful, ...broken];

const aiOfTheTenant = {
  method: 'POST',
  path: '/tenant/ai',
  auth: 'bearer',
  body: { prompt: '{prompt}' },
  text: '/data/text',
};

/** Locks the account for 15 minutes after the first login of the run. */
function lockedFromTheStart(mock: RootMock): void {
  let first: number | undefined;
  limitedBy(() => sliding())(mock);
  replaceSteps((steps) => ({
    handle: (handler, call) => {
      const isOfMei = call.operation.id === 'login' && String(call.input.username).startsWith('mei');
      if (isOfMei) first ??= call.now;
      const isLocked = isOfMei && call.now > Number(first) + 5_000;
      return steps.handle(handler, isLocked ? { ...call, input: { ...call.input, password: '' } } : call);
    },
  }))(mock);
}
