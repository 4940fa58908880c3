import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { noCounts, reportOf, requirementWith, sample } from '../../contract-tests/reports/testing.ts';
import { openCommand } from '../testing.ts';

const { folder, runHere } = openCommand();

describe('report', () => {
  const file = join(folder, 'old.json');
  writeFileSync(file, JSON.stringify(sample));

  test.for([
    [[file], 'The deployment breaks 1 promise.\n'],
    [['--format=junit', file], '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites'],
  ] as const)('prints report %j', async ([args, want]) => {
    const { status, stdout } = await runHere(['report', ...args]);
    expect(status).toBe(0);
    expect(stdout.startsWith(want), stdout.slice(0, 100)).toBe(true);
  });

  test('writes to a file', async () => {
    const out = join(folder, 'new.json');
    expect((await runHere(['report', file, '--format', 'json', '--out', out])).status).toBe(0);
    expect(JSON.parse(readFileSync(out, 'utf8'))).toEqual(sample);
  });
});

describe('diff', () => {
  const fileWith = (name: string, report: unknown) => {
    const path = join(folder, name);
    writeFileSync(path, JSON.stringify(report));
    return path;
  };
  const reportWith = (outcome: 'passed' | 'failed' | 'not-verified') => {
    const counted = { ...noCounts, [outcome.replace('-', '_')]: 1 };
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
    const stdout = expect.stringContaining(want);
    expect(await runHere(['report', 'diff', ...args])).toMatchObject({ status: code, stdout });
  });

  const receiver = { ...sample, target: { ...sample.target, kind: 'receiver' } };

  const ofReceiver = fileWith('receiver.json', receiver);

  test.for([
    [['report', passed, passed], '`sitepub report show` takes one argument, but got 2'],
    [['report', passed, '--format', 'htm'], '--format: there is no format "htm"; did you mean "html"?'],
    [['report', join(folder, 'absent.json')], "absent.json can't be read (there is no file"],
    [['report', passed, '--out', folder], 'is a folder; give the path of a file'],
    [['report', passed, '--format', 'html', '--out', passed], 'is also an input; choose another file'],
    [['report', 'diff', passed, open, failed], '`sitepub report diff` takes 2 arguments, but got 3'],
    [['report', 'diff', passed, open, '--format', 'jsn'], '--format: there is no format "jsn"; did you mean'],
    [['test', '--baseline', passed, '--report', `json=${passed}`], '--report would replace the baseline'],
    [['test', '--baseline', ofReceiver], 'is the report of a receiver (`sitepub test-receiver`)'],
  ] as const)('%j is refused', async ([args, want]) => {
    expect(await runHere(args)).toMatchObject({ status: 2, stderr: expect.stringContaining(want) });
  });
});
