import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { sample } from '../../contract-tests/reports/testing.ts';
import { makeCertificate } from '../../mock/tls/make-certificate.ts';
import { trustedOf, writeTrusted } from './certificate-file.ts';
import { requireEvidenceFolder, writeEvidence } from './evidence-folder.ts';
import { appendStepSummary, fitSummary } from './step-summary.ts';

describe('evidence folder', () => {
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
});

describe('certificate file', () => {
  afterEach(() => void vi.unstubAllEnvs());

  function temporaryFolder(): string {
    const folder = mkdtempSync(join(tmpdir(), 'sitepub-trusted-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    vi.stubEnv('TMPDIR', folder);
    return folder;
  }

  test('a mock without https has none', () => {
    temporaryFolder();
    expect(writeTrusted(undefined)).toBeUndefined();
  });

  test('the file has the certificate, and those that Node trusted before', () => {
    const folder = temporaryFolder();
    const [own, other] = [makeCertificate(['a']).cert, makeCertificate(['b']).cert];
    vi.stubEnv('NODE_EXTRA_CA_CERTS', undefined);
    const file = String(writeTrusted(own));
    expect(file.startsWith(folder)).toBe(true);
    expect(readFileSync(file, 'utf8')).toBe(own);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const before = join(folder, 'before.pem');
    writeFileSync(before, other);
    vi.stubEnv('NODE_EXTRA_CA_CERTS', before);
    expect(readFileSync(String(writeTrusted(own)), 'utf8')).toBe(own + other);
    vi.stubEnv('NODE_EXTRA_CA_CERTS', join(folder, 'gone.pem'));
    expect(readFileSync(String(writeTrusted(own)), 'utf8')).toBe(own);
  });

  /** Of `openssl req -x509 -CA`, valid for a hundred years: somebody else has signed it. */
  const signedByOthers = readFileSync(new URL('testing/signed-by-others.pem', import.meta.url), 'utf8');

  test('a certificate that others have signed is trusted by way of them alone', () => {
    const root = makeCertificate(['root']).cert;
    expect(trustedOf(signedByOthers)).toBeUndefined();
    expect(trustedOf(signedByOthers + root)).toBe(root);
  });
});

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
