import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ReportError, readReport } from './read-report.ts';
import { sample } from './testing.ts';

const folder = mkdtempSync(join(tmpdir(), 'sitepub-read-'));
const file = join(folder, 'report.json');
const advice = 'pass a file written by `sitepub test --report json=FILE`';

test('reads a written report, with or without a byte order mark', () => {
  writeFileSync(file, `\uFEFF${JSON.stringify(sample)}`);
  expect(readReport(file)).toEqual(JSON.parse(JSON.stringify(sample)));
});

test('reads members of a later release', () => {
  writeFileSync(
    file,
    JSON.stringify({ ...sample, later: 1, remarks: [{ ...sample.remarks[0], id: 'later-remark' }] }),
  );
  expect(readReport(file)).toMatchObject({ later: 1 });
});

test.for<[string, unknown, string]>([
  ['an array', [], 'is not a sitepub report'],
  ['other JSON', { name: 'x' }, 'is not a sitepub report'],
  ['version 1', { ...sample, schema: 1 }, 'has report version 1, but this sitepub reads version 2'],
  [
    'an incomplete report',
    { schema: 2, tool: sample.tool, target: sample.target },
    "is not a valid report: must have required property 'started_at'",
  ],
  [
    'an invalid outcome',
    { ...sample, requirements: [{ ...sample.requirements[0], outcome: 'green' }] },
    'is not a valid report: /requirements/0/outcome must be equal to one of the allowed values',
  ],
])('refuses %s', ([, value, want]) => {
  writeFileSync(file, JSON.stringify(value));
  expect(() => readReport(file)).toThrow(new ReportError(`${file} ${want}; ${advice}`));
});

// cli/commands/report.test.ts tests a missing file and the report of a receiver.
test('refuses invalid JSON and folders', () => {
  writeFileSync(file, '{"schema": 2,');
  expect(() => readReport(file)).toThrow(`${file} is not JSON (`);
  expect(() => readReport(folder)).toThrow(
    new ReportError(`${folder} can't be read (it is a folder); ${advice}`),
  );
});
