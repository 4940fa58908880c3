import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';
import { reportOf, requirementWith, sample } from '../../contract-tests/reports/testing.ts';
import { UsageError } from '../options/usage-error.ts';
import { diff } from './diff.ts';
import { report } from './report.ts';
import { test as runTest } from './test.ts';

describe('report', () => {
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
    [[join(folder, 'absent.json')], "absent.json can't be read (there is no file"],
    [[file, '--out', folder], 'is a folder; give the path of a file'],
  ] as const)('report %j is refused', async ([args, want]) => {
    await expect(report(args)).rejects.toThrow(want);
    await expect(report(args)).rejects.toThrow(UsageError);
  });
});

// `sitepub report diff`, and what `sitepub test` refuses of a baseline, in this process.
describe('diff', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sitepub-diff-'));

  afterAll(() => rmSync(folder, { recursive: true }));
  afterEach(() => vi.restoreAllMocks());

  const fileWith = (name: string, report: unknown) => {
    const path = join(folder, name);
    writeFileSync(path, JSON.stringify(report));
    return path;
  };
  const reportWith = (outcome: 'passed' | 'failed' | 'not-verified') => {
    const summary = { passed: 0, failed: 0, partly: 0, warned: 0, not_verified: 0, error: 0 };
    const counted = { ...summary, [outcome.replace('-', '_')]: 1 };
    return reportOf({ requirements: [requirementWith('ENV-1', { a: outcome })], summary: counted });
  };
  const passed = fileWith('passed.json', reportWith('passed'));
  const failed = fileWith('failed.json', reportWith('failed'));
  const open = fileWith('open.json', reportWith('not-verified'));

  test.for([
    [[passed, passed], 0, 'No requirement changed\n'],
    [[passed, failed], 1, '✗ ENV-1      The title of ENV-1\n             passed → failed; because of a\n'],
    [[passed, open, '--format', 'markdown'], 3, '# 1 no longer verified\n'],
    [['--format=json', open, passed], 0, '"newly_passed": [\n    {\n      "id": "ENV-1"'],
  ] as const)('diff %j exits with %i', async ([args, code, want]) => {
    let printed = '';
    vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
      printed += text;
      return true;
    });
    expect(await diff(args)).toBe(code);
    expect(printed).toContain(want);
  });

  const receiver = { ...sample, target: { ...sample.target, kind: 'receiver' } };

  test.for([
    [[passed], 'expected two files, the older report first: sitepub report diff OLD.json NEW.json'],
    [[passed, open, failed], 'expected two files, the older report first'],
    [[passed, join(folder, 'absent.json')], "absent.json can't be read (there is no file"],
    [[passed, open, '--format', 'jsn'], '--format knows no format "jsn"; did you mean "json"?'],
    [
      [fileWith('one.json', { ...sample, schema: 1 }), open],
      'is a report of version 1, and version 2 is read here',
    ],
  ] as const)('diff %j is refused', async ([args, want]) => {
    await expect(diff(args)).rejects.toThrow(want);
    await expect(diff(args)).rejects.toThrow(UsageError);
  });

  test.for([
    [
      ['--report', `json=${passed}`],
      `--report would replace the baseline ${passed}; write it to another file`,
    ],
    [
      ['--baseline', fileWith('receiver.json', receiver)],
      'is the report of a receiver (`sitepub test-receiver`)',
    ],
  ] as const)('a run with the baseline and %j is refused before anything is sent', async ([args, want]) => {
    await expect(runTest(['--baseline', passed, ...args])).rejects.toThrow(want);
  });
});
