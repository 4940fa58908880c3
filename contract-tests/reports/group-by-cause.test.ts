import { expect, test } from 'vitest';
import { causesOf, groupByReason, sayIds, sayShortfall, shortfallGroups } from './group-by-cause.ts';
import { reportOf, requirementWith, sample } from './testing.ts';

test('gives every requirement that was not verified, or only in part, once', () => {
  expect(causesOf(sample).map(({ reason, ...ids }) => [reason, sayIds(ids)])).toEqual([
    ['needs an API key; set SITEPUB_API_KEY', 'AUTH-3'],
    ['needs another site', 'in part: LIMIT-8'],
  ]);
});

test.for([
  [
    'the seconds until the next try',
    'used up; run again in 50 s, or with --max-wait 50s',
    'used up; run again in 9 s, or with --max-wait 9s',
    1,
  ],
  [
    'a trace_id',
    'refused (HTTP 500 {"code":1,"trace_id":"a"})',
    'refused (HTTP 500 {"code":1,"trace_id": "b"})',
    1,
  ],
  [
    'a code',
    'refused (HTTP 500 {"code":1,"trace_id":"a"})',
    'refused (HTTP 500 {"code":2,"trace_id":"a"})',
    2,
  ],
  ['the wait', 'needs to wait 31s; run with --max-wait 31s', 'needs to wait 61s; run with --max-wait 61s', 2],
] as const)('reasons that differ in %s are one cause or two', ([, one, other, want]) => {
  expect(groupByReason([{ reason: one }, { reason: other }])).toHaveLength(want);
});

test('what was left out comes last', () => {
  const left = { ...requirementWith('ENV-1', {}), reason: 'left out by --only or --skip' };
  const report = reportOf({ requirements: [left, requirementWith('ENV-2', { a: 'not-verified' })] });
  expect(causesOf(report).map(({ reason }) => reason)).toEqual([
    'because of a',
    'left out by --only or --skip',
  ]);
});

test('why a run ended early is not said again', () => {
  const aborted = { kind: 'credentials', reason: 'the login was refused' } as const;
  const short = { demand: 'require', kind: 'not-verified', id: 'ENV-1', reason: aborted.reason } as const;
  const groups = shortfallGroups(reportOf({ aborted, shortfalls: [short] }));
  expect(groups.map(sayShortfall)).toEqual(['--require: the run ended early (ENV-1)']);
});

test('shortfalls of different demands stay apart', () => {
  const short = { kind: 'not-verified', id: 'ENV-1', reason: 'x' } as const;
  const report = reportOf({
    shortfalls: [
      { ...short, demand: 'require' },
      { ...short, demand: 'baseline' },
      { ...short, demand: 'baseline', id: 'ENV-2' },
    ],
  });
  expect(shortfallGroups(report)).toEqual([
    { demand: 'require', kind: 'not-verified', reason: 'x', ids: ['ENV-1'] },
    { demand: 'baseline', kind: 'not-verified', reason: 'x', ids: ['ENV-1', 'ENV-2'] },
  ]);
});
