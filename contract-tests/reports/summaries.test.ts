import { expect, test } from 'vitest';
import { readRequirements } from '../../openapi/registers.ts';
import { summarizeTimes } from '../run/gather-result.ts';
import { drawTimeline } from './draw-timeline.ts';
import { causesOf, groupByReason, sayIds, sayShortfall, shortfallGroups } from './group-by-cause.ts';
import {
  groupByVerdict,
  headlineOf,
  outdatedEntries,
  sayLeftover,
  sayObserved,
  sayValue,
} from './group-by-verdict.ts';
import { plainSummaryOf } from './plain-summary.ts';
import type { Report } from './report.ts';
import {
  broken,
  expectedFailure,
  failed,
  passed,
  reportOf,
  requirementWith,
  sample,
  unverified,
} from './testing.ts';

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

const stale = {
  file: 'known.yaml',
  count: 0,
  stale: [{ id: 'ENV-1', line: 1, reason: 'x', until: null }],
  expired: [],
};
const aborted = { kind: 'unreachable', reason: 'nobody is there' } as const;
const held = { passed: 1, failed: 0, partly: 0, warned: 0, not_verified: 0, error: 0 };

test.for<[string, Partial<Report>]>([
  ['The deployment breaks 1 promise', { requirements: [failed, broken], expected_failures: stale }],
  ['The deployment breaks 2 promises', { requirements: [failed, failed], aborted }],
  ['The deployment could not be tested; nothing is said of it', { requirements: [unverified], aborted }],
  [
    'The settings of the run are wrong; nothing is said of the deployment',
    { requirements: [unverified], aborted: { kind: 'credentials', reason: 'x' } },
  ],
  [
    '1 error of the suite itself',
    { requirements: [broken, passed], summary: held, expected_failures: stale },
  ],
  [
    'The file of expected failures is out of date',
    { requirements: [passed], summary: held, expected_failures: stale },
  ],
  ['Nothing was verified', { requirements: [unverified] }],
  ['Every requirement that was verified holds', { requirements: [passed, unverified], summary: held }],
  ['Every failure was expected', { requirements: [passed, expectedFailure], summary: held }],
])('the headline is "%s"', ([want, part]) => {
  expect(headlineOf(reportOf(part))).toBe(want);
});

test('groups the worst first, and has no empty group', () => {
  const groups = groupByVerdict(reportOf({ requirements: [passed, expectedFailure, failed] }));
  expect(groups.map(({ verdict }) => verdict)).toEqual(['failed', 'expected', 'passed']);
});

test('has no word on expected failures where no file was given', () => {
  expect(outdatedEntries(reportOf({}))).toEqual([]);
});

test.for([
  [{ what: 'subscription', id: 7, site: 101, target: 'http://x' }, 'subscription 7 on site 101: http://x'],
  [{ what: 'site', id: null, site: null, target: '' }, 'site of unknown identifier'],
] as const)('says of a leftover %j: %s', ([leftover, want]) => {
  expect(sayLeftover(leftover)).toBe(want);
});

const gap = { id: 'x', source: 'default', outcome: 'drift' } as const;

test('shortens what a terminal or a table has no room for', () => {
  expect(sayValue({ ...gap, value: { a: 'x'.repeat(60) }, observed: null })).toBe(`{"a":"${'x'.repeat(54)}…`);
  expect(sayValue({ ...gap, value: { a: 1 }, observed: null })).toBe('{"a":1}');
  expect(sayObserved({ ...gap, value: 1, observed: 'x'.repeat(301) })).toBe(`${'x'.repeat(300)}… and more`);
  expect(sayObserved({ ...gap, value: 1, observed: null })).toBe('');
});

test('says what was compared, what is broken and what could not be looked at', () => {
  const { sentences, broken, unseen } = plainSummaryOf(sample);
  expect(sentences).toEqual([
    'The service at http://127.0.0.1:9/api/v1 was compared with 6 promises of the interface document.',
    '1 is kept, 2 are broken, 1 is kept as far as could be seen, and 2 could not be looked at.',
  ]);
  expect(broken).toEqual([
    {
      about: 'asking for notifications (webhook subscriptions)',
      means:
        'A program may not be told of what happens on a site, or be told of something else than it asked for.',
      requirements: [failed, expectedFailure],
    },
  ]);
  expect(unseen).toMatchObject([{ about: 'who may do what', requirements: [unverified] }]);
});

test('says that nothing could be looked at where the run was not made', () => {
  const report = reportOf({
    requirements: [unverified],
    aborted: { kind: 'unreachable', reason: 'it does not answer' },
  });
  expect(plainSummaryOf(report).sentences.at(-1)).toBe('Nothing could be looked at.');
});

test.for([
  [sample, /cannot rely on what is listed here until it is mended/],
  [reportOf({ summary: { ...sample.summary, failed: 0 } }), /can rely on that/],
  [reportOf({}), /Nothing good or bad is known of the service/],
] as const)('says what follows for those who connect a program: %$', ([report, want]) => {
  expect(plainSummaryOf(report).advice).toMatch(want);
});

test('tells what was left out on purpose from what could not be looked at', () => {
  const left = { ...unverified, id: 'ENV-2', reason: 'left out by --only or --skip' };
  const { sentences, unseen } = plainSummaryOf(reportOf({ requirements: [passed, left, unverified] }));
  expect(sentences.at(-1)).toBe(
    '1 is kept, 0 are broken, 1 was left out of this run on purpose, and 1 could not be looked at.',
  );
  expect(unseen.flatMap(({ requirements }) => requirements)).toEqual([unverified]);
});

test('knows what every requirement is about', () => {
  const requirements = readRequirements().map(({ id }) => ({ ...failed, id }));
  const { broken } = plainSummaryOf(reportOf({ requirements }));
  expect(broken.filter(({ means }) => means === '')).toEqual([]);
});

test('breaks nothing where all is kept', () => {
  expect(plainSummaryOf(reportOf({ requirements: [passed] }))).toMatchObject({ broken: [], unseen: [] });
});

test('draws what came when, and longer lines for longer times', () => {
  const timeline = [
    { after_s: 0, what: '500' },
    { after_s: 61, what: '500' },
    { after_s: 361, what: '500' },
    { after_s: 2161, what: 'nothing' },
  ];
  expect(drawTimeline(timeline)).toBe(
    '0 s ● 500 ──── 61 s ● 500 ───────── 361 s ● 500 ──────────────── 2161 s ○ nothing',
  );
});

test('draws a single moment without a line', () => {
  expect(drawTimeline([{ after_s: 3, what: 'a push' }])).toBe('3 s ● a push');
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
] as const)('of %j', ([times, want]) => {
  expect(summarizeTimes(times)).toEqual(want);
});
