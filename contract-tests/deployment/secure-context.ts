// The certificates of a connection.
import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls';
import type { Connection } from '../core/suite-options.ts';

/** Made once: reading all authorities anew for each connection takes milliseconds. Throws where OpenSSL refuses a certificate or key. */
export function secureContextOf({ ca, cert, key, passphrase }: Connection): SecureContext {
  return createSecureContext({
    ...(ca && { ca: [...getCACertificates('default'), ca.pem] }),
    ...(cert && { cert: cert.pem }),
    ...(key && { key: key.pem }),
    ...(passphrase !== undefined && { passphrase }),
  });
}
