import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls';
import type { Connection } from '../core/suite-options.ts';

/** Call once per run, because reading all authorities takes milliseconds. Throws if OpenSSL refuses a certificate or key. */
export function secureContextOf({ ca, cert, key, passphrase }: Connection): SecureContext {
  return createSecureContext({
    ...(ca && { ca: [...getCACertificates('default'), ca.pem] }),
    ...(cert && { cert: cert.pem }),
    ...(key && { key: key.pem }),
    ...(passphrase !== undefined && { passphrase }),
  });
}
