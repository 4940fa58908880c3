// Valid and invalid signatures. Each has a shell expression that computes it, so that no report contains a valid one.
import { createHmac } from 'node:crypto';
import type { PushBody } from './push-body.ts';

/** The value of X-Webhook-Signature. `shell` belongs between double quotes and reads the signed bytes from the file `signed`. */
export interface Signature {
  value: string;
  shell: string;
  /** The signed body, if it differs from the sent one. */
  signed?: PushBody;
}

/** How a digest is written. `shell` completes the openssl command. */
interface DigestForm {
  write(digest: Buffer): string;
  shell: string;
}

export interface SignatureShape {
  algorithm?: 'sha256' | 'sha1' | 'sha512';
  prefix?: string;
  /** Replaces the secret. */
  otherKey?: string;
  form?: keyof typeof forms | DigestForm;
  signed?: PushBody;
}

/** A valid signature of the body, unless the shape differs. */
export function signatureOf(body: PushBody, secret: string, shape: SignatureShape = {}): Signature {
  const { algorithm = 'sha256', prefix = 'sha256=', otherKey, form = 'hex', signed } = shape;
  const digest = createHmac(algorithm, otherKey ?? secret)
    .update((signed ?? body).bytes)
    .digest();
  const { write, shell } = typeof form === 'string' ? forms[form] : form;
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

const forms = {
  hex: ofHex((hex) => hex, 'cat'),
  upper: ofHex((hex) => hex.toUpperCase(), 'tr a-f A-F'),
  cut: ofHex((hex) => hex.slice(0, -1), "sed 's/.$//'"),
  longer: ofHex((hex) => `${hex}00`, "sed 's/$/00/'"),
  first64: ofHex((hex) => hex.slice(0, 64), 'cut -c 1-64'),
  base64: {
    write: (digest: Buffer) => digest.toString('base64'),
    shell: '-binary signed | openssl base64 -A',
  },
} as const;

/** The hex with one digit changed, counted from 0. */
export function digitChanged(at: number): DigestForm {
  const change = (hex: string) => `${hex.slice(0, at)}${hex[at] === '0' ? '1' : '0'}${hex.slice(at + 1)}`;
  const before = `s/^(.{${at}})`;
  return ofHex(change, `sed -E '${before}0/\\1x/; ${before}[^x]/\\10/; ${before}x/\\11/'`);
}

/** `openssl dgst -r` prints the hex, a space and the file name. */
function ofHex(change: (hex: string) => string, filter: string): DigestForm {
  return {
    write: (digest) => change(digest.toString('hex')),
    shell: `-r signed | cut -d' ' -f1${filter === 'cat' ? '' : ` | ${filter}`}`,
  };
}
