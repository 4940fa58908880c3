import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import type { CheckOutcome, Outcome } from '../core/outcomes.ts';
import { applyDemands, type Demands } from './apply-demands.ts';
import { applyExpectedFailures } from './apply-expected-failures.ts';
import {
  acceptingLine,
  type ExpectedFailureEntry,
  loadExpectedFailures,
  parseExpectedFailures,
} from './expected-failures.ts';
import type { Report, RequirementReport } from './report.ts';
import { reportOf, requirementWith } from './testing.ts';

const checks = [
  { id: 'hook-7-unknown-event', requirement: 'HOOK-7' },
  { id: 'hook-7-empty-list', requirement: 'HOOK-7' },
  { id: 'env-1-in-every-answer', requirement: 'ENV-1' },
];

const parse = (text: string) => parseExpectedFailures(text, 'known.yaml', checks);

test('reads requirements and checks, with and without a last day', () => {
  const text = [
    '# what we know of',
    'HOOK-7: { reason: "fixed in release 12", until: 2026-12-31 }',
    'env-1-in-every-answer:',
    '  reason: |',
    '    an old proxy',
    'RECV-1: { reason: never made, until: null }',
  ];
  expect(parse(text.join('\n'))).toEqual({
    file: 'known.yaml',
    entries: [
      {
        id: 'HOOK-7',
        line: 2,
        reason: 'fixed in release 12',
        until: '2026-12-31',
        checks: ['hook-7-unknown-event', 'hook-7-empty-list'],
      },
      {
        id: 'env-1-in-every-answer',
        line: 3,
        reason: 'an old proxy',
        until: null,
        checks: ['env-1-in-every-answer'],
      },
      { id: 'RECV-1', line: 6, reason: 'never made', until: null, checks: [] },
    ],
  });
});

test('takes an empty file for no entries', () => {
  expect(parse('# none\n').entries).toEqual([]);
});

const example = 'HOOK-7: { reason: "fixed in release 12", until: 2026-12-31 }';

test.for([
  [
    '\nHOOK-77: { reason: x }',
    'known.yaml:2: there is no requirement or check "HOOK-77"; did you mean "HOOK-7"? (`sitepub list requirements` and `sitepub list checks` show all)',
  ],
  ['HOOK-7: a reason', `known.yaml:1: HOOK-7 needs a map with a reason, such as ${example}`],
  ['HOOK-7: {}', `known.yaml:1: HOOK-7 needs a reason as text, such as ${example}`],
  ['HOOK-7: { reason: " " }', `known.yaml:1: HOOK-7 needs a reason as text, such as ${example}`],
  ['HOOK-7: { reason: 12 }', `known.yaml:1: HOOK-7 needs a reason as text, such as ${example}`],
  [
    'HOOK-7: { reason: x, untill: 2026-12-31 }',
    'known.yaml:1: HOOK-7 has "untill", and an entry has reason and until alone; did you mean "until"?',
  ],
  [
    'HOOK-7: { reason: x, until: 31.12.2026 }',
    'known.yaml:1: HOOK-7: until is "31.12.2026"; expected its last day, such as 2026-12-31, or nothing',
  ],
  [
    'HOOK-7: { reason: x, until: 2026-02-30 }',
    'known.yaml:1: HOOK-7: until is "2026-02-30"; expected its last day, such as 2026-12-31, or nothing',
  ],
  [
    '- HOOK-7',
    `known.yaml:1: expected failures are a map of requirement or check id to reason, such as ${example}`,
  ],
  [
    'HOOK-7: { reason: x }\nHOOK-7: { reason: y }',
    'known.yaml:2: HOOK-7 appears here a second time; remove one of the two',
  ],
  [
    'HOOK-7: {}\nX-1: { reason: x }',
    `known.yaml:1: HOOK-7 needs a reason as text, such as ${example}\nknown.yaml:2: there is no requirement or check "X-1" (\`sitepub list requirements\` and \`sitepub list checks\` show all)`,
  ],
] as const)('refuses %j', ([text, message]) => {
  expect(() => parse(text)).toThrow(message);
});

test('refuses a file that is not there', () => {
  expect(() => loadExpectedFailures('missing.yaml', checks)).toThrow(
    `--expected-failures: missing.yaml can't be read (there is no file ${resolve('missing.yaml')}); give the path of a YAML file, or leave the flag out`,
  );
});

