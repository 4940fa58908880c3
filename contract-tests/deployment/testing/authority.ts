// A private certificate authority, created with openssl for each test file, so that nothing expires.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PemFile } from '../../core/suite-options.ts';

interface Issued {
  cert: PemFile;
  key: PemFile;
}

export interface Authority {
  folder: string;
  ca: PemFile;
  server: Issued;
  client: Issued;
  /** The key of `client`, encrypted with the passphrase "open sesame". */
  lockedKey: PemFile;
}

export const hasOpenssl = spawnSync('openssl', ['version']).status === 0;

/** A host name that only the test proxy resolves. RFC 6761 reserves the domain. */
export const stagingHost = 'staging.test';

const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];

export function createAuthority(): Authority {
  const folder = mkdtempSync(join(tmpdir(), 'sitepub-authority-'));
  const path = (name: string) => join(folder, name);
  const openssl = (...args: readonly string[]) => execFileSync('openssl', args, { stdio: 'pipe' });
  const read = (name: string): PemFile => ({ path: path(name), pem: readFileSync(path(name), 'utf8') });
  const issue = (name: string, extension: string): Issued => {
    const [cert, key, request, extensions] = ['pem', 'key', 'csr', 'ext'].map((end) =>
      path(`${name}.${end}`),
    );
    writeFileSync(`${extensions}`, extension);
    openssl('req', ...newKey, '-keyout', `${key}`, '-out', `${request}`, '-subj', `/CN=${name}`);
    const authority = ['-CA', path('ca.pem'), '-CAkey', path('ca.key'), '-CAcreateserial'];
    const files = ['-in', `${request}`, '-out', `${cert}`, '-extfile', `${extensions}`];
    openssl('x509', '-req', ...authority, ...files);
    return { cert: read(`${name}.pem`), key: read(`${name}.key`) };
  };
  const subject = ['-subj', '/CN=sitepub test authority'];
  openssl('req', '-x509', ...newKey, '-keyout', path('ca.key'), '-out', path('ca.pem'), ...subject);
  const server = issue('server', `subjectAltName=DNS:${stagingHost},IP:127.0.0.1`);
  const client = issue('client', 'extendedKeyUsage=clientAuth');
  const lock = ['-aes256', '-passout', 'pass:open sesame', '-out', path('locked.key')];
  openssl('ec', '-in', client.key.path, ...lock);
  return {
    folder,
    ca: read('ca.pem'),
    server,
    client,
    lockedKey: read('locked.key'),
  };
}
