// Properties of redaction for any secret in any text.
import fc from 'fast-check';
import { test } from 'vitest';
import { secretsWith } from '../testing.ts';

type Encode = (text: string, chosen: (index: number) => boolean) => string;

const inBytes = (character: string) => [...Buffer.from(character)];
const hex = (byte: number, digits: number) => byte.toString(16).padStart(digits, '0');
/** Writes the chosen characters, and each `special`, which the encoding would read otherwise. */
const some =
  (special: string, write: (character: string) => string): Encode =>
  (text, chosen) =>
    [...text].map((one, index) => (chosen(index) || one === special ? write(one) : one)).join('');
const byPercent = (one: string) =>
  inBytes(one)
    .map((byte) => `%${hex(byte, 2)}`)
    .join('');
const byCodes = (one: string) =>
  Array.from({ length: one.length }, (_, at) => `\\u${hex(one.charCodeAt(at), 4)}`).join('');

const encodings: Readonly<Record<string, Encode>> = {
  percent: some('%', byPercent),
  'percent, in capitals': some('%', (one) => byPercent(one).toUpperCase()),
  'percent, as browsers do': (text) => encodeURIComponent(text),
  '\\u': some('\\', byCodes),
  '\\u, in capitals': some('\\', (one) => byCodes(one).toUpperCase().replaceAll('\\U', '\\u')),
  JSON: (text) => JSON.stringify(text).slice(1, -1),
  'decimal entities': some('&', (one) => `&#${one.codePointAt(0)};`),
  'decimal entities, with zeros': some('&', (one) => `&#00${one.codePointAt(0)};`),
  'hexadecimal entities': some('&', (one) => `&#x${hex(one.codePointAt(0) ?? 0, 2)};`),
  'named entities': (text) =>
    text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;').replaceAll('ö', '&ouml;'),
  hex: (text) => Buffer.from(text).toString('hex'),
  'hex, in capitals': (text) => Buffer.from(text).toString('hex').toUpperCase(),
  base64: (text) => Buffer.from(text).toString('base64'),
  'base64 without padding': (text) => Buffer.from(text).toString('base64').replace(/=+$/, ''),
  base64url: (text) => Buffer.from(text).toString('base64url'),
  'base64 behind one byte': (text) => Buffer.from(`:${text}`).toString('base64'),
  'base64 behind two bytes': (text) => Buffer.from(`::${text}`).toString('base64url'),
  nothing: (text) => text,
};
const names = Object.keys(encodings);

const letters = [...'abcdefghijkmpqrstuvwxyzABCDEFGH0123456789 !"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~äöüß€中😀'];
const secret = fc
  .array(fc.constantFrom(...letters), { minLength: 8, maxLength: 32 })
  .map((characters) => characters.join(''))
  .filter((text) => /[0-9]/.test(text) && text.trim() === text);

/** Texts around a secret. */
const around = fc.constantFrom(
  '',
  ' ',
  '"',
  '{"message":"no ',
  ' and more',
  '","trace_id":"1"}',
  "'",
  '(',
  ' = ',
  'x: ',
);

const encoded = fc.record({
  secret,
  inner: fc.constantFrom(...names),
  outer: fc.constantFrom(...names),
  mask: fc.array(fc.boolean(), { minLength: 5, maxLength: 5 }),
  before: around,
  after: around,
});

type Encoded = (typeof encoded extends fc.Arbitrary<infer T> ? T : never) & {
  change?: (text: string) => string;
};

function write({ secret: text, inner, outer, mask, change = (one) => one }: Encoded): string {
  const all = () => true;
  const chosen = (index: number) => mask[index % mask.length] ?? false;
  const once = encodings[inner]?.(change(text), all) ?? '';
  return encodings[outer]?.(once, mask.includes(true) ? chosen : all) ?? '';
}

/** The base64 before a secret and the character that they share, each encoded again. */
const mostLeft = 24;

/** Throws if a secret is visible, or if too much text before it is hidden. */
function requireHidden(given: Encoded): void {
  const secrets = secretsWith({ S: given.secret });
  const { before, after } = given;
  const shown = secrets.redact(`${before}${write(given)}${after}`);
  const rest = shown.replaceAll('{S}', '');
  const isHidden = shown.includes('{S}') && rest.length <= before.length + after.length + mostLeft;
  if (!isHidden) throw new Error(`shown as ${shown}`);
}

function requireSame(redacted: string, text: string): void {
  if (redacted !== text) throw new Error(`${text} became ${redacted}`);
}

const upper = (text: string) => text.replace(/[a-z]/g, (one) => one.toUpperCase());
const lower = (text: string) => text.replace(/[A-Z]/g, (one) => one.toLowerCase());
const allButLast = (text: string) => [...text].slice(0, -1).join('');
// A backslash before another letter is a different escape.
const free = encoded.filter(({ secret: text }) => !text.includes('\\'));
// Pure letters may be another word, and an escape at the end may continue in the following text.
const long = encoded.filter(({ secret: text }) => text.length > 9 && /\d.*[^%&\\\ud83d].$/u.test(text));
const plain = fc.array(fc.constantFrom(...letters), { maxLength: 200 }).map((all) => all.join(''));

const runs = { numRuns: 500 };

test('hides any secret in any two encodings at any position', () => {
  fc.assert(fc.property(encoded, requireHidden), runs);
});

test('hides any secret in capitals or small letters in any two encodings', () => {
  const property = fc.property(free, fc.constantFrom(upper, lower), (given, change) =>
    requireHidden({ ...given, change }),
  );
  fc.assert(property, runs);
});

test('hides any secret without its last character in any encoding', () => {
  const property = fc.property(long, (given) =>
    requireHidden({ ...given, inner: 'nothing', change: allButLast }),
  );
  fc.assert(property, runs);
});

test('does not change texts without secrets', () => {
  const property = fc.property(plain, secret, (given, other) => {
    fc.pre(!given.toLowerCase().includes(other.slice(0, 6).toLowerCase()));
    const secrets = secretsWith({ S: other });
    requireSame(secrets.redact(given), given);
  });
  fc.assert(property, runs);
});

test('does not change redacted texts', () => {
  const property = fc.property(encoded, (given) => {
    const secrets = secretsWith({ SITEPUB_PASSWORD: given.secret, SITEPUB_API_KEY: 'SITEPUB_PASSWORD' });
    const once = secrets.redact(`${given.before}${write(given)}${given.after}`);
    requireSame(secrets.redact(once), once);
  });
  fc.assert(property, runs);
});
