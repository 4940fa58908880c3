// Security: the key is generated at startup and never leaves the process, so trust in the certificate covers only this mock.
import {
  createPrivateKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
  X509Certificate,
} from 'node:crypto';
import { isIP, isIPv4 } from 'node:net';
import { hostname, networkInterfaces } from 'node:os';

const day = 86_400_000;
/** Milliseconds: clients may have slow clocks, and browsers reject certificates valid for more than 398 days. */
const [validBefore, validAfter] = [day, 396 * day];

/** In PEM and self-signed (RFC 5280), for host names and IP addresses. */
export function makeCertificate(names: readonly string[], now = Date.now()) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const name = sequence(der(0x31, sequence(objectId('2.5.4.3'), utf8('sitepub mock'))));
  const body = sequence(
    der(0xa0, integer(2)),
    integer(1, randomBytes(16)),
    ecdsaWithSha256,
    name,
    sequence(utcTime(now - validBefore), utcTime(now + validAfter)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(...extensionsFor(names))),
  );
  return {
    cert: toPem(signed(body, privateKey)),
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

const ecdsaWithSha256 = sequence(objectId('1.2.840.10045.4.3.2'));

function signed(body: Buffer, key: KeyObject): Buffer {
  return sequence(body, ecdsaWithSha256, bitString(sign('sha256', body, key)));
}

/** Limits the certificate to a server of these names; it can sign no other certificate. */
function extensionsFor(names: readonly string[]): Buffer[] {
  const subjects = names.map((one) =>
    isIP(one) ? der(0x87, addressBytes(one)) : der(0x82, Buffer.from(one)),
  );
  const serverAuth = objectId('1.3.6.1.5.5.7.3.1');
  const digitalSignature = bitString(Buffer.from([0x80]), 7);
  return [
    sequence(objectId('2.5.29.19'), isTrue, octetString(sequence())),
    sequence(objectId('2.5.29.15'), isTrue, octetString(digitalSignature)),
    sequence(objectId('2.5.29.37'), octetString(sequence(serverAuth))),
    sequence(objectId('2.5.29.17'), octetString(sequence(...subjects))),
  ];
}

function toPem(bytes: Buffer): string {
  const lines = bytes.toString('base64').replace(/.{64}(?=.)/g, '$&\n');
  return `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`;
}

/** The 4 or 16 bytes of an IP address, without its zone. */
function addressBytes(address: string): Buffer {
  if (isIPv4(address)) return Buffer.from(address.split('.').map(Number));
  // The URL parser turns an IPv4 ending (::ffff:1.2.3.4) into two hexadecimal groups.
  const { hostname: groups } = new URL(`http://[${address.replace(/%.*/, '')}]`);
  const [before = [], after = []] = groups.slice(1, -1).split('::').map(groupsOf);
  const zeros = Array<string>(8 - before.length - after.length).fill('0');
  const digits = [...before, ...zeros, ...after].map((group) => group.padStart(4, '0'));
  return Buffer.from(digits.join(''), 'hex');
}

function groupsOf(text: string): string[] {
  return text.split(':').filter(Boolean);
}

/** The loopback names, the address listened on (or all of this machine), and `hostNames`. */
export function serverNames(host: string, hostNames: readonly string[]): string[] {
  const isEverywhere = host === '0.0.0.0' || host === '::';
  const addresses = Object.values(networkInterfaces()).flatMap((list) =>
    (list ?? []).map(({ address }) => address),
  );
  const reached = isEverywhere ? [hostname(), ...addresses] : [host];
  const names = ['localhost', '127.0.0.1', '::1', ...reached, ...hostNames];
  return [...new Set(names.map((name) => name.replace(/%.*/, '')))];
}

/** Says why a certificate and key in PEM are unusable, or returns undefined; Node's own error names neither the problem nor the part. */
export function explainCertificate({ cert, key }: { cert: string; key: string }): string | undefined {
  const certificate = readPem(() => new X509Certificate(cert));
  if (!certificate) return 'the certificate is not PEM ("-----BEGIN CERTIFICATE-----")';
  const privateKey = readPem(() => createPrivateKey(key));
  if (!privateKey)
    return 'the key is not PEM ("-----BEGIN PRIVATE KEY-----"), or it is encrypted; decrypt it with `openssl pkey -in FILE`';
  return certificate.checkPrivateKey(privateKey) ? undefined : 'the key does not match the certificate';
}

function readPem<Read>(read: () => Read): Read | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

// DER encoding (ITU-T X.690) of the ASN.1 values that a certificate needs.
function der(tag: number, ...contents: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(contents);
  return Buffer.concat([Buffer.from([tag]), lengthOf(body.length), body]);
}

function sequence(...contents: readonly Uint8Array[]): Buffer {
  return der(0x30, ...contents);
}

/** `text` is dotted, such as 2.5.29.17. */
function objectId(text: string): Buffer {
  const [first = 0, second = 0, ...others] = text.split('.').map(Number);
  return der(0x06, Buffer.from([first * 40 + second, ...others.flatMap(base128)]));
}

/** `first` must be from 1 to 127, which makes the integer positive and its encoding minimal. */
function integer(first: number, ...others: readonly Uint8Array[]): Buffer {
  return der(0x02, Buffer.from([first]), ...others);
}

function bitString(bytes: Uint8Array, unusedBits = 0): Buffer {
  return der(0x03, Buffer.from([unusedBits]), bytes);
}

function octetString(bytes: Uint8Array): Buffer {
  return der(0x04, bytes);
}

function utf8(text: string): Buffer {
  return der(0x0c, Buffer.from(text));
}

/** UTCTime has two digits for the year, which covers dates before 2050. */
function utcTime(ms: number): Buffer {
  const digits = new Date(ms).toISOString().replace(/\.\d+|[-:T]/g, '');
  return der(0x17, Buffer.from(digits.slice(2)));
}

const isTrue: Buffer = Buffer.from([0x01, 0x01, 0xff]);

function lengthOf(length: number): Buffer {
  if (length < 0x80) return Buffer.from([length]);
  const bytes = length < 0x100 ? [length] : [length >> 8, length & 0xff];
  return Buffer.from([0x80 + bytes.length, ...bytes]);
}

function base128(number: number): number[] {
  const digits = [number % 128];
  for (let left = Math.floor(number / 128); left > 0; left = Math.floor(left / 128))
    digits.unshift((left % 128) + 128);
  return digits;
}
