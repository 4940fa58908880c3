import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { ReportError, readReport } from './read-report.ts';
import { sample } from './testing.ts';

const folder = mkdtempSync(join(tmpdir(), 'sitepub-read-'));
const file = join(folder, 'report.json');
const advice = 'give one that `sitepub test --report json=FILE` has written';

afterAll(() => rmSync(folder, { recursive: true }));

test('reads what was written, also after a byte order mark', () => {
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
  ['no object', [], 'is no report of sitepub'],
  ['another JSON', { name: 'x' }, 'is no report of sitepub'],
  ['version 1', { ...sample, schema: 1 }, 'is a report of version 1, and version 2 is read here'],
  [
    'a receiver',
    { ...sample, target: { ...sample.target, kind: 'receiver' } },
    'is the report of a receiver (`sitepub test-receiver`), and not of a deployment',
  ],
  [
    'half a report',
    { schema: 2, tool: sample.tool, target: sample.target },
    "is no whole report: must have required property 'started_at'",
  ],
  [
    'a wrong outcome',
    { ...sample, requirements: [{ ...sample.requirements[0], outcome: 'green' }] },
    'is no whole report: /requirements/0/outcome must be equal to one of the allowed values',
  ],
])('refuses %s', ([, value, want]) => {
  writeFileSync(file, JSON.stringify(value));
  expect(() => readReport(file)).toThrow(new ReportError(`${file} ${want}; ${advice}`));
});

test('refuses what is no JSON, and what is not there', () => {
  writeFileSync(file, '{"schema": 2,');
  expect(() => readReport(file)).toThrow(`${file} is no JSON (`);
  const absent = join(folder, 'absent.json');
  expect(() => readReport(absent)).toThrow(
    new ReportError(`${absent} can't be read (there is no file ${absent}); ${advice}`),
  );
  expect(() => readReport(folder)).toThrow(`${folder} can't be read (it is a folder); ${advice}`);
});
