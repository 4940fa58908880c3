// Certificates that flags name.
import { X509Certificate } from 'node:crypto';
import type { PemFile } from '../../contract-tests/core/suite-options.ts';
import { readLimitedBytes, sayReadError } from '../../openapi/read-limited-text.ts';
import type { Given } from './flags.ts';
import { UsageError } from './usage-error.ts';

const certificate = /-----BEGIN CERTIFICATE-----.*?-----END CERTIFICATE-----/gs;

/** Throws UsageError. */
export function readCertificates(given: Given, flag: 'ca' | 'cert'): PemFile | undefined {
  const file = readPem(given, flag);
  if (!file) return undefined;
  const found = file.pem.match(certificate) ?? [];
  if (found.length === 0)
    throw new UsageError(
      `--${flag}: ${file.path} contains no PEM certificate ("-----BEGIN CERTIFICATE-----"); \`openssl x509 -inform der -in ${file.path}\` converts one in DER`,
    );
  for (const [index, pem] of found.entries())
    try {
      new X509Certificate(pem);
    } catch (error) {
      const what = `certificate ${index + 1} in ${file.path}`;
      throw new UsageError(`--${flag}: ${what} can't be read: ${(error as Error).message}`);
    }
  return file;
}

/** In bytes: all authorities of a system are a quarter of it. */
const largestPem = 1_048_576;

/** The file in PEM that a flag names. Throws UsageError. */
export function readPem(given: Given, flag: string): PemFile | undefined {
  const path = given.text(flag);
  if (path === undefined) return undefined;
  try {
    return { path, pem: readLimitedBytes(path, largestPem).toString() };
  } catch (error) {
    const reason = sayReadError(error, largestPem);
    throw new UsageError(`--${flag}: ${path} can't be read (${reason}); give the path of a PEM file`);
  }
}
