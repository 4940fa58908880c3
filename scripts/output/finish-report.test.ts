import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Demands } from '../../contract-tests/reports/apply-demands.ts';
import { failed, passed, reportOf } from '../../contract-tests/reports/testing.ts';
import { UsageError } from '../options/usage-error.ts';
import { finishReport, readExpectedFailures, reportToGithub } from './finish-report.ts';

let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sitepub-finish-'));
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

const report = reportOf({ requirements: [passed, failed] });

test('accepts the failures in a file of expected ones, and none without a file', async () => {
  vi.stubEnv('GITHUB_STEP_SUMMARY', '');
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  const [file, path] = [join(folder, 'known.yaml'), join(folder, 'report.json')];
  writeFileSync(file, 'HOOK-4: { reason: to be fixed }\n');
  const targets = [{ format: 'json', path }];
  finishReport(report, { expected: await readExpectedFailures(file), targets });
  expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({
    expected_failures: { file, count: 1, stale: [], expired: [] },
  });
  finishReport(report, { expected: await readExpectedFailures(undefined), targets });
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(JSON.parse(JSON.stringify(report)));
});

test('refuses a file that can not be used', async () => {
  const path = join(folder, 'known.yaml');
  writeFileSync(path, 'HOOK-44: { reason: to be fixed }\n');
  await expect(readExpectedFailures(path)).rejects.toThrow(UsageError);
  await expect(readExpectedFailures(path)).rejects.toThrow(
    `${path}:1: there is no requirement or check "HOOK-44"; did you mean "HOOK-4"?`,
  );
});

test('holds the report to what is demanded, after the expected failures', async () => {
  vi.stubEnv('GITHUB_STEP_SUMMARY', '');
  const written = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  const file = join(folder, 'known.yaml');
  writeFileSync(file, 'HOOK-4: { reason: to be fixed }\n');
  const expected = await readExpectedFailures(file);
  const baseline = reportOf({ requirements: [passed, { ...failed, outcome: 'passed', checks: [] }] });
  const counted = { ...report, summary: { ...report.summary, passed: 1, failed: 1 } };
  const finish = (demands: Demands, known?: typeof expected) =>
    finishReport(counted, { expected: known, targets: [], demands });
  expect(finish({ baseline })).toBe(1);
  expect(finish({ baseline }, expected)).toBe(0);
  expect(finish({ minVerified: 2 }, expected)).toBe(3);
  expect(finish({ minVerified: 1, require: ['ENV-1'] }, expected)).toBe(0);
  expect(String(written.mock.calls[2]?.[0])).toMatch(/\n✗ --min-verified: 1 passed; 2 are demanded\n$/);
});

test('annotates and summarises in a job on GitHub', () => {
  const written = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  const path = join(folder, 'summary.md');
  reportToGithub(report, { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: path });
  expect(written.mock.calls).toEqual([
    [
      Buffer.from(
        '::error title=HOOK-4 Another channel is refused::hook-4-channel-slack: expected a refusal; got a success (trace_id a1b2)%0Asentence: The sentence that promises it.%0Areading: Four values are named, and no others.\n',
      ),
    ],
  ]);
  expect(readFileSync(path, 'utf8')).toMatch(/^# The deployment breaks 1 promise\n/);
});

test('prints nothing elsewhere', () => {
  const written = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  reportToGithub(report, { GITHUB_STEP_SUMMARY: '' });
  expect(written).not.toHaveBeenCalled();
});

test('warns of a summary that can not be written, and goes on', () => {
  const warned = vi.spyOn(console, 'error').mockReturnValue();
  reportToGithub(report, { GITHUB_STEP_SUMMARY: folder });
  expect(warned.mock.calls).toEqual([
    [`sitepub: the step summary ${folder} can't be written (EISDIR); the other reports are complete`],
  ]);
});
