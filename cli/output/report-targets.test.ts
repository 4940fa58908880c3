import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { sample } from '../../contract-tests/reports/testing.ts';
import { UsageError } from '../options/usage-error.ts';
import { readReportTargets, requireEvidenceFolder, writeEvidence, writeReports } from './report-targets.ts';

let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sitepub-targets-'));
});

test.for([
  ['out.json', '--report is "out.json"; expected FORMAT=PATH, such as json=out.json'],
  ['json=', '--report is "json="; expected FORMAT=PATH, such as json=out.json'],
  ['pdf=out.pdf', '--report: there is no format "pdf"; there are json, junit, html, markdown'],
  ['constructor=x', '--report: there is no format "constructor"; there are json, junit, html, markdown'],
  ['jsn=out.json', '--report: there is no format "jsn"; did you mean "json"?'],
] as const)('refuses %s', ([text, message]) => {
  expect(() => readReportTargets([text])).toThrow(new UsageError(message));
});

test('refuses two reports in one file', () => {
  const path = join(folder, 'out');
  expect(() => readReportTargets([`json=${path}`, `html=${folder}/./out`])).toThrow(
    new UsageError(`--report: two reports go to ${folder}/./out; give each a different path`),
  );
});

test.for([
  ['json', '{\n  "schema"'],
  ['junit', '<?xml version="1.0" encoding="UTF-8"?>\n'],
  ['html', '<!doctype html>\n'],
  ['markdown', '# The deployment breaks 1 promise\n'],
] as const)('writes %s', ([format, beginning]) => {
  const path = join(folder, 'a=b');
  expect(writeReports(sample, readReportTargets([`${format}=${path}`]))).toBe(true);
  expect(readFileSync(path, 'utf8').slice(0, beginning.length)).toBe(beginning);
});

test('writes the report in every format, the exchanges, the profile and the command as evidence', () => {
  const evidence = join(folder, 'a', 'b');
  requireEvidenceFolder(evidence);
  const profile = { name: 'acme', stated: { 'token.lifetime': 3600 } };
  const findings = { har: { log: {} }, profile, command: ['test', '--suite', 'full'] };
  expect(writeEvidence(evidence, sample, findings)).toBe(true);
  const reports = ['report.html', 'report.json', 'report.md', 'report.xml'];
  expect(readdirSync(evidence).sort()).toEqual(['exchanges.har', 'profile.yaml', ...reports, 'run.json']);
  expect(readFileSync(join(evidence, 'profile.yaml'), 'utf8')).toBe('# profile acme\ntoken.lifetime: 3600\n');
  expect(JSON.parse(readFileSync(join(evidence, 'run.json'), 'utf8'))).toMatchObject({
    command: ['sitepub', 'test', '--suite', 'full'],
    node: process.version,
    tool: sample.tool,
  });
});

test('refuses an evidence folder that is not empty, or a file', () => {
  const file = join(folder, 'file');
  writeFileSync(file, '');
  expect(() => requireEvidenceFolder(folder)).toThrow(
    new UsageError(`--evidence: ${folder} is not empty; give the path of a new folder`),
  );
  expect(() => requireEvidenceFolder(file)).toThrow(
    /^--evidence: .* can't be created as a folder \(EEXIST\)/,
  );
});
