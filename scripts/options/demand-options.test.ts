import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { reportOf, sample } from '../../contract-tests/reports/testing.ts';
import { demandFlags, readDemands } from './demand-options.ts';
import { readFlags } from './flags.ts';
import { UsageError } from './usage-error.ts';

const folder = mkdtempSync(join(tmpdir(), 'sitepub-demands-'));
const file = join(folder, 'baseline.json');

afterAll(() => rmSync(folder, { recursive: true }));

const read = (...args: string[]) => readDemands(readFlags(args, demandFlags, {}));

test('reads ids, groups and all, each requirement once', () => {
  expect(read()).toBeUndefined();
  expect(read('--require', 'ENV-1', 'LOG,LOG-1')).toEqual({ require: ['ENV-1', 'LOG-1'] });
  expect(read('--require', 'SIG')?.require).toEqual(['SIG-1', 'SIG-2', 'SIG-3', 'SIG-4', 'SIG-5', 'SIG-6']);
  const all = read('--require', 'all')?.require;
  expect(all).toHaveLength(79);
  expect(all).not.toContain('RECV-1');
  expect(read('--require', 'log-1', 'Env-1')).toEqual({ require: ['LOG-1', 'ENV-1'] });
  expect(read('--min-verified', '16')).toEqual({ minVerified: 16 });
});

test('reads a baseline', () => {
  writeFileSync(file, JSON.stringify(sample));
  expect(read('--baseline', file)?.baseline?.summary).toEqual(sample.summary);
});

test.for([
  [
    ['--require', 'HOOK-44'],
    '--require: there is no requirement or group of requirements "HOOK-44"; did you mean "HOOK-4"?',
  ],
  [
    ['--require', 'everything-there-is'],
    '--require: there is no requirement or group of requirements "everything-there-is" (`sitepub list requirements` shows all)',
  ],
  [
    ['--require', 'RECV-1'],
    '--require: RECV-1 is about receivers, and no run against a deployment verifies it; leave it out, and use `sitepub test-receiver`',
  ],
  [['--min-verified', 'most'], '--min-verified is "most"; expected a whole number from 0 to 79'],
  [['--min-verified', '80'], '--min-verified is "80"; expected a whole number from 0 to 79'],
  [
    ['--baseline', 'nowhere.json'],
    "--baseline: nowhere.json can't be read (ENOENT); give one that `sitepub test --report json=FILE` has written",
  ],
] as const)('refuses %j', ([args, want]) => {
  expect(() => read(...args)).toThrow(new UsageError(want));
});

test('refuses a baseline in which nothing was verified', () => {
  writeFileSync(file, JSON.stringify(reportOf({})));
  expect(() => read('--baseline', file)).toThrow(
    new UsageError(
      `--baseline: nothing was verified in ${file}, so it holds a run to nothing; give the report of a better run`,
    ),
  );
});
