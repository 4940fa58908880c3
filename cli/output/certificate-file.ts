import { X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cacheFolder, writeOwnFile } from '../../contract-tests/deployment/own-folder.ts';

/** Writes the certificates that a client must trust to a file, and deletes the file when this process ends. Undefined if there are none. */
export function writeTrusted(certificate: string | undefined): string | undefined {
  const trusted = trustedOf(certificate);
  if (trusted === undefined) return undefined;
  const folder = cacheFolder('certificates') ?? mkdtempSync(join(tmpdir(), 'sitepub-certificate-'));
  const file = join(folder, `${process.pid}.pem`);
  // Node reads only one file, so it must also contain the certificates that were trusted before.
  writeOwnFile(file, trusted + othersOf(process.env.NODE_EXTRA_CA_CERTS));
  process.once('exit', () => rmSync(file, { force: true }));
  return file;
}

/** Variables for commands, so that Node trusts a mock with HTTPS. */
export function trustIn(certificate: string | undefined): Record<string, string> {
  const file = writeTrusted(certificate);
  return file === undefined ? {} : { NODE_EXTRA_CA_CERTS: file };
}

/** Only self-signed certificates, because clients accept only these as the root of a chain. */
export function trustedOf(certificate = ''): string | undefined {
  const found = certificate.match(/-----BEGIN CERTIFICATE-----.*?-----END CERTIFICATE-----/gs) ?? [];
  const roots = found.filter((pem) => {
    const { subject, issuer } = new X509Certificate(pem);
    return subject === issuer;
  });
  return roots.length === 0 ? undefined : `${roots.join('\n')}\n`;
}

function othersOf(file: string | undefined): string {
  try {
    return file ? readFileSync(file, 'utf8') : '';
  } catch {
    // Node itself reports this.
    return '';
  }
}
