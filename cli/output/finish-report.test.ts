import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import type { Demands } from '../../contract-tests/reports/demands.ts';
import type { Report } from '../../contract-tests/reports/report.ts';
import { failed, noCounts, passed, reportOf, sample } from '../../contract-tests/reports/testing.ts';
import {
  exitCodeOf,
  findNotices,
  finishReport,
  fitSummary,
  noticeNames,
  readExpectedFailures,
  reportToGithub,
} from './finish-report.ts';

const entry = { id: 'HOOK-7', line: 1, reason: 'x', until: null };
const shortfalls = [{ demand: 'require', kind: 'not-verified', id: 'ENV-1', reason: 'x' }] as const;
const receiver = { target: { kind: 'receiver' }, requirements: [{ outcome: 'not-verified', checks: [{}] }] };

const aborted = (kind: string) => ({ aborted: { kind, reason: 'x' } });
const expected = (outcome: Partial<Report['expected_failures']>) => ({
  expected_failures: { file: 'f', count: 0, stale: [], expired: [], ...outcome },
});

test.for<[string, Partial<Report['summary']>, object, number, boolean?]>([
  ['all that was verified holds', { passed: 5, not_verified: 76 }, {}, 0],
  ['drift', { passed: 5, warned: 3 }, {}, 0],
  ['verified in part', { partly: 1, not_verified: 80 }, {}, 0],
  ['one failed', { passed: 80, failed: 1 }, {}, 1],
  ['one failed and the suite too', { passed: 79, failed: 1, error: 1 }, {}, 1],
  ['the suite failed', { passed: 80, error: 1 }, {}, 4],
  ['nothing verified', { not_verified: 81 }, {}, 3],
  ['one promise of a receiver stayed open', { passed: 5 }, receiver, 3],
  ['a wrong address', { failed: 1, not_verified: 80 }, aborted('wrong-address'), 1],
  ['wrong credentials', { passed: 1, not_verified: 80 }, aborted('credentials'), 2],
  ['a usage error', { not_verified: 81 }, aborted('usage'), 2],
  ['unreachable', { passed: 1, not_verified: 80 }, aborted('unreachable'), 3],
  ['interrupted', { passed: 5, failed: 1 }, aborted('interrupted'), 130],
  ['broken off by the suite', { passed: 5, failed: 1 }, aborted('suite-error'), 4],
  ['all failures were expected', { passed: 5, failed: 2 }, expected({ count: 2 }), 0],
  ['nothing passed, all failures were expected', { failed: 2 }, expected({ count: 2 }), 0],
  ['one failure was not expected', { passed: 5, failed: 2 }, expected({ count: 1 }), 1],
  ['an entry is stale', { passed: 5 }, expected({ stale: [entry] }), 1],
  ['an entry is expired', { passed: 5 }, expected({ expired: [entry] }), 1],
  ['stale, and the suite failed', { passed: 5, error: 1 }, expected({ stale: [entry] }), 4],
  ['expected, and the suite failed', { failed: 1, error: 1 }, expected({ count: 1 }), 4],
  ['expected, nothing verified', { not_verified: 81 }, expected({}), 3],
  ['a wrong address was expected', { failed: 1 }, { ...expected({ count: 1 }), ...aborted('x') }, 3],
  ['less than was demanded', { passed: 5 }, { shortfalls }, 3],
  ['one failed, and less than was demanded', { passed: 5, failed: 1 }, { shortfalls }, 1],
  ['the suite failed, and less than was demanded', { passed: 5, error: 1 }, { shortfalls }, 4],
  ['interrupted with less', { passed: 5 }, { shortfalls, ...aborted('interrupted') }, 130],
  ['an unwanted notice', { passed: 5 }, {}, 1, true],
  ['an unwanted notice, and the suite failed', { passed: 5, error: 1 }, {}, 4, true],
  ['an unwanted notice, nothing verified', { not_verified: 81 }, {}, 1, true],
])('%s', ([, counts, rest, want, hasNotice]) => {
  const report = { target: {}, summary: { ...noCounts, ...counts }, aborted: null, ...rest };
  expect(exitCodeOf(report as unknown as Report, hasNotice)).toBe(want);
});

