import { createPrivateKey, X509Certificate } from 'node:crypto';

/** Says why a certificate and key in PEM are unusable, or returns undefined; Node's own error names neither the problem nor the part. */
export function explainCertificate({ cert, key }: { cert: string; key: string }): string | undefined {
  const certificate = readPem(() => new X509Certificate(cert));
  if (!certificate) return 'the certificate is none in PEM ("-----BEGIN CERTIFICATE-----")';
  const privateKey = readPem(() => createPrivateKey(key));
  if (!privateKey)
    return 'the key is none in PEM ("-----BEGIN PRIVATE KEY-----"), or it is encrypted; `openssl pkey -in FILE` opens one';
  return certificate.checkPrivateKey(privateKey) ? undefined : 'the key is not that of the certificate';
}

function readPem<Read>(read: () => Read): Read | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
