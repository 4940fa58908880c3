import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { makeCertificate } from '../../mock/tls/make-certificate.ts';
import { trustedOf, writeTrusted } from './certificate-file.ts';

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