test.for<[string[], string[]]>([
  [['late', 'greeting', 'refresh.status'], ['late (2 times)']],
  [['login.status'], ['drift of login.status']],
  [['drift'], ['drift of login.status', 'drift of webhook.timestamp-unit', 'drift of errors.codes']],
  [[], []],
])('finds notices %j in the sample: %j', ([names, want]) => {
  expect(findNotices(names, sample)).toEqual(want);
});

test('accepts every gap and every remark once', () => {
  const some = ['drift', 'late', 'signing-secret-shown', 'login.token'];
  expect(noticeNames).toEqual(expect.arrayContaining(some));
  expect(new Set(noticeNames).size).toBe(noticeNames.length);
});

const folder = mkdtempSync(join(tmpdir(), 'sitepub-finish-'));
const known = join(folder, 'known.yaml');
writeFileSync(known, 'HOOK-4: { reason: to be fixed }\n');
const report = reportOf({ requirements: [passed, failed] });

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

function watchOutput() {
  vi.stubEnv('GITHUB_STEP_SUMMARY', '');
  return vi.spyOn(process.stdout, 'write').mockReturnValue(true);
}

test('applies demands after expected failures', async () => {
  const written = watchOutput();
  const expected = await readExpectedFailures(known);
  const baseline = reportOf({ requirements: [passed, { ...failed, outcome: 'passed', checks: [] }] });
  const counted = { ...report, summary: { ...report.summary, passed: 1, failed: 1 } };
  const finish = (demands: Demands, accepted: typeof expected) =>
    finishReport(counted, { expected: accepted, targets: [], demands });
  expect(finish({ baseline }, undefined)).toBe(1);
  expect(finish({ baseline }, expected)).toBe(0);
  expect(finish({ minVerified: 2 }, expected)).toBe(3);
  expect(finish({ minVerified: 1, require: ['ENV-1'] }, expected)).toBe(0);
  expect(String(written.mock.calls[2]?.[0])).toMatch(/\n✗ --min-verified: 1 passed, 2 required\n$/);
});

test('writes annotations and a summary only in a job on GitHub', () => {
  const written = watchOutput();
  const said = vi.spyOn(console, 'error').mockReturnValue();
  const path = join(folder, 'summary.md');
  writeFileSync(path, 'before\n');
  reportToGithub(report, { GITHUB_STEP_SUMMARY: '' });
  expect(written).not.toHaveBeenCalled();
  reportToGithub(report, { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: path });
  const annotation =
    '::error title=HOOK-4 Another channel is refused::hook-4-channel-slack: expected a refusal; got a success (trace_id a1b2)%0Apromise: The sentence that promises it.%0Arule: Four values are named, and no others.\n';
  expect(written.mock.calls).toEqual([[Buffer.from(annotation)]]);
  expect(readFileSync(path, 'utf8')).toMatch(/^before\n# The deployment breaks 1 promise\n.*<\/details>\n$/s);
  // A step summary may have 1 MiB; errors are only reported.
  const full = 'x'.repeat(1024 * 1024 - 100);
  writeFileSync(path, full);
  reportToGithub(sample, { GITHUB_STEP_SUMMARY: path });
  expect(readFileSync(path, 'utf8')).toBe(full);
  reportToGithub(report, { GITHUB_STEP_SUMMARY: folder });
  expect(said.mock.calls).toEqual([
    [`sitepub: the step summary ${folder} can't be written (EISDIR); the other reports are complete`],
  ]);
});

test.for([
  ['fits to the byte', ['ä', 'b'], 6, /^ä\n\nb\n$/],
  [
    'leaves out a part',
    ['a', 'x'.repeat(300), 'ä'.repeat(50)],
    300,
    /^a\n\nä{50}\n\nSome parts are left out, .* it\.\n$/,
  ],
  ['has no room for a word', ['first', 'second'], 10, /^$/],
] as const)('a summary that %s', ([, blocks, bytes, want]) => {
  const text = fitSummary(blocks, bytes);
  expect(text).toMatch(want);
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(bytes);
});
