// Signatures, right and wrong, each with a shell expression that computes it, so that no report contains a right one.
import { createHmac } from 'node:crypto';
import type { PushBody } from './push-body.ts';

/** The value of X-Webhook-Signature. `shell` goes between double quotes and reads what was signed from the file `signed`. */
export interface Signature {
  value: string;
  shell: string;
  /** What was signed, if not the body that is sent. */
  signed?: PushBody;
}

/** How the signature is made from a body. */
export interface SignatureShape {
  algorithm?: 'sha256' | 'sha1';
  /** The text before the digest. */
  prefix?: string;
  /** A key in place of the secret. */
  otherKey?: string;
  form?: 'hex' | 'upper' | 'cut' | 'longer' | 'base64';
  signed?: PushBody;
}

/** The signature of a body under the secret, unless the shape says otherwise. */
export function signatureOf(body: PushBody, secret: string, shape: SignatureShape = {}): Signature {
  const { algorithm = 'sha256', prefix = 'sha256=', otherKey, form = 'hex', signed } = shape;
  const digest = createHmac(algorithm, otherKey ?? secret)
    .update((signed ?? body).bytes)
    .digest();
  const { write, shell } = forms[form];
  const key = otherKey === undefined ? '"$SITEPUB_WEBHOOK_SECRET"' : `'${otherKey}'`;
  const openssl = `openssl dgst -${algorithm} -hmac ${key}`;
  return {
    value: `${prefix}${write(digest)}`,
    shell: `${prefix}$(${openssl} ${shell})`,
    ...(signed && { signed }),
  };
}

/** A value that needs no key. */
export function fixedSignature(value: string): Signature {
  return { value, shell: value };
}

/** The hex ends at the first space of what `openssl dgst -r` prints. */
const hexOnly = "-r signed | cut -d' ' -f1";

const forms: Readonly<
  Record<NonNullable<SignatureShape['form']>, { write(digest: Buffer): string; shell: string }>
> = {
  hex: { write: (digest) => digest.toString('hex'), shell: hexOnly },
  upper: { write: (digest) => digest.toString('hex').toUpperCase(), shell: `${hexOnly} | tr a-f A-F` },
  cut: { write: (digest) => digest.toString('hex').slice(0, -1), shell: `${hexOnly} | sed 's/.$//'` },
  longer: { write: (digest) => `${digest.toString('hex')}00`, shell: `${hexOnly} | sed 's/$/00/'` },
  base64: { write: (digest) => digest.toString('base64'), shell: '-binary signed | openssl base64 -A' },
};
