// Removes secrets, in any encoding, from everything that is printed or written.

import { createHash } from 'node:crypto';
import { type Connection, headerVariable, type SuiteOptions } from '../core/suite-options.ts';
import { type Found, findSecrets } from './find-secrets.ts';
import { createKnownSecrets } from './known-secrets.ts';

/** Secrets by the name of their environment variable. */
export interface Secrets {
  /** Adds a secret. Earlier values of the same name stay secret. */
  add(name: string, value: unknown): void;
  /** Adds a text that looks like a token in an answer. After many, only digests are stored. */
  learn(name: string, value: string): void;
  has(value: string): boolean;
  /** Replaces every known secret by its name in braces, such as {SITEPUB_PASSWORD}. Cuts the text at 128 kB. */
  redact(text: string): string;
  /** Splits a text into pieces; secret ones have name and value. */
  split(text: string): readonly Piece[];
  /** The values with their names, longest first. */
  entries(): readonly (readonly [value: string, name: string])[];
}

/** In characters. Longer texts are cut. */
const longestText = 131_072;

/** In characters. Longer texts do not fit into a header, so they are not tokens. */
export const longestToken = 65_536;

/** The most characters stored of one learned token, and of all. Enough to find a token in every encoding. */
const longestStored = 16_384;
const mostLearnt = 262_144;

export interface Piece {
  text: string;
  secret?: { name: string; value: string };
}

export function createSecrets(): Secrets {
  const names = new Map<string, string>();
  const known = createKnownSecrets();
  const digests = createTokenDigests();
  let learnt = 0;
  const add = (name: string, value: unknown) => {
    if (typeof value !== 'string' || value === '') return;
    const kept = value.length > longestText ? flat(value.slice(0, longestText)) : value;
    if (!names.has(kept)) known.add(kept);
    names.set(kept, name);
  };
  return {
    add,
    learn: (name, value) => {
      learnt += Math.min(value.length, longestStored);
      if (learnt <= mostLearnt) add(name, flat(value.slice(0, longestStored)));
      else digests.add(value);
    },
    has: (value) => names.has(value.slice(0, longestStored)) || names.has(value),
    entries: () => [...names].sort(([one], [other]) => other.length - one.length),
    split: (text) => pieces(text, text.length > longestText ? [] : findSecrets(text, known), names),
    redact: (text) => {
      if (text === '' || names.size === 0) return text;
      const some = digests.hideIn(text.length > longestText ? `${text.slice(0, longestText)}…` : text);
      return hide(some, outsidePlaceholders(some, findSecrets(some, known)), names);
    },
  };
}

type Confidential = Pick<
  SuiteOptions,
  'account' | 'apiKey' | 'second' | 'other' | 'controlToken' | 'connection'
>;

export function secretsOf({
  account,
  apiKey,
  second,
  other,
  controlToken,
  connection = {},
}: Confidential): Secrets {
  const secrets = createSecrets();
  addSecretsOf(connection, secrets);
  secrets.add('SITEPUB_PASSWORD', account?.password);
  secrets.add('SITEPUB_API_KEY', apiKey);
  secrets.add('SITEPUB_SECOND_PASSWORD', second?.password);
  secrets.add('SITEPUB_OTHER_PASSWORD', other?.password);
  secrets.add('SITEPUB_CONTROL_TOKEN', controlToken);
  return secrets;
}

/** Shorter header values, such as "X-Canary: 1", are not secrets; hiding them would hide other texts. */
const shortestHeader = 4;

function addSecretsOf({ headers = {}, passphrase, proxy }: Connection, secrets: Secrets): void {
  for (const [name, value] of Object.entries(headers))
    if (value.length >= shortestHeader) secrets.add(headerVariable(name), value);
  secrets.add('SITEPUB_KEY_PASSPHRASE', passphrase);
  if (proxy) secrets.add('PROXY_PASSWORD', decodeURIComponent(new URL(proxy.url).password));
}

/** Names that replace secrets, here and in curl lines. */
const placeholder = /\{[A-Z][A-Z0-9_]*\}|"\$[A-Z][A-Z0-9_]*"/g;

/** Does not change placeholders, because a text may be redacted twice. */
function outsidePlaceholders(text: string, found: readonly Found[]): readonly Found[] {
  if (found.length === 0) return found;
  const ends = [...text.matchAll(placeholder)].map(
    ({ 0: name, index }) => [index, index + name.length] as const,
  );
  let next = 0;
  return found.filter(({ from, to }) => {
    while (next < ends.length && (ends[next]?.[1] ?? 0) <= from) next += 1;
    const [start = to, end = 0] = ends[next] ?? [];
    return from < start || to > end;
  });
}

/** Copies, because a slice would retain the whole answer. */
function flat(text: string): string {
  return Buffer.from(text, 'utf16le').toString('utf16le');
}

function hide(text: string, found: readonly Found[], names: ReadonlyMap<string, string>): string {
  return pieces(text, found, names)
    .map((piece) => (piece.secret ? `{${piece.secret.name}}` : piece.text))
    .join('');
}

function pieces(text: string, found: readonly Found[], names: ReadonlyMap<string, string>): Piece[] {
  const made: Piece[] = [];
  let at = 0;
  for (const { from, to, value } of found) {
    const secret = { name: names.get(value) ?? '', value };
    made.push({ text: text.slice(at, from) }, { text: text.slice(from, to), secret });
    at = to;
  }
  return [...made, { text: text.slice(at) }].filter((piece) => piece.text !== '');
}

interface TokenDigests {
  add(token: string): void;
  hideIn(text: string): string;
}

const mostDigests = 100_000;

const wholeToken = /[\w.~+/=-]{8,}/g;

function createTokenDigests(): TokenDigests {
  const digests = new Set<string>();
  return {
    add: (token) => {
      if (digests.size < mostDigests) digests.add(digestOf(token));
    },
    hideIn: (text) => {
      if (digests.size === 0) return text;
      return text.replace(wholeToken, (token) => (digests.has(digestOf(token)) ? '{SITEPUB_TOKEN}' : token));
    },
  };
}

function digestOf(token: string): string {
  return createHash('sha256').update(token).digest('base64').slice(0, 16);
}

/** Members with fixed words of the suite, which may equal a secret by chance. */
const fixedWords = new Set(['outcome', 'operation', 'method', 'kind']);

/** Redacts every string in plain data, at any depth. */
export function redactTexts<T>(data: T, redact: (text: string) => string): T {
  return walk(data, redact) as T;
}

function walk(data: unknown, redact: (text: string) => string): unknown {
  if (typeof data === 'string') return redact(data);
  if (Array.isArray(data)) return data.map((item) => walk(item, redact));
  if (typeof data !== 'object' || data === null) return data;
  return Object.fromEntries(
    Object.entries(data).map(([name, part]) => [name, fixedWords.has(name) ? part : walk(part, redact)]),
  );
}
