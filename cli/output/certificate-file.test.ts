import { mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { makeCertificate } from '../../mock/tls/certificate.ts';
import { trustedOf, writeTrusted } from './certificate-file.ts';

afterEach(() => void vi.unstubAllEnvs());

test('the file contains the certificate, and those that Node trusted before', () => {
  expect(writeTrusted(undefined)).toBeUndefined();
  const folder = mkdtempSync(join(tmpdir(), 'sitepub-trusted-'));
  vi.stubEnv('TMPDIR', folder);
  const [own, other] = [makeCertificate(['a']).cert, makeCertificate(['b']).cert];
  const before = join(folder, 'before.pem');
  writeFileSync(before, other);
  for (const [extra, want] of [
    [undefined, own],
    [before, own + other],
    [join(folder, 'gone.pem'), own],
  ] as const) {
    vi.stubEnv('NODE_EXTRA_CA_CERTS', extra);
    const file = String(writeTrusted(own));
    expect([file.startsWith(folder), readFileSync(file, 'utf8')]).toEqual([true, want]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  }
});

/** From `openssl req -x509 -CA`: valid for a hundred years, and signed by another certificate. */
const signedByOthers = readFileSync(new URL('testing/signed-by-others.pem', import.meta.url), 'utf8');

test('a certificate that is not self-signed is trusted only through its issuer', () => {
  const root = makeCertificate(['root']).cert;
  expect(trustedOf(signedByOthers)).toBeUndefined();
  expect(trustedOf(signedByOthers + root)).toBe(root);
});
