// The certificate of a mock as a file, for those who have to trust it.
import { X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cacheFolder, writeOwnFile } from '../../contract-tests/deployment/own-folder.ts';

/** Writes what a client has to trust into a file, which goes with this process; undefined where that is nothing, or is up to the user. */
export function writeTrusted(certificate: string | undefined): string | undefined {
  const trusted = trustedOf(certificate);
  if (trusted === undefined) return undefined;
  const folder = cacheFolder('certificates') ?? mkdtempSync(join(tmpdir(), 'sitepub-certificate-'));
  const file = join(folder, `${process.pid}.pem`);
  // Node reads one file only, and what was in it before is still to be trusted.
  writeOwnFile(file, trusted + othersOf(process.env.NODE_EXTRA_CA_CERTS));
  process.once('exit', () => rmSync(file, { force: true }));
  return file;
}

/** What a command is told by, so that Node and `sitepub test` trust a mock that serves https. */
export function trustIn(certificate: string | undefined): Record<string, string> {
  const file = writeTrusted(certificate);
  return file === undefined ? {} : { NODE_EXTRA_CA_CERTS: file };
}

/** The certificates that sign themselves: no client accepts another one as the end of a chain. */
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
    // Node itself says so.
    return '';
  }
}
