import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sample } from '../../contract-tests/reports/testing.ts';
import { appendStepSummary, fitSummary } from './step-summary.ts';

test('appends the report to what is there', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sitepub-summary-'));
  const path = join(folder, 'summary.md');
  writeFileSync(path, 'before\n');
  appendStepSummary(sample, path);
  expect(readFileSync(path, 'utf8')).toMatch(/^before\n# The deployment breaks 1 promise\n.*<\/details>\n$/s);
  rmSync(folder, { recursive: true });
});

test('counts what is there against the limit', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sitepub-summary-'));
  const path = join(folder, 'summary.md');
  const before = 'x'.repeat(1024 * 1024 - 100);
  writeFileSync(path, before);
  appendStepSummary(sample, path);
  expect(readFileSync(path, 'utf8')).toBe(before);
  rmSync(folder, { recursive: true });
});

test('writes all there is where it fits to the byte', () => {
  expect(fitSummary(['ä', 'b'], 6)).toBe('ä\n\nb\n');
});

test('leaves out what does not fit, and says so', () => {
  const text = fitSummary(['first', 'x'.repeat(400), 'ä'.repeat(100)], 400);
  expect(text).toBe(
    `first\n\n${'ä'.repeat(100)}\n\n1 part left out, since a step's summary may have 1 MiB: \`--report html=report.html\` writes all of it.\n`,
  );
});

test('stays silent where not even a word fits', () => {
  expect(fitSummary(['first', 'second'], 10)).toBe('');
});
