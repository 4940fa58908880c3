// The largest file that GitHub takes, which takes seconds to write.
import { expect, test } from 'vitest';
import { sarifReport } from './sarif.ts';
import { reportOf, requirementWith } from './testing.ts';

test('stays within the limits of GitHub, the worst first', () => {
  const long = 'ä'.repeat(5_000);
  const one = requirementWith(
    'ENV-1',
    Object.fromEntries([...Array(1_500).keys()].map((at) => [`c${at}`, 'failed'])),
  );
  const checks = one.checks.map((check) => ({ ...check, reason: long }));
  const text = sarifReport(reportOf({ requirements: [{ ...one, title: long, reading: long, checks }] }));
  expect(Buffer.byteLength(text)).toBeLessThan(25_000_000);
  const { results, tool } = JSON.parse(text).runs[0];
  expect(results.length).toBeGreaterThan(800);
  expect(results.length).toBeLessThan(1_500);
  expect(results[0].message.text.length).toBe(4_000);
  expect(tool.driver.rules[0].fullDescription.text.length).toBe(1_024);
});
