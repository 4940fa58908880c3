// Tokens in a deployment's answers, wherever in the body they are: from then on they are secrets.
import type { OperationId } from '../../openapi/operations.ts';
import { isSecretName, isSecretParameter, secretAnswers } from '../../openapi/secret-names.ts';
import type { Exchange } from '../core/exchange.ts';
import { longestToken, type Secrets } from './redact.ts';

interface NamedText {
  name: string;
  text: string;
  /** Where it stands in the answer. */
  path: readonly string[];
}

/** In the answer to the creation of a subscription, what is long is an identifier or an address, unless its name says otherwise. */
const tokenOperations: readonly string[] = secretAnswers.filter(
  (operation) => operation !== 'createSubscription',
);

/** Where a member that is called key, or ticket, is no name of something. */
const keyOperations: readonly OperationId[] = [...secretAnswers, 'listKeys'];

/** Adds what looks like a token in the answers so far, also where the profile expects none. */
export function learnTokens(seen: { exchanges: readonly Exchange[]; secrets: Secrets }): void {
  const { exchanges, secrets } = seen;
  const learn = (text: string) => {
    if (!secrets.has(text)) secrets.learn('SITEPUB_TOKEN', text);
  };
  for (const exchange of exchanges) {
    visitTexts(exchange, (visited) => {
      if (isToken(visited, exchange)) learn(visited.text);
      for (const part of tokenParts(visited, exchange)) learn(part);
      return true;
    });
    for (const [name, value] of Object.entries(exchange.response.headers))
      for (const text of [value ?? []].flat())
        for (const part of tokenParts({ name, text }, exchange)) learn(part);
    if (exchange.response.json === undefined)
      for (const part of namedParts(exchange.response.text)) learn(part);
    for (const text of tokensOutsideTexts(exchange)) learn(text);
  }
}

/** More candidates than this are no tokens. */
const mostTokens = 1_000;

/** The texts of an answer that look like a token, with their places. */
export function tokensIn(exchange: Exchange): NamedText[] {
  const found: NamedText[] = [];
  visitTexts(exchange, ({ name, text, place }) => {
    if (isToken({ name, text }, exchange)) found.push({ name, text, path: pathOf(place) });
    return found.length < mostTokens;
  });
  return found;
}

/** A member of the answer, within another one. */
interface Place {
  key: string;
  within: Place | undefined;
}

interface Visited {
  name: string;
  text: string;
  place: Place | undefined;
}

/** Calls `visit` with each text of an answer, in its order, until that returns false. */
function visitTexts({ response }: Exchange, visit: (text: Visited) => boolean): void {
  const walk = (node: unknown, name: string, place: Place | undefined): boolean => {
    if (typeof node === 'string') return visit({ name, text: node, place });
    if (typeof node !== 'object' || node === null) return true;
    // Their entries would take three times the memory of a large answer.
    for (const key in node) {
      const child = (node as Record<string, unknown>)[key];
      if (!mayHoldTexts(child)) continue;
      if (!walk(child, Array.isArray(node) ? name : key, { key, within: place })) return false;
    }
    return true;
  };
  walk(response.json, '', undefined);
}

function mayHoldTexts(value: unknown): boolean {
  return typeof value === 'string' || (typeof value === 'object' && value !== null);
}

function pathOf(place: Place | undefined): string[] {
  const path: string[] = [];
  for (let at = place; at; at = at.within) path.unshift(at.key);
  return path;
}

/** Whether a text has the form of a token. */
export function mayBeToken(text: string): boolean {
  return text.length <= longestToken && /^[\w.~+/=-]{8,}$/.test(text);
}

/** Neither identifies a session: they tell calls, versions and machines apart. */
const openName =
  /(trace|request|correlation)[-_]?id$|^(traceparent|etag|date|expires|last-modified|via|server|content-(type|length|encoding|language))$/i;

/** Addresses, whose parts are looked at, times, mail addresses, and what is masked already. */
const noToken = /^[a-z][a-z0-9+.-]*:\/\/|^\d{4}-\d\d-\d\d([T ]|$)|^[^@]+@[\w-]+(\.[\w-]+)+$|[*•…]/i;

