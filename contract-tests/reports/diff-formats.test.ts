import { expect, test } from 'vitest';
import { codeOfComparison, compareReports } from './compare-reports.ts';
import { diffFormats } from './diff-formats.ts';
import { gapWith as gap, reportOf, requirementWith, sample, sampleWith } from './testing.ts';

const older = reportOf({
  requirements: [
    requirementWith('ENV-1', { a: 'passed' }),
    requirementWith('ENV-2', { b: 'passed', c: 'passed', d: 'passed' }),
    requirementWith('ENV-3', { e: 'not-verified' }),
    requirementWith('ENV-4', { f: 'failed' }),
    requirementWith('ENV-5', { g: 'not-verified' }),
  ],
  remarks: [{ id: 'greeting', what: 'x', count: 1, example: 'hello' }],
  summary: { passed: 2, failed: 1, partly: 0, warned: 0, not_verified: 2, error: 0 },
});
const newer = reportOf({
  target: { base_url: 'http://127.0.0.1:10/api/v1', profile: 'acme' },
  requirements: [
    requirementWith('ENV-1', { a: 'failed' }),
    requirementWith('ENV-2', { b: 'not-verified', c: 'not-verified', d: 'passed' }),
    requirementWith('ENV-3', { e: 'passed' }),
    requirementWith('ENV-4', { f: 'failed' }),
    requirementWith('ENV-5', { g: 'failed' }),
  ],
  remarks: [{ id: 'late', what: 'x', count: 1, example: 'after 12 s' }],
  summary: { passed: 1, failed: 3, partly: 1, warned: 0, not_verified: 0, error: 0 },
});
const comparison = compareReports(older, newer);

test('formats a comparison as text', () => {
  expect(
    diffFormats.text(comparison, { colour: false }),
  ).toBe(`before  2026-01-02 03:04:05 UTC  http://127.0.0.1:9/api/v1  profile acme  sitepub 0.2.0: 2 passed, 1 failed, 0 partly, 2 not verified (42 requests in 1.2 s)
now     2026-01-02 03:04:05 UTC  http://127.0.0.1:10/api/v1  profile acme  sitepub 0.2.0: 1 passed, 3 failed, 1 partly, 0 not verified (42 requests in 1.2 s)
The two runs differ in address.

Regressed: passed before, fails now:
✗ ENV-1      The title of ENV-1
             passed → failed; because of a

Newly failed: not verified before:
✗ ENV-5      The title of ENV-5
             not-verified → failed; because of g

No longer verified:
◐ ENV-2      The title of ENV-2
             passed → partly; b and 1 more check; because of b

Still failing:
✗ ENV-4      The title of ENV-4
             failed → failed; because of f

Newly verified:
✓ ENV-3      The title of ENV-3
             not-verified → passed

New notices:
~ late       remark
             after 12 s

Notices no longer seen:
~ greeting   remark
             hello

1 regressed, 1 newly failed, 1 no longer verified, 1 newly verified
`);
});

