// The secrets of a recording: what people typed as passwords, what calls carried as credentials, and the tokens of answers.

import { mayBeToken } from '../../redaction/learn-tokens.ts';
import { createSecrets, type Secrets } from '../../redaction/redact.ts';
import type { RecordedExchange } from './recorded-exchange.ts';
import { type KindOfSecret as Kind, kindOfName } from './secret-names.ts';
import { unfoldTexts } from './unfold-texts.ts';
import { isUnusualWord } from './unusual-word.ts';

/** What is never written; keeps them, for what is recorded later may hold them, too. */
export interface SecretTexts {
  learn(exchange: RecordedExchange): void;
  /** Whether a text holds one of them, in whatever encoding. */
  isIn(text: string): boolean;
  /** The same of a name in a body or a path: a secret that is a plain word says nothing where it is one. */
  isInName(text: string): boolean;
}

export function createSecretTexts(): SecretTexts {
  const secrets = createSecrets();
  let checked = new Map<string, string | undefined>();
  /** The secret in a text, if any; the text itself where that is all that is known of it. */
  const find = (text: string): string | undefined => {
    if (!checked.has(text)) {
      const [found] = secrets.split(text).flatMap(({ secret }) => secret?.value ?? []);
      checked.set(text, found ?? (secrets.redact(text) === text ? undefined : text));
    }
    return checked.get(text);
  };
  return {
    learn: (exchange) => {
      learnFrom(exchange, secrets);
      checked = new Map();
    },
    isIn: (text) => find(text) !== undefined,
    isInName: (text) => {
      const found = find(text);
      return found !== undefined && !isPlainWord(found);
    },
  };
}

function isPlainWord(secret: string): boolean {
  return /^\p{L}{1,11}$/u.test(secret) && !isUnusualWord(secret);
}

function learnFrom(
  { url, requestHeaders, requestBody, otherBody, answer, setCookies }: RecordedExchange,
  secrets: Secrets,
) {
  const learn = (text: string) => {
    if (!secrets.has(text)) secrets.learn('SECRET', text);
  };
  for (const [name, value] of Object.entries(requestHeaders)) learnHeader(name, value, learn);
  for (const cookie of setCookies) learnCookie(cookie.split(';')[0] ?? '', learn);
  const address = new URL(url);
  for (const part of [address.username, address.password, address.hash.slice(1)])
    if (part !== '') learn(part);
  for (const [name, value] of address.searchParams) learnText(value, kindOfName(name), learn);
  const sent = unfoldTexts([requestBody, otherBody]);
  visitTexts(sent, undefined, (text, kind) => learnText(text, kind, learn));
  // Texts for people are among what answers have under such names: "password": "Forgotten?".
  visitTexts(unfoldTexts(answer), undefined, (text, kind) => learnText(text, kind && 'made', learn));
}

/** The shortest credential in a header that is looked for elsewhere, in characters. */
const shortest = 4;

function learnHeader(name: string, value: string, learn: (text: string) => void): void {
  if (name === 'cookie') for (const cookie of value.split(/;\s*/)) learnCookie(cookie, learn);
  else if (name === 'authorization' || name === 'proxy-authorization') {
    const credential = value.replace(/^\S+\s+/, '');
    if (credential.length >= shortest) learn(credential);
    if (!/^basic /i.test(value)) return;
    // A password may have colons itself (RFC 7617, section 2).
    const [user = '', ...rest] = Buffer.from(credential, 'base64').toString().split(':');
    for (const part of [user, rest.join(':')]) if (part.length >= shortest) learn(part);
  } else learnText(value, kindOfName(name), learn);
}

function learnCookie(cookie: string, learn: (text: string) => void): void {
  const value = cookie.slice(cookie.indexOf('=') + 1);
  if (mayBeToken(value) && !isShortWord(value)) learn(value);
}

function learnText(text: string, kind: Kind, learn: (text: string) => void): void {
  if (text === '') return;
  const isToken = kind === 'made' && mayBeToken(text) && !isShortWord(text);
  if (kind === 'typed' || isToken || /^(sp_|eyJ)[\w.-]{8,}$/.test(text) || isAddress(text)) learn(text);
}

function isShortWord(text: string): boolean {
  return /^[A-Za-z_.-]+$/.test(text) && text.length < 24;
}

/** Of a person. */
function isAddress(text: string): boolean {
  return text.length < 200 && /^[^\s@/]+@[^\s@/]+\.[^\s@/]+$/.test(text);
}

/** Calls back with each text in a value, and with what the names above it say. */
function visitTexts(value: unknown, kind: Kind, visit: (text: string, kind: Kind) => void): void {
  if (typeof value === 'string') return void visit(value, kind);
  if (kind === 'typed' && (typeof value === 'number' || typeof value === 'bigint'))
    return void visit(String(value), kind);
  if (typeof value !== 'object' || value === null) return;
  const isList = Array.isArray(value);
  for (const [key, part] of Object.entries(value))
    visitTexts(part, isList ? kind : strongest(kind, kindOfName(key)), visit);
}

function strongest(one: Kind, other: Kind): Kind {
  return one === 'typed' || other === 'typed' ? 'typed' : (one ?? other);
}