/** Decides by the field's name; in answers of `tokenOperations`, by the form of the text. Fields of the envelope hold no tokens. */
function isToken(
  { name, text }: Pick<NamedText, 'name' | 'text'>,
  { operation, request }: Exchange,
): boolean {
  const isNamed = isSecretName(name) || (keyOperations.includes(operation) && isKeyName(name));
  if (!isNamed && !tokenOperations.includes(operation)) return false;
  if (openName.test(name) || noToken.test(text) || request.body?.includes(text)) return false;
  if (!isNamed) return mayBeToken(text) && isTokenLike(text);
  const isWord = /^[\p{L}_-]+$/u.test(text) && text.length < shortestUnnamed;
  return !isWord && text.length <= longestToken && /^\S{8,}$/.test(text);
}

/** A code tells what went wrong. */
function isKeyName(name: string): boolean {
  return isSecretParameter(name) && name !== 'code';
}

/** So long is a token that nothing else tells apart, in characters. */
const shortestUnnamed = 16;

/** Digits alone are an identifier or a time, unless they are longer, and letters alone are words, unless their case changes all the time. */
function isTokenLike(text: string): boolean {
  const isOfItsLength = text.length >= shortestUnnamed && text.length <= longestToken;
  if (!isOfItsLength || /\s/.test(text)) return false;
  if (/\d/.test(text)) return /\p{L}/u.test(text) || /^\d{20,}$/.test(text);
  return /^[A-Za-z]{24,}$/.test(text) && (text.match(/[a-z][A-Z]/g)?.length ?? 0) >= text.length / 8;
}

/** What may be a token within a longer text, such as a sentence, a cookie or an address, of an answer that gives one out. */
function tokenParts(
  { name, text }: Pick<NamedText, 'name' | 'text'>,
  { operation, request }: Exchange,
): string[] {
  const named = namedParts(text);
  if (!tokenOperations.includes(operation) || openName.test(name)) return named;
  const sent = `${request.url} ${request.body}`;
  const plain = text.replace(/https?:\/\/[^/?#\s]+/g, ' ');
  const others = plain
    .split(/[\s"'<>,;&]+|=(?=[^=])/)
    .filter((word) => isTokenLike(word) && !noToken.test(word) && !runsOf(word).some(isTokenLike));
  const found = runsOf(plain).filter(isTokenLike);
  // A whole path is a place, whatever its parts are.
  const isPlace = /^(content-)?location$/i.test(name);
  return [...named, ...found, ...(isPlace ? [] : others)].filter((part) => !sent.includes(part));
}

function runsOf(text: string): string[] {
  return text
    .split(/[^\w.~+/=-]+|=(?=[\w.~+/-])/)
    .flatMap((run) => (run.startsWith('/') ? run.split('/') : [run, ...run.split('/')]));
}

/** What is called a secret within a text of any answer: what lets a user of an address in, and the values of parameters. */
function namedParts(text: string): string[] {
  const users = [...text.matchAll(/:\/\/([^/?#\s@]+)@/g)].flatMap(([, user = '']) =>
    user.split(':').slice(-1),
  );
  const pairs = [...text.matchAll(/(?<![\w-])([\w-]{1,64})(?:=|%3d)([^&#;\s"'<>,%\\]{8,})/gi)]
    .filter(([, name = '']) => isSecretName(name))
    .map(([, , value = '']) => value);
  return [...users, ...pairs].filter(
    (part) => part.length >= 4 && !/^[\p{L}_-]+$/u.test(part) && !/[*•…]/.test(part),
  );
}

/** What may be a token where JSON has no text: the name of a member, or a number too long to count with. */
function tokensOutsideTexts({ operation, response }: Exchange): string[] {
  if (!tokenOperations.includes(operation) || response.json === undefined) return [];
  const names = [...response.text.matchAll(/"([^"\\]{1,8192})"\s*:/g)].map(([, name = '']) => name);
  const numbers = [...response.text.matchAll(/(?:"([^"\\]{0,64})"\s*:|^|[[,])\s*(\d{14,})\b/g)]
    .filter(([, name = '', digits = '']) => isSecretName(name) || digits.length >= 20)
    .map(([, , digits = '']) => digits);
  return [...names.filter(isTokenLike), ...numbers, ...numbers.map((digits) => String(Number(digits)))];
}
