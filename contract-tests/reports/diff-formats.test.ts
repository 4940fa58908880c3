import { expect, test } from 'vitest';
import { compareReports } from './compare-reports.ts';
import { diffFormats } from './diff-formats.ts';
import { reportOf, requirementWith, sample, sampleWith } from './testing.ts';

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

test('as text', () => {
  expect(
    diffFormats.text(comparison, { colour: false }),
  ).toBe(`before  2026-01-02 03:04:05 UTC  http://127.0.0.1:9/api/v1  profile acme  sitepub 0.2.0: 2 passed, 1 failed, 0 partly, 2 not verified
now     2026-01-02 03:04:05 UTC  http://127.0.0.1:10/api/v1  profile acme  sitepub 0.2.0: 1 passed, 3 failed, 1 partly, 0 not verified
The two runs differ in address.

Regressed: passed before, fails now:
✗ ENV-1      The title of ENV-1
             passed → failed; because of a

Fails now, and was not verified before:
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

Notices that are gone:
~ greeting   remark
             hello

1 regressed, 1 newly failed, 1 no longer verified, 1 newly verified
`);
});

test('as Markdown', () => {
  const text = diffFormats.markdown(comparison);
  expect(text).toMatch(/^# 1 regressed, 1 newly failed, 1 no longer verified, 1 newly verified\n/);
  expect(text).toContain(
    '## No longer verified\n\n| id | what | change |\n| --- | --- | --- |\n| ◐ ENV-2 | The title of ENV-2 | passed → partly; b and 1 more check; because of b |\n',
  );
});

test('as JSON', () => {
  const { schema, regressed, no_longer_verified } = JSON.parse(diffFormats.json(comparison));
  expect(schema).toBe(1);
  expect(regressed).toEqual(JSON.parse(JSON.stringify(comparison.regressed)));
  expect(no_longer_verified[0].checks).toEqual(['b', 'c']);
});

test('has little to say where nothing changed', () => {
  const text = diffFormats.text(
    compareReports(older, { ...older, requirements: older.requirements.slice(0, 1) }),
    {
      colour: false,
    },
  );
  expect(text).toContain('\nNo longer verified:\n– ENV-2');
  const same = compareReports(reportOf({}), reportOf({}));
  expect(diffFormats.text(same, { colour: false }).split('\n').slice(2)).toEqual([
    '',
    'No requirement changed',
    '',
  ]);
});

test('paints only when asked to, and lets no text of a deployment move the cursor', () => {
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
