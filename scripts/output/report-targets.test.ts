import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Report } from '../../contract-tests/reports/report.ts';
import { sample } from '../../contract-tests/reports/testing.ts';
import { UsageError } from '../options/usage-error.ts';
import { readReportTargets, writeReports } from './report-targets.ts';

let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sitepub-targets-'));
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

test('reads formats and paths', () => {
  const path = join(folder, 'a=b.json');
  expect(readReportTargets([`json=${path}`])).toEqual([{ format: 'json', path }]);
  expect(readReportTargets([])).toEqual([]);
});

test.for([
  ['out.json', '--report is "out.json"; expected FORMAT=PATH, such as json=out.json'],
  ['json=', '--report is "json="; expected FORMAT=PATH, such as json=out.json'],
  ['pdf=out.pdf', '--report knows no format "pdf"; there is json, junit, html, markdown'],
  ['constructor=x', '--report knows no format "constructor"; there is json, junit, html, markdown'],
  ['jsn=out.json', '--report knows no format "jsn"; did you mean "json"?'],
] as const)('refuses %s', ([text, message]) => {
  expect(() => readReportTargets([text])).toThrow(new UsageError(message));
});

test('refuses a folder that is not there', () => {
  const missing = join(folder, 'missing');
  expect(() => readReportTargets([`json=${join(missing, 'out.json')}`])).toThrow(
    new UsageError(`--report: the folder ${missing} can't be written (ENOENT); create it first`),
  );
});

test('refuses two reports in one file', () => {
  const path = join(folder, 'out');
  expect(() => readReportTargets([`json=${path}`, `html=${join(folder, '.', 'out')}`])).toThrow(
    new UsageError(`--report: two reports go to ${path}; give each a different path`),
  );
});

test.for([
  ['json', '{\n'],
  ['junit', '<?xml version="1.0" encoding="UTF-8"?>\n'],
  ['html', '<!doctype html>\n'],
  ['markdown', '# The deployment breaks 1 promise\n'],
] as const)('writes %s', ([format, beginning]) => {
  const path = join(folder, 'out');
  writeReports(sample, readReportTargets([`${format}=${path}`]));
  expect(readFileSync(path, 'utf8').startsWith(beginning)).toBe(true);
});

test('writes JSON with two blanks', () => {
  const path = join(folder, 'out.json');
  const report = { schema: 2, requests: 3 } as Report;
  writeReports(report, readReportTargets([`json=${path}`]));
  expect(readFileSync(path, 'utf8')).toBe('{\n  "schema": 2,\n  "requests": 3\n}\n');
});
