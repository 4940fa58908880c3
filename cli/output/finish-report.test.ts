import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import type { Demands } from '../../contract-tests/reports/demands.ts';
import { failed, passed, reportOf, sample } from '../../contract-tests/reports/testing.ts';
import { finishReport, fitSummary, readExpectedFailures, reportToGithub } from './finish-report.ts';

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

test('holds the report to what is demanded, after the expected failures', async () => {
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

test('in a job on GitHub it annotates and summarises, and elsewhere prints nothing', () => {
  const written = watchOutput();
  const said = vi.spyOn(console, 'error').mockReturnValue();
  const path = join(folder, 'summary.md');
  writeFileSync(path, 'before\n');
  reportToGithub(report, { GITHUB_STEP_SUMMARY: '' });
  expect(written).not.toHaveBeenCalled();
  reportToGithub(report, { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: path });
  const annotation =
    '::error title=HOOK-4 Another channel is refused::hook-4-channel-slack: expected a refusal; got a success (trace_id a1b2)%0Apromise: The sentence that promises it.%0Areading: Four values are named, and no others.\n';
  expect(written.mock.calls).toEqual([[Buffer.from(annotation)]]);
  expect(readFileSync(path, 'utf8')).toMatch(/^before\n# The deployment breaks 1 promise\n.*<\/details>\n$/s);
  // At most 1 MiB with what is there already, and no failure where it can't be written.
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
    /^a\n\nä{50}\n\nParts are left out, .* it\.\n$/,
  ],
  ['has no room for a word', ['first', 'second'], 10, /^$/],
] as const)('a summary that %s', ([, blocks, bytes, want]) => {
  const text = fitSummary(blocks, bytes);
  expect(text).toMatch(want);
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(bytes);
});
