// Finds tokens in a deployment's answers, which are secrets from then on.
import type { OperationId } from '../../openapi/operations.ts';
import { isSecretName, isSecretParameter, secretAnswers } from '../../openapi/secret-names.ts';
import type { Exchange } from '../core/exchange.ts';
import { longestToken, type Secrets } from './redact.ts';

interface NamedText {
  name: string;
  text: string;
  /** The member names that lead to it. */
  path: readonly string[];
}

/** Without createSubscription, whose answer has long ids and addresses. */
const tokenOperations: readonly string[] = secretAnswers.filter(
  (operation) => operation !== 'createSubscription',
);

/** Operations in whose answers a member called "key" or "ticket" is a secret. */
const keyOperations: readonly OperationId[] = [...secretAnswers, 'listKeys'];

/** Adds texts that look like tokens, even if the profile expects none there. */
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

/** An answer with more candidates does not contain tokens. */
const mostTokens = 1_000;

/** The texts of an answer that look like tokens. */
export function tokensIn(exchange: Exchange): NamedText[] {
  const found: NamedText[] = [];
  visitTexts(exchange, ({ name, text, place }) => {
    if (isToken({ name, text }, exchange)) found.push({ name, text, path: pathOf(place) });
    return found.length < mostTokens;
  });
  return found;
}

interface Place {
  key: string;
  within: Place | undefined;
}

interface Visited {
  name: string;
  text: string;
  place: Place | undefined;
}

/** Calls `visit` with each text of an answer until it returns false. */
function visitTexts({ response }: Exchange, visit: (text: Visited) => boolean): void {
  const walk = (node: unknown, name: string, place: Place | undefined): boolean => {
    if (typeof node === 'string') return visit({ name, text: node, place });
    if (typeof node !== 'object' || node === null) return true;
    // Object.entries would take three times the memory of a large answer.
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

export function mayBeToken(text: string): boolean {
  return text.length <= longestToken && /^[\w.~+/=-]{8,}$/.test(text);
}

/** Names of texts that identify calls, versions or machines, not sessions. */
const openName =
  /(trace|request|correlation)[-_]?id$|^(traceparent|etag|date|expires|last-modified|via|server|content-(type|length|encoding|language))$/i;

/** Addresses (their parts are checked separately), times, email addresses, masked texts. */
const noToken = /^[a-z][a-z0-9+.-]*:\/\/|^\d{4}-\d\d-\d\d([T ]|$)|^[^@]+@[\w-]+(\.[\w-]+)+$|[*•…]/i;

/** Decides by the field name; in answers of `tokenOperations` also by the form of the text. Ignores envelope fields. */
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

/** Excludes names of error codes. */
function isKeyName(name: string): boolean {
  return isSecretParameter(name) && name !== 'code';
}

/** The shortest text that counts as a token only by its form, in characters. */
const shortestUnnamed = 16;

/** Short texts of digits are ids or times. Texts of letters are words unless their case changes often. */
function isTokenLike(text: string): boolean {
  const isOfItsLength = text.length >= shortestUnnamed && text.length <= longestToken;
  if (!isOfItsLength || /\s/.test(text)) return false;
  if (/\d/.test(text)) return /\p{L}/u.test(text) || /^\d{20,}$/.test(text);
  return /^[A-Za-z]{24,}$/.test(text) && (text.match(/[a-z][A-Z]/g)?.length ?? 0) >= text.length / 8;
}

/** Possible tokens inside a longer text, such as a sentence, a cookie or an address. */
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
  // A whole path is not a token.
  const isPlace = /^(content-)?location$/i.test(name);
  return [...named, ...found, ...(isPlace ? [] : others)].filter((part) => !sent.includes(part));
}

function runsOf(text: string): string[] {
  return text
    .split(/[^\w.~+/=-]+|=(?=[\w.~+/-])/)
    .flatMap((run) => (run.startsWith('/') ? run.split('/') : [run, ...run.split('/')]));
}

/** Named secrets inside a text: passwords in addresses and values of secret parameters. */
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

/** Possible tokens outside strings: member names and very long numbers. */
function tokensOutsideTexts({ operation, response }: Exchange): string[] {
  if (!tokenOperations.includes(operation) || response.json === undefined) return [];
  const names = [...response.text.matchAll(/"([^"\\]{1,8192})"\s*:/g)].map(([, name = '']) => name);
  const numbers = [...response.text.matchAll(/(?:"([^"\\]{0,64})"\s*:|^|[[,])\s*(\d{14,})\b/g)]
    .filter(([, name = '', digits = '']) => isSecretName(name) || digits.length >= 20)
    .map(([, , digits = '']) => digits);
  return [...names.filter(isTokenLike), ...numbers, ...numbers.map((digits) => String(Number(digits)))];
}
