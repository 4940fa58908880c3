import { expect, test } from 'vitest';
import { applyDemands, type Demands } from './apply-demands.ts';
import type { Report } from './report.ts';
import { reportOf, requirementWith } from './testing.ts';

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