test('the line to paste is good for ninety days, and is read back', () => {
  const line = acceptingLine('HOOK-7', '2026-11-21T23:59:59.000Z');
  expect(line).toBe('HOOK-7: { reason: "why it is accepted", until: 2027-02-19 }');
  expect(parse(line).entries).toMatchObject([{ reason: 'why it is accepted', until: '2027-02-19' }]);
});

const nothing = { reason: null, expected: null, actual: null, curl: null, trace_id: null };

function requirement(outcome: Outcome, checks: Readonly<Record<string, CheckOutcome>>): RequirementReport {
  const results = Object.entries(checks).map(([id, one]) => ({ ...nothing, id, outcome: one }));
  return {
    id: 'HOOK-7',
    section: '6.1',
    level: 'documented',
    title: 'x',
    quote: 'x',
    reading: 'There is one way to read it.',
    outcome,
    reason: null,
    checks: results,
  };
}

const whole: ExpectedFailureEntry = {
  id: 'HOOK-7',
  line: 1,
  reason: 'known',
  until: null,
  checks: ['a', 'b'],
};
const partly: ExpectedFailureEntry = { id: 'a', line: 2, reason: 'a only', until: null, checks: ['a'] };

function apply(of: RequirementReport, entries: ExpectedFailureEntry[]) {
  const report = applyExpectedFailures(reportOf({ requirements: [of] }), { file: 'known.yaml', entries });
  const [marked] = report.requirements;
  return {
    count: report.expected_failures?.count,
    requirement: marked?.expected_failure?.reason,
    checks: marked?.checks.map(({ expected_failure }) => expected_failure?.reason),
    stale: report.expected_failures?.stale.map(({ id }) => id),
    expired: report.expected_failures?.expired.map(({ id }) => id),
  };
}

test.for<[string, RequirementReport, ExpectedFailureEntry[], ReturnType<typeof apply>]>([
  [
    'a requirement accepts all of its checks',
    requirement('failed', { a: 'failed', b: 'failed' }),
    [whole],
    { count: 1, requirement: 'known', checks: ['known', 'known'], stale: [], expired: [] },
  ],
  [
    'a check accepts itself alone',
    requirement('failed', { a: 'failed', b: 'failed' }),
    [partly],
    { count: 0, requirement: undefined, checks: ['a only', undefined], stale: [], expired: [] },
  ],
  [
    'a check is enough where no other failed',
    requirement('failed', { a: 'failed', b: 'passed' }),
    [partly],
    { count: 1, requirement: 'a only', checks: ['a only', undefined], stale: [], expired: [] },
  ],
  [
    'a check has its own reason beside its requirement’s',
    requirement('failed', { a: 'failed', b: 'failed' }),
    [whole, partly],
    { count: 1, requirement: 'known', checks: ['a only', 'known'], stale: [], expired: [] },
  ],
  [
    'an error of the suite is accepted by nothing',
    requirement('error', { a: 'failed', b: 'error' }),
    [whole],
    { count: 0, requirement: undefined, checks: ['known', undefined], stale: [], expired: [] },
  ],
  [
    'what passed makes its entries stale',
    requirement('passed', { a: 'passed', b: 'passed' }),
    [whole, partly],
    { count: 0, requirement: undefined, checks: [undefined, undefined], stale: ['HOOK-7', 'a'], expired: [] },
  ],
  [
    'a check that passed is stale also where its requirement failed',
    requirement('failed', { a: 'passed', b: 'failed' }),
    [partly],
    { count: 0, requirement: undefined, checks: [undefined, undefined], stale: ['a'], expired: [] },
  ],
  [
    'what was not verified makes no entry stale',
    requirement('not-verified', { a: 'passed', b: 'not-verified' }),
    [whole],
    { count: 0, requirement: undefined, checks: [undefined, undefined], stale: [], expired: [] },
  ],
  [
    'a check that was left out may still fail',
    requirement('passed', { b: 'passed' }),
    [whole, partly],
    { count: 0, requirement: undefined, checks: [undefined], stale: [], expired: [] },
  ],
  [
    'the last day counts',
    requirement('failed', { a: 'failed' }),
    [{ ...whole, until: '2026-01-02' }],
    { count: 1, requirement: 'known', checks: ['known'], stale: [], expired: [] },
  ],
  [
    'the day after does not',
    requirement('failed', { a: 'failed' }),
    [{ ...whole, until: '2026-01-01' }],
    { count: 0, requirement: undefined, checks: [undefined], stale: [], expired: ['HOOK-7'] },
  ],
  [
    'an expired entry is not stale as well',
    requirement('passed', { a: 'passed', b: 'passed' }),
    [{ ...whole, until: '2026-01-01' }],
    { count: 0, requirement: undefined, checks: [undefined, undefined], stale: [], expired: ['HOOK-7'] },
  ],
  [
    'an entry for what has no check is not stale',
    requirement('not-verified', {}),
    [{ ...whole, checks: [] }],
    { count: 0, requirement: undefined, checks: [], stale: [], expired: [] },
  ],
])('%s', ([, of, entries, want]) => {
  expect(apply(of, entries)).toEqual(want);
});

