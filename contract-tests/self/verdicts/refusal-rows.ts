// Refusals for other reasons than the call (outages, limits, maintenance), which break no promise.
import { profileWith } from '../../../mock/testing/open-mock.ts';
import { loadProfile } from '../../../openapi/profile.ts';
import { type Incoming, quotaOf, type Refusal, refusing } from './limiters.ts';
import type { VerdictRow } from './verdict-row.ts';

const unavailable: Refusal = { status: 503, code: 50300 };
/** Always status 200, with an unspecific code. */
const plainly: Refusal = { status: 200, code: 1 };

const usual = loadProfile('default');
const always200 = loadProfile('always-200-camel-case');
const withoutDeletion = profileWith({ 'operation.delete-subscription': 'unknown' });

const speakers = {
  usual,
  'always 200': always200,
  'no deletion': withoutDeletion,
  'tests retried': loadProfile('nested-201-uuid'),
};

interface Refuser {
  behaviour: string;
  speaker: keyof typeof speakers;
  /** Created for each run. */
  isRefused?: () => (call: Incoming) => boolean;
  /** Default: three calls of each kind in ten seconds. */
  kindOf?: (call: Incoming) => string | undefined;
  quota?: readonly [most: number, spanMs: number];
  refusal: Refusal;
}

function everyNth(number: number) {
  return () => {
    let count = 0;
    return () => ++count % number === 0;
  };
}

/** Selects the same calls in each run. */
function oneIn(number: number) {
  return () => {
    let state = 7;
    return () => {
      state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
      return state / 2 ** 31 < 1 / number;
    };
  };
}

/** Twenty seconds of every hundred. */
const inMaintenance = () => (call: Incoming) => call.now % 100_000 < 20_000;

const isWrite = ({ operation }: Incoming) => !/^(get|list|login|refresh)/.test(operation);
const tests = ({ operation }: Incoming) => (operation === 'testSubscription' ? 'all' : undefined);
const writesOfCaller = (call: Incoming) => (isWrite(call) ? (call.header ?? 'nobody') : undefined);
const writesOfAll = (call: Incoming) => (isWrite(call) ? 'all' : undefined);

const refusers: readonly Refuser[] = [
  { behaviour: 'every 20th call', speaker: 'usual', isRefused: everyNth(20), refusal: unavailable },
  { behaviour: 'every 20th call', speaker: 'always 200', isRefused: everyNth(20), refusal: plainly },
  { behaviour: 'every 7th call', speaker: 'usual', isRefused: everyNth(7), refusal: unavailable },
  { behaviour: 'one call in 20', speaker: 'always 200', isRefused: oneIn(20), refusal: plainly },
  { behaviour: 'one call in 10', speaker: 'no deletion', isRefused: oneIn(10), refusal: unavailable },
  { behaviour: 'calls in maintenance', speaker: 'usual', isRefused: inMaintenance, refusal: unavailable },
  { behaviour: 'calls in maintenance', speaker: 'always 200', isRefused: inMaintenance, refusal: plainly },
  { behaviour: 'more tests than three in 10 s', speaker: 'usual', kindOf: tests, refusal: plainly },
  {
    behaviour: 'more tests than two in 5 s',
    speaker: 'no deletion',
    kindOf: tests,
    quota: [2, 5_000],
    refusal: plainly,
  },
  {
    behaviour: 'more tests than one in 2 s',
    speaker: 'tests retried',
    kindOf: tests,
    quota: [1, 2_000],
    refusal: plainly,
  },
  { behaviour: 'more writes of a caller', speaker: 'usual', kindOf: writesOfCaller, refusal: plainly },
  { behaviour: 'more writes of a caller', speaker: 'always 200', kindOf: writesOfCaller, refusal: plainly },
  { behaviour: 'more writes', speaker: 'usual', kindOf: writesOfAll, refusal: plainly },
  { behaviour: 'more writes', speaker: 'no deletion', kindOf: writesOfAll, refusal: plainly },
  {
    behaviour: 'more writes of a caller than one in 2 s',
    speaker: 'usual',
    kindOf: writesOfCaller,
    quota: [1, 2_000],
    refusal: { status: 200, code: 42_999 },
  },
  {
    behaviour: 'more writes of a caller than ten in a minute',
    speaker: 'usual',
    kindOf: writesOfCaller,
    quota: [10, 60_000],
    refusal: { status: 200, code: 42_999 },
  },
  {
    behaviour: 'more calls of each operation',
    speaker: 'always 200',
    kindOf: ({ operation }) => operation,
    refusal: plainly,
  },
  {
    behaviour: 'more than sixty calls a minute',
    speaker: 'always 200',
    kindOf: () => 'all',
    quota: [60, 60_000],
    refusal: plainly,
  },
];

export const refusalRows: readonly VerdictRow[] = refusers.map(
  ({ behaviour, speaker, isRefused, kindOf, quota = [3, 10_000], refusal }) => ({
    behaviour: `${behaviour} answered with ${JSON.stringify(refusal)} (${speaker})`,
    run: () => ({
      spoken: speakers[speaker],
      sabotage: kindOf ? quotaOf(kindOf, quota, refusal) : refusing(isRefused?.() ?? (() => false), refusal),
      options: { tier: 'full', cases: 12 },
    }),
  }),
);
