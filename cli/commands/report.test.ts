import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { reportOf, requirementWith, sample } from '../../contract-tests/reports/testing.ts';
import { openCommand } from '../testing.ts';

const { folder, runHere } = openCommand();
const report = (args: readonly string[]) => runHere(['report', ...args]);
const diff = (args: readonly string[]) => runHere(['report', 'diff', ...args]);

describe('report', () => {
  const file = join(folder, 'old.json');
  writeFileSync(file, JSON.stringify(sample));

  test.for([
    [[file], 'The deployment breaks 1 promise.\n'],
    [['--format=junit', file], '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites'],
  ] as const)('prints report %j', async ([args, want]) => {
    const { status, stdout } = await report(args);
    expect(status).toBe(0);
    expect(stdout.startsWith(want), stdout.slice(0, 100)).toBe(true);
  });

  test('writes to a file', async () => {
    const out = join(folder, 'new.json');
    expect((await report([file, '--format', 'json', '--out', out])).status).toBe(0);
    expect(JSON.parse(readFileSync(out, 'utf8'))).toEqual(sample);
  });

  test.for([
    [[file, file], '`sitepub report show` takes one argument, but got 2'],
    [[file, '--format', 'htm'], '--format: there is no format "htm"; did you mean "html"?'],
    [[join(folder, 'absent.json')], "absent.json can't be read (there is no file"],
    [[file, '--out', folder], 'is a folder; give the path of a file'],
    [[file, '--format', 'html', '--out', file], 'is also an input; choose another file'],
  ] as const)('refuses report %j', async ([args, want]) => {
    expect(await report(args)).toMatchObject({ status: 2, stderr: expect.stringContaining(want) });
  });
});

describe('diff', () => {
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
    [[passed, open], 3, 'passed → not-verified'],
    [['--format=json', open, passed], 0, '"newly_passed": [\n    {\n      "id": "ENV-1"'],
  ] as const)('diff %j exits with %i', async ([args, code, want]) => {
    expect(await diff(args)).toMatchObject({ status: code, stdout: expect.stringContaining(want) });
  });

  const receiver = { ...sample, target: { ...sample.target, kind: 'receiver' } };

  test.for([
    [[passed, open, failed], '`sitepub report diff` takes 2 arguments, but got 3'],
    [[passed, join(folder, 'absent.json')], "absent.json can't be read (there is no file"],
    [[passed, open, '--format', 'jsn'], '--format: there is no format "jsn"; did you mean "json"?'],
  ] as const)('refuses diff %j', async ([args, want]) => {
    expect(await diff(args)).toMatchObject({ status: 2, stderr: expect.stringContaining(want) });
  });

  test.for([
    [
      ['--report', `json=${passed}`],
      `--report would replace the baseline ${passed}; write the report to another file`,
    ],
    [
      ['--baseline', fileWith('receiver.json', receiver)],
      'is the report of a receiver (`sitepub test-receiver`)',
    ],
  ] as const)('refuses a run with the baseline and %j before sending anything', async ([args, want]) => {
    const { status, stderr } = await runHere(['test', '--baseline', passed, ...args]);
    expect({ status, stderr }).toEqual({ status: 2, stderr: expect.stringContaining(want) });
  });
});
