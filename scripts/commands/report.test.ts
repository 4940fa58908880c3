import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { sample } from '../../contract-tests/reports/testing.ts';
import { UsageError } from '../options/usage-error.ts';
import { report } from './report.ts';

const folder = mkdtempSync(join(tmpdir(), 'sitepub-report-'));
const file = join(folder, 'old.json');
writeFileSync(file, JSON.stringify(sample));

afterAll(() => rmSync(folder, { recursive: true }));
afterEach(() => vi.restoreAllMocks());

test.for([
  [[file], 'The deployment breaks 1 promise.\n'],
  [[file, '--as', 'markdown'], '# The deployment breaks 1 promise\n'],
  [['--as=junit', file], '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites'],
  [[file, '--as', 'html'], '<!doctype html>\n'],
] as const)('report %j is printed', async ([args, want]) => {
  let printed = '';
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed += text;
    return true;
  });
  expect(await report(args)).toBe(0);
  expect(printed.startsWith(want), printed.slice(0, 100)).toBe(true);
});

test('writes to a file', async () => {
  const out = join(folder, 'new.json');
  expect(await report([file, '--as', 'json', '--out', out])).toBe(0);
  expect(JSON.parse(readFileSync(out, 'utf8'))).toEqual(sample);
});

test.for([
  [[], 'expected one file: sitepub report FILE.json [--as FORMAT] [--out FILE]'],
  [[file, file], 'expected one file'],
  [[file, '--as', 'htm'], '--as knows no format "htm"; did you mean "html"?'],
  [[join(folder, 'absent.json')], "absent.json can't be read (ENOENT)"],
  [[file, '--out', folder], 'is a folder; give the path of a file'],
] as const)('report %j is refused', async ([args, want]) => {
  await expect(report(args)).rejects.toThrow(want);
  await expect(report(args)).rejects.toThrow(UsageError);
});
