import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import type { CheckOutcome } from '../core/outcomes.ts';
import { applyDemands, applyExpectedFailures, type Demands } from './demands.ts';
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

test('reads an empty file as no entries', () => {
  expect(parse('# none\n').entries).toEqual([]);
});

const example = 'HOOK-7: { reason: "fixed in release 12", until: 2026-12-31 }';

test.for([
  [
    '\nHOOK-77: { reason: x }',
    'known.yaml:2: there is no requirement or check "HOOK-77"; did you mean "HOOK-7"? (`sitepub list requirements` and `sitepub list checks` list them)',
  ],
  ['HOOK-7: a reason', `known.yaml:1: HOOK-7 needs a map with a reason, for example ${example}`],
  ['HOOK-7: {}', `known.yaml:1: HOOK-7 needs a reason as text, for example ${example}`],
  ['HOOK-7: { reason: " " }', `known.yaml:1: HOOK-7 needs a reason as text, for example ${example}`],
  ['HOOK-7: { reason: 12 }', `known.yaml:1: HOOK-7 needs a reason as text, for example ${example}`],
  [
    'HOOK-7: { reason: x, untill: 2026-12-31 }',
    'known.yaml:1: HOOK-7 has "untill", but an entry has only reason and until; did you mean "until"?',
  ],
  [
    'HOOK-7: { reason: x, until: 31.12.2026 }',
    'known.yaml:1: HOOK-7: until is "31.12.2026"; expected the last day, such as 2026-12-31, or no "until"',
  ],
  [
    'HOOK-7: { reason: x, until: 2026-02-30 }',
    'known.yaml:1: HOOK-7: until is "2026-02-30"; expected the last day, such as 2026-12-31, or no "until"',
  ],
  ['- HOOK-7', `known.yaml:1: expected a map of requirement or check ids, such as ${example}`],
  [
    'HOOK-7: { reason: x }\nHOOK-7: { reason: y }',
    'known.yaml:2: HOOK-7 appears here a second time; remove one of the two',
  ],
  [
    'HOOK-7: {}\nX-1: { reason: x }',
    `known.yaml:1: HOOK-7 needs a reason as text, for example ${example}\nknown.yaml:2: there is no requirement or check "X-1" (\`sitepub list requirements\` and \`sitepub list checks\` list them)`,
  ],
] as const)('refuses %j', ([text, message]) => {
  expect(() => parse(text)).toThrow(message);
});

test('refuses a missing file', () => {
  expect(() => loadExpectedFailures('missing.yaml', checks)).toThrow(
    `--expected-failures: missing.yaml can't be read (there is no file ${resolve('missing.yaml')}); pass the path of a YAML file or omit the flag`,
  );
});

test('suggests a valid line that expires after 90 days', () => {
  const line = acceptingLine('HOOK-7', '2026-11-21T23:59:59.000Z');
  expect(line).toBe('HOOK-7: { reason: "why it is accepted", until: 2027-02-19 }');
  expect(parse(line).entries).toMatchObject([{ reason: 'why it is accepted', until: '2027-02-19' }]);
});

const requirement = (checks: Readonly<Record<string, CheckOutcome>>) => requirementWith('HOOK-7', checks);

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

const isFailed = requirement({ a: 'failed', b: 'failed' });
const isPassed = requirement({ a: 'passed', b: 'passed' });
const hasError = requirement({ a: 'failed', b: 'error' });

/** Rows name only what differs from a report in which no entry applies. */
test.for<[string, RequirementReport, ExpectedFailureEntry[], Partial<ReturnType<typeof apply>>]>([
  [
    'a requirement accepts all of its checks',
    isFailed,
    [whole],
    { count: 1, requirement: 'known', checks: ['known', 'known'] },
  ],
  ['a check entry covers only that check', isFailed, [partly], { checks: ['a only', undefined] }],
  [
    'no requirement is accepted if the suite failed in one of its checks',
    hasError,
    [whole],
    { checks: ['known', undefined] },
  ],
  [
    'a check entry suffices if no other check failed',
    requirement({ a: 'failed', b: 'passed' }),
    [partly],
    { count: 1, requirement: 'a only', checks: ['a only', undefined] },
  ],
  [
    'a check entry overrides the reason of its requirement',
    isFailed,
    [whole, partly],
    { count: 1, requirement: 'known', checks: ['a only', 'known'] },
  ],
  [
    'no entry covers a suite error',
    { ...hasError, outcome: 'error' },
    [whole],
    { checks: ['known', undefined] },
  ],
  ['a passed requirement makes its entries stale', isPassed, [whole, partly], { stale: ['HOOK-7', 'a'] }],
  [
    'the entry of a passed check is stale even if its requirement failed',
    requirement({ a: 'passed', b: 'failed' }),
    [partly],
    { stale: ['a'] },
  ],
  [
    'an unverified requirement makes no entry stale',
    requirement({ a: 'passed', b: 'not-verified' }),
    [whole],
    {},
  ],
  [
    'an entry is not stale if one of its checks did not run',
    requirement({ b: 'passed' }),
    [whole, partly],
    {},
  ],
  [
    'an entry is valid on its last day',
    requirement({ a: 'failed' }),
    [{ ...whole, until: '2026-01-02' }],
    { count: 1, requirement: 'known', checks: ['known'] },
  ],
  [
    'an entry expires after its last day',
    isFailed,
    [{ ...whole, until: '2026-01-01' }],
    { expired: ['HOOK-7'] },
  ],
  [
    'an expired entry is not also stale',
    isPassed,
    [{ ...whole, until: '2026-01-01' }],
    { expired: ['HOOK-7'] },
  ],
  ['an entry without checks is not stale', requirement({}), [{ ...whole, checks: [] }], {}],
])('%s', ([, of, entries, want]) => {
  const checks = of.checks.map(() => undefined);
  const unmarked = { count: 0, requirement: undefined, checks, stale: [], expired: [] };
  expect(apply(of, entries)).toEqual({ ...unmarked, ...want });
});

test('does not change outcomes and counts', () => {
  const summary = { passed: 0, failed: 1, partly: 0, warned: 0, not_verified: 0, error: 0 };
  const report = reportOf({ requirements: [requirement({ a: 'failed' })], summary });
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
  ['conditions that are met', { require: ['ENV-1'], minVerified: 1 }, []],
  ['a failure, which fails the run anyway', { require: ['ENV-2'] }, []],
  [
    'a partly verified requirement',
    { require: ['ENV-3'] },
    [missing('require', 'ENV-3', 'only partly verified: because of d')],
  ],
  [
    'an unverified requirement',
    { require: ['ENV-1', 'ENV-4'] },
    [missing('require', 'ENV-4', 'because of e')],
  ],
  ['a suite error', { require: ['ENV-5'] }, [missing('require', 'ENV-5', 'because of f')]],
  [
    'too few passed requirements',
    { minVerified: 2 },
    [missing('min-verified', null, '1 passed (1 partly verified, which does not count), 2 required')],
  ],
  ['a baseline that is met', { baseline: report }, []],
])('reports the unmet conditions for %s', ([, demands, want]) => {
  expect(applyDemands(report, demands).shortfalls).toEqual(want);
});

test('reports regressions and lost verifications against a baseline', () => {
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
      reason: 'passed in the baseline, fails now: because of b',
    },
    missing('baseline', 'ENV-3', 'only partly verified: because of d'),
    missing('baseline', 'ENV-4', 'because of e'),
    missing('baseline', 'ENV-5', 'because of f'),
  ]);
});
