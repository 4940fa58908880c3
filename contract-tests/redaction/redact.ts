// Keeps secrets out of everything that is printed or written, in whatever form they appear.

import { createHash } from 'node:crypto';
import { type Connection, headerVariable, type SuiteOptions } from '../core/suite-options.ts';
import { type Found, findSecrets } from './find-secrets.ts';
import { createKnownSecrets } from './known-secrets.ts';

/** Secrets by the name of the environment variable that holds them, or would. */
export interface Secrets {
  /** Adds a secret, as far as a text may show it. Earlier values of the same name stay secret. */
  add(name: string, value: unknown): void;
  /** The same for a text that looks like a token in an answer. Of many, the later ones are known by their digests alone. */
  learn(name: string, value: string): void;
  has(value: string): boolean;
  /** A text with every known secret replaced by its name in braces, such as {SITEPUB_PASSWORD}. What goes beyond 128 kB is left out. */
  redact(text: string): string;
  /** A text in pieces; those that are secrets have the name and the value. */
  split(text: string): readonly Piece[];
  /** The known values with their names, longest first. */
  entries(): readonly (readonly [value: string, name: string])[];
}

/** Nobody reads longer texts in a report, in characters. */
const longestText = 131_072;

/** What is longer, in characters, is no token that a header could carry. */
export const longestToken = 65_536;

/** So much is kept of what deployments give away, each and in all, in characters: in every encoding it is told by this. */
const longestKept = 16_384;
const mostLearnt = 262_144;

/** A part of a text, as it stands there. */
export interface Piece {
  text: string;
  secret?: { name: string; value: string };
}

/** A set of secrets, empty at first. */
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
      learnt += Math.min(value.length, longestKept);
      if (learnt <= mostLearnt) add(name, flat(value.slice(0, longestKept)));
      else digests.add(value);
    },
    has: (value) => names.has(value.slice(0, longestKept)) || names.has(value),
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

/** The secrets that a run is given. */
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

/** A header of a few letters, such as "X-Canary: 1", keeps no secret; hiding it would only hide other texts. */
const shortestHeader = 4;

function addSecretsOf({ headers = {}, passphrase, proxy }: Connection, secrets: Secrets): void {
  for (const [name, value] of Object.entries(headers))
    if (value.length >= shortestHeader) secrets.add(headerVariable(name), value);
  secrets.add('SITEPUB_KEY_PASSPHRASE', passphrase);
  if (proxy) secrets.add('PROXY_PASSWORD', decodeURIComponent(new URL(proxy.url).password));
}

/** Names that stand for secrets: those of this module, and the variables of curl lines. */
const placeholder = /\{[A-Z][A-Z0-9_]*\}|"\$[A-Z][A-Z0-9_]*"/g;

/** A name that stands for a secret already is left as it is, whatever the secrets are: a text may be redacted twice. */
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

/** A copy: a slice would hold on to the whole answer. */
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

/** A deployment that gives away still more has no secrets. */
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
