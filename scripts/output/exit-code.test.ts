import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Demands } from '../../contract-tests/reports/apply-demands.ts';
import type { Report } from '../../contract-tests/reports/report.ts';
import { failed, passed, reportOf, sample } from '../../contract-tests/reports/testing.ts';
import { UsageError } from '../options/usage-error.ts';
import { exitCodeOf } from './exit-code.ts';
import { noticeNames, noticesNamed } from './fail-on.ts';
import { finishReport, readExpectedFailures, reportToGithub } from './finish-report.ts';

const target = {};

type Kind = NonNullable<Report['aborted']>['kind'];

test.for<[string, Partial<Report['summary']>, Kind | undefined, number]>([
  ['all that was verified holds', { passed: 5, not_verified: 76 }, undefined, 0],
  ['drift is no failure', { passed: 5, warned: 3 }, undefined, 0],
  ['one failed', { passed: 80, failed: 1 }, undefined, 1],
  ['one failed and the suite too', { passed: 79, failed: 1, error: 1 }, undefined, 1],
  ['a wrong address is a failure', { failed: 1, not_verified: 80 }, 'wrong-address', 1],
  ['credentials', { passed: 1, not_verified: 80 }, 'credentials', 2],
  ['usage', { not_verified: 81 }, 'usage', 2],
  ['unreachable', { passed: 1, not_verified: 80 }, 'unreachable', 3],
  ['rate-limited', { passed: 1, not_verified: 80 }, 'rate-limited', 3],
  ['one failed before three answers in a row were lost', { failed: 1, not_verified: 80 }, 'unreachable', 1],
  ['nothing verified', { not_verified: 81 }, undefined, 3],
  ['what was verified in part', { partly: 1, not_verified: 80 }, undefined, 0],
  ['a run that broke off', { passed: 5, failed: 1 }, 'suite-error', 4],
  ['the suite failed', { passed: 80, error: 1 }, undefined, 4],
])('%s', ([, counts, kind, want]) => {
  const summary = { passed: 0, failed: 0, partly: 0, warned: 0, not_verified: 0, error: 0, ...counts };
  const aborted = kind ? { kind, reason: 'x' } : null;
  expect(exitCodeOf({ target, summary, aborted } as unknown as Report)).toBe(want);
});

const entry = { id: 'HOOK-7', line: 1, reason: 'x', until: null };

test.for<[string, Partial<Report['summary']>, Partial<Report['expected_failures']>, number]>([
  ['all failures were expected', { passed: 5, failed: 2 }, { count: 2 }, 0],
  ['nothing passed, and all failures were expected', { failed: 2 }, { count: 2 }, 0],
  ['one was not', { passed: 5, failed: 2 }, { count: 1 }, 1],
  ['an entry is stale', { passed: 5 }, { stale: [entry] }, 1],
  ['an entry is expired', { passed: 5 }, { expired: [entry] }, 1],
  ['an entry is stale and the suite failed', { passed: 5, error: 1 }, { stale: [entry] }, 4],
  ['the suite failed beside expected failures', { passed: 5, failed: 1, error: 1 }, { count: 1 }, 4],
  ['nothing was verified', { not_verified: 81 }, {}, 3],
])('with expected failures: %s', ([, counts, outcome, want]) => {
  const summary = { passed: 0, failed: 0, partly: 0, warned: 0, not_verified: 0, error: 0, ...counts };
  const expected_failures = { file: 'f', count: 0, stale: [], expired: [], ...outcome };
  expect(exitCodeOf({ target, summary, aborted: null, expected_failures } as unknown as Report)).toBe(want);
});

test.for<[string, Partial<Report['summary']>, Kind | undefined, number]>([
  ['all that was verified holds', { passed: 5 }, undefined, 3],
  ['one failed', { passed: 5, failed: 1 }, undefined, 1],
  ['the suite failed', { passed: 5, error: 1 }, undefined, 4],
  ['the credentials are wrong', { not_verified: 81 }, 'credentials', 2],
  ['the run was interrupted', { passed: 5 }, 'interrupted', 130],
])('where less was verified than was demanded, and %s', ([, counts, kind, want]) => {
  const summary = { passed: 0, failed: 0, partly: 0, warned: 0, not_verified: 0, error: 0, ...counts };
  const aborted = kind ? { kind, reason: 'x' } : null;
  const shortfalls = [{ demand: 'require', kind: 'not-verified', id: 'ENV-1', reason: 'x' }];
  expect(exitCodeOf({ target, summary, aborted, shortfalls } as unknown as Report)).toBe(want);
  expect(exitCodeOf({ target, summary, aborted: null, shortfalls: [] } as unknown as Report)).not.toBe(
    summary.passed > 0 && summary.failed + summary.error === 0 ? 3 : 0,
  );
});

test('a wrong address is no success, also where its failure was expected', () => {
  const summary = { passed: 0, failed: 1, partly: 0, warned: 0, not_verified: 80, error: 0 };
  const expected_failures = { file: 'f', count: 1, stale: [], expired: [] };
  const aborted = { kind: 'wrong-address', reason: 'x' };
  expect(exitCodeOf({ target, summary, aborted, expected_failures } as unknown as Report)).toBe(3);
});

test.for([
  [{ passed: 5 }, 1],
  [{ passed: 5, error: 1 }, 4],
  [{ not_verified: 81 }, 1],
] as const)('a notice that is not wanted, beside %j', ([counts, want]) => {
  const summary = { passed: 0, failed: 0, partly: 0, warned: 0, not_verified: 0, error: 0, ...counts };
  expect(exitCodeOf({ target, summary, aborted: null } as unknown as Report, true)).toBe(want);
});

test.for([
  [['late'], ['late (2 times)']],
  [['greeting'], []],
  [
    ['login.status', 'late'],
    ['drift of login.status', 'late (2 times)'],
  ],
  [['drift'], ['drift of login.status', 'drift of webhook.timestamp-unit', 'drift of errors.codes']],
  [['refresh.status'], []],
  [[], []],
])('of the sample, %j names %j', ([names = [], want]) => {
  expect(noticesNamed(names, sample)).toEqual(want);
});

test('every gap and every remark can be named, once', () => {
  expect(noticeNames).toEqual(
    expect.arrayContaining(['drift', 'late', 'signing-secret-shown', 'login.token']),
  );
  expect(new Set(noticeNames).size).toBe(noticeNames.length);
});

describe('finish report', () => {
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
});