test('formats a comparison as Markdown', () => {
  const text = diffFormats.markdown(comparison);
  expect(text).toMatch(/^# 1 regressed, 1 newly failed, 1 no longer verified, 1 newly verified\n/);
  expect(text).toContain(
    '## No longer verified\n\n| id | what | change |\n| --- | --- | --- |\n| ◐ ENV-2 | The title of ENV-2 | passed → partly; b and 1 more check; because of b |\n',
  );
});

test('formats a comparison as JSON', () => {
  const { schema, regressed, no_longer_verified } = JSON.parse(diffFormats.json(comparison));
  expect(schema).toBe(1);
  expect(regressed).toEqual(JSON.parse(JSON.stringify(comparison.regressed)));
  expect(no_longer_verified[0].checks).toEqual(['b', 'c']);
});

test('says little if nothing changed', () => {
  const text = diffFormats.text(
    compareReports(older, { ...older, requirements: older.requirements.slice(0, 1) }),
    {
      colour: false,
    },
  );
  expect(text).toContain('\nNo longer verified:\n– ENV-2');
  const same = compareReports(reportOf({}), reportOf({ started_at: '2026-01-03T03:04:05Z' }));
  expect(diffFormats.text(same, { colour: false }).split('\n').slice(2)).toEqual([
    '',
    'No requirement changed',
    '',
  ]);
});

test('uses colours only on request, and escapes control characters of a deployment', () => {
  const hostile = compareReports(sample, sampleWith('a\n\u001b[2Jz'));
  const plain = diffFormats.text(hostile, { colour: false });
  expect(plain).not.toContain('\u001b');
  expect(plain).toContain('a\\n\\u001b[2Jz');
  expect(diffFormats.text(comparison, { colour: true })).toContain('\u001b[31m✗\u001b[39m ENV-1');
  const table = diffFormats
    .markdown(hostile)
    .split('\n')
    .filter((line) => line.startsWith('| ✗ HOOK-4'));
  expect(table).toEqual([
    '| ✗ HOOK-4 | Another channel is refused | failed → failed; hook-4-channel-slack; a \\\\u001b\\[2Jz |',
  ]);
});

const times = (median_ms: number) => [
  { operation: 'login', statuses: [200], requests: 9, times: { calls: 9, median_ms, p95_ms: 2 * median_ms } },
];
const changed = compareReports(
  reportOf({ gaps: [gap('200', 'agrees')], coverage: times(12) }),
  reportOf({ gaps: [gap('201', 'drift')], coverage: times(480) }),
);

test('shows gaps and times in each format, without changing the exit code', () => {
  const text = diffFormats.text(changed, { colour: false });
  expect(text).toContain(
    '\nNew drift:\n~ login.status the profile says 200\n             observed 200 → 201\n\nSlower:\n~ login      median 12 ms → 480 ms\n             95th percentile 24 ms → 960 ms; accepted calls 9 → 9\n\nNo requirement changed; 1 gap changed, 1 operation slower\n',
  );
  // The JSON format also has drift among the notices; the others list it once.
  expect(text).not.toContain('New notices');
  expect(diffFormats.markdown(changed)).toContain(
    '| \\~ login.status | the profile says 200 | observed 200 → 201 |',
  );
  expect(JSON.parse(diffFormats.json(changed))).toMatchObject({
    gaps: [{ id: 'login.status', kind: 'drifts', before: { observed: '200' }, after: { observed: '201' } }],
    times: { slower: [{ operation: 'login', by: 'median' }], faster: [] },
  });
  expect(codeOfComparison(changed)).toBe(0);
});

test.for([
  ['a value', gap('200', 'agrees'), gap('200', 'agrees', 201), 'the profile says 201, previously 200'],
  [
    'a long value',
    gap('x', 'agrees', { a: 'x'.repeat(90) }),
    gap('x', 'agrees', { b: 'x'.repeat(90) }),
    `the profile says {"b":"${'x'.repeat(54)}…, previously {"a":"${'x'.repeat(54)}…`,
  ],
  [
    'a gap that was never observed',
    gap(null, 'not-observed'),
    gap(null, 'not-observed', 201),
    '             not observed\n',
  ],
  ['a newly observed gap', gap(null, 'not-observed'), gap('200', 'agrees'), 'observed nothing → 200'],
] as const)('shows %s', ([, before, after, want]) => {
  const one = compareReports(reportOf({ gaps: [before] }), reportOf({ gaps: [after] }));
  expect(diffFormats.text(one, { colour: false })).toContain(want);
});

test('escapes observed values of a deployment', () => {
  const hostile = '\u001b[2J\n::error::x @all [a](http://x) <b>`';
  const one = compareReports(
    reportOf({ gaps: [gap('200', 'agrees')] }),
    reportOf({ gaps: [gap(hostile, 'drift', hostile)] }),
  );
  expect(diffFormats.text(one, { colour: false })).not.toMatch(/\p{Cc}\[|^::/mu);
  const markdown = diffFormats.markdown(one);
  expect(markdown).not.toMatch(/\p{Cc}\[|^::|@all|<b>|(?<!\\)\[a\]|http:\/\/x/mu);
});

test.for<[string, Parameters<typeof reportOf>[0], string]>([
  ['the same run', {}, '\nBoth reports describe the same run.\n'],
  [
    'a newer report passed first',
    { started_at: '2026-01-02T03:04:04Z' },
    '\nThe first report is newer than the second. Pass the older report first.\n',
  ],
  [
    'a run that ended early',
    {
      started_at: '2026-01-03T03:04:05Z',
      aborted: { kind: 'interrupted', reason: 'the run was interrupted' },
    },
    '); ended early: the run was interrupted\n',
  ],
])('warns of %s', ([, changes, want]) => {
  const told = compareReports(reportOf({}), reportOf(changes));
  expect(diffFormats.text(told, { colour: false })).toContain(want);
  expect(diffFormats.markdown(told)).toContain(want.replaceAll(/\n|\);? ?/g, ''));
});
