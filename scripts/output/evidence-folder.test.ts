import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { sample } from '../../contract-tests/reports/testing.ts';
import { requireEvidenceFolder, writeEvidence } from './evidence-folder.ts';

let place = '';

beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'sitepub-evidence-'));
});

afterEach(() => {
  rmSync(place, { recursive: true });
});

test('writes the report in every form, the exchanges, the profile, and how the run was made', () => {
  const folder = join(place, 'a', 'b');
  requireEvidenceFolder(folder);
  const profile = { name: 'acme', stated: { 'token.lifetime': 3600 } };
  writeEvidence(folder, sample, { har: { log: {} }, profile, command: ['test', '--suite', 'full'] });
  expect(readdirSync(folder).sort()).toEqual([
    'exchanges.har',
    'profile.yaml',
    'report.html',
    'report.json',
    'report.md',
    'report.xml',
    'run.json',
  ]);
  expect(readFileSync(join(folder, 'profile.yaml'), 'utf8')).toBe('# profile acme\ntoken.lifetime: 3600\n');
  expect(JSON.parse(readFileSync(join(folder, 'run.json'), 'utf8'))).toMatchObject({
    command: ['sitepub', 'test', '--suite', 'full'],
    node: process.version,
    tool: sample.tool,
  });
});

test('refuses a folder that holds something, and a file', () => {
  const file = join(place, 'file');
  writeFileSync(file, '');
  expect(() => requireEvidenceFolder(place)).toThrow(
    `--evidence: ${place} is not empty; give the path of a new folder`,
  );
  expect(() => requireEvidenceFolder(file)).toThrow(/^--evidence: .* can't be made a folder \(EEXIST\)/);
});