test('leaves outcomes and numbers as they are', () => {
  const summary = { passed: 0, failed: 1, partly: 0, warned: 0, not_verified: 0, error: 0 };
  const report = reportOf({ requirements: [requirement('failed', { a: 'failed' })], summary });
  const marked = applyExpectedFailures(report, {
    file: 'known.yaml',
    entries: [{ ...whole, until: '2026-12-31' }],
  });
  expect(marked.summary).toEqual(summary);
  expect(marked.requirements).toMatchObject([
    {
      outcome: 'failed',
      expected_failure: { reason: 'known', until: '2026-12-31' },
      checks: [{ outcome: 'failed' }],
    },
  ]);
  expect(marked.expected_failures).toEqual({ file: 'known.yaml', count: 1, stale: [], expired: [] });
});

const report = reportOf({
  requirements: [
    requirementWith('ENV-1', { a: 'passed' }),
    requirementWith('ENV-2', { b: 'failed' }),
    requirementWith('ENV-3', { c: 'passed', d: 'not-verified' }),
    requirementWith('ENV-4', { e: 'not-verified' }),
    requirementWith('ENV-5', { f: 'error' }),
  ],
  summary: { passed: 1, failed: 1, partly: 1, warned: 0, not_verified: 1, error: 1 },
});

const missing = (demand: string, id: string | null, reason: string) => ({
  demand,
  kind: 'not-verified',
  id,
  reason,
});

test.for<[string, Demands, unknown[]]>([
  ['what is met', { require: ['ENV-1'], minVerified: 1 }, []],
  ['a failure, which fails the run itself', { require: ['ENV-2'] }, []],
  [
    'what is verified in part',
    { require: ['ENV-3'] },
    [missing('require', 'ENV-3', 'verified in part only: because of d')],
  ],
  ['what is not verified', { require: ['ENV-1', 'ENV-4'] }, [missing('require', 'ENV-4', 'because of e')]],
  ['what has an error', { require: ['ENV-5'] }, [missing('require', 'ENV-5', 'because of f')]],
  [
    'a number that is not reached',
    { minVerified: 2 },
    [missing('min-verified', null, '1 passed, and 1 in part, which does not count; 2 are demanded')],
  ],
  ['a baseline that is reached', { baseline: report }, []],
])('of %s, this is missing', ([, demands, want]) => {
  expect(applyDemands(report, demands).shortfalls).toEqual(want);
});

test('a baseline names what regressed and what is no longer verified', () => {
  const baseline: Report = reportOf({
    requirements: [
      requirementWith('ENV-1', { a: 'passed' }),
      requirementWith('ENV-2', { b: 'passed' }),
      requirementWith('ENV-3', { c: 'passed', d: 'passed' }),
      requirementWith('ENV-4', { e: 'passed' }),
      requirementWith('ENV-5', { f: 'failed' }),
    ],
  });
  expect(applyDemands(report, { baseline }).shortfalls).toEqual([
    {
      demand: 'baseline',
      kind: 'regressed',
      id: 'ENV-2',
      reason: 'passed there and fails here: because of b',
    },
    missing('baseline', 'ENV-3', 'verified in part only: because of d'),
    missing('baseline', 'ENV-4', 'because of e'),
    missing('baseline', 'ENV-5', 'because of f'),
  ]);
});
