import { expect, test } from 'vitest';
import { readRequirements } from '../../openapi/registers.ts';
import { summarizeTimes } from '../run/gather-result.ts';
import { groupByReason, sayShortfall, shortfallGroups } from './group-by-cause.ts';
import { drawTimeline, headlineOf, sayLeftover, sayObserved, sayValue } from './group-by-verdict.ts';
import { plainSummaryOf } from './plain-summary.ts';
import type { Report } from './report.ts';
import { broken, expectedFailure, failed, passed, reportOf, sample, unverified } from './testing.ts';

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
] as const)('groups reasons that differ in %s', ([, one, other, want]) => {
  expect(groupByReason([{ reason: one }, { reason: other }])).toHaveLength(want);
});

test('does not repeat why a run ended early', () => {
  const aborted = { kind: 'credentials', reason: 'the login was refused' } as const;
  const short = { demand: 'require', kind: 'not-verified', id: 'ENV-1', reason: aborted.reason } as const;
  const groups = shortfallGroups(reportOf({ aborted, shortfalls: [short] }));
  expect(groups.map(sayShortfall)).toEqual(['--require: the run ended early (ENV-1)']);
});

test('does not group unmet conditions of different flags', () => {
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

const stale = {
  file: 'known.yaml',
  count: 0,
  stale: [{ id: 'ENV-1', line: 1, reason: 'x', until: null }],
  expired: [],
};
const aborted = { kind: 'unreachable', reason: 'nothing answers' } as const;
const held = { passed: 1, failed: 0, partly: 0, warned: 0, not_verified: 0, error: 0 };

test.for<[string, Partial<Report>]>([
  ['The deployment breaks 1 promise', { requirements: [failed, broken], expected_failures: stale }],
  ['The deployment breaks 2 promises', { requirements: [failed, failed], aborted }],
  ['1 suite error', { requirements: [broken, passed], summary: held, expected_failures: stale }],
  [
    'The file of expected failures is outdated',
    { requirements: [passed], summary: held, expected_failures: stale },
  ],
  ['Nothing was verified', { requirements: [unverified] }],
  ['All verified requirements passed', { requirements: [passed, unverified], summary: held }],
  ['All failures were expected', { requirements: [passed, expectedFailure], summary: held }],
])('the headline is "%s"', ([want, part]) => {
  expect(headlineOf(reportOf(part))).toBe(want);
});

test('describes a leftover without id, site and target', () => {
  expect(sayLeftover({ what: 'site', id: null, site: null, target: '' })).toBe('site with unknown id');
});

const gap = { id: 'x', source: 'default', outcome: 'drift' } as const;

test('shortens long values and observations', () => {
  expect(sayValue({ ...gap, value: { a: 'x'.repeat(60) }, observed: null })).toBe(`{"a":"${'x'.repeat(54)}…`);
  expect(sayValue({ ...gap, value: { a: 1 }, observed: null })).toBe('{"a":1}');
  expect(sayObserved({ ...gap, value: 1, observed: 'x'.repeat(301) })).toBe(`${'x'.repeat(300)}… and more`);
  expect(sayObserved({ ...gap, value: 1, observed: null })).toBe('');
});

test('says what passed, failed and could not be verified', () => {
  const { sentences, broken, unseen } = plainSummaryOf(sample);
  expect(sentences).toEqual([
    'The service at http://127.0.0.1:9/api/v1 was tested against 6 promises of the interface document.',
    '1 passed, 2 failed, 1 partly verified, and 2 could not be verified.',
  ]);
  expect(broken).toEqual([
    {
      about: 'webhook subscriptions',
      means:
        'A program may miss notifications that it subscribed to, or receive ones that it did not ask for.',
      requirements: [failed, expectedFailure],
    },
  ]);
  expect(unseen).toMatchObject([{ about: 'permissions', requirements: [unverified] }]);
});

test('says that nothing could be verified if the run ended early', () => {
  const report = reportOf({
    requirements: [unverified],
    aborted: { kind: 'unreachable', reason: 'it does not answer' },
  });
  expect(plainSummaryOf(report).sentences.at(-1)).toBe('No promise could be verified.');
});

test.for([
  [sample, /do not rely on the broken promises listed here/],
  [reportOf({ summary: { ...sample.summary, failed: 0 } }), /works as the interface document promises/],
  [reportOf({}), /gives no verdict on the service/],
] as const)('gives advice to integrators: %$', ([report, want]) => {
  expect(plainSummaryOf(report).advice).toMatch(want);
});

test('separates left-out requirements from unverified ones', () => {
  const left = { ...unverified, id: 'ENV-2', reason: 'left out by --only or --skip' };
  const { sentences, unseen } = plainSummaryOf(reportOf({ requirements: [passed, left, unverified] }));
  expect(sentences.at(-1)).toBe(
    '1 passed, 0 failed, 1 was left out on purpose, and 1 could not be verified.',
  );
  expect(unseen.flatMap(({ requirements }) => requirements)).toEqual([unverified]);
});

test('has a subject for every requirement', () => {
  const requirements = readRequirements().map(({ id }) => ({ ...failed, id }));
  const { broken } = plainSummaryOf(reportOf({ requirements }));
  expect(broken.filter(({ means }) => means === '')).toEqual([]);
});

test('lists nothing broken if everything passed', () => {
  expect(plainSummaryOf(reportOf({ requirements: [passed] }))).toMatchObject({ broken: [], unseen: [] });
});

test.for<[string, number[]]>([
  ['0 s ● 500 ──── 61 s ● 500 ───────── 361 s ● 500 ──────────────── 2161 s ○ nothing', [0, 61, 361, 2161]],
  ['3 s ○ nothing', [3]],
])('draws longer lines for longer times: %s', ([want, times]) => {
  const what = (at: number) => (at === times.length - 1 ? 'nothing' : '500');
  expect(drawTimeline(times.map((after_s, at) => ({ after_s, what: what(at) })))).toBe(want);
});

const upTo = (most: number) => [...Array(most).keys()].map((at) => at + 1);

test.for([
  [[], undefined],
  [[7.4], { calls: 1, median_ms: 7, p95_ms: 7 }],
  [[30, 10], { calls: 2, median_ms: 10, p95_ms: 30 }],
  [[3, 1, 2], { calls: 3, median_ms: 2, p95_ms: 3 }],
  [upTo(19), { calls: 19, median_ms: 10, p95_ms: 19 }],
  [upTo(20), { calls: 20, median_ms: 10, p95_ms: 19 }],
  [upTo(100).toReversed(), { calls: 100, median_ms: 50, p95_ms: 95 }],
] as const)('summarizes the times %j', ([times, want]) => {
  expect(summarizeTimes(times)).toEqual(want);
});
