// Tokens in a deployment's answers, wherever in the body they are: from then on they are secrets.
import { isSecretName, secretAnswers } from '../../openapi/secret-names.ts';
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
  /(trace|request|correlation)[-_]?id$|^(traceparent|etag|date|expires|last-modified|via|server|content-.*)$/i;

/** Decides by the field's name; in answers of `tokenOperations`, by the form of the text. Fields of the envelope hold no tokens. */
function isToken(
  { name, text }: Pick<NamedText, 'name' | 'text'>,
  { operation, request }: Exchange,
): boolean {
  const isNamed = isSecretName(name);
  if (!isNamed && !tokenOperations.includes(operation)) return false;
  if (openName.test(name) || !mayBeToken(text) || request.body?.includes(text)) return false;
  const isWord = /^[A-Za-z_-]+$/.test(text) && text.length < shortestUnnamed;
  if (isNamed) return !isWord;
  return isTokenLike(text);
}

/** So long is a token that nothing else tells apart, in characters. */
const shortestUnnamed = 16;

/** Digits alone are an identifier or a time, letters alone words. */
function isTokenLike(text: string): boolean {
  const isOfItsLength = text.length >= shortestUnnamed && text.length <= longestToken;
  return isOfItsLength && /\d/.test(text) && /[a-z]/i.test(text);
}

/** What may be a token within a longer text of an answer that gives one out, such as a sentence, a cookie or an address. */
function tokenParts(
  { name, text }: Pick<NamedText, 'name' | 'text'>,
  { operation, request }: Exchange,
): string[] {
  if (!tokenOperations.includes(operation) || openName.test(name)) return [];
  const sent = `${request.url} ${request.body}`;
  return text
    .replace(/https?:\/\/[^/?#\s]+/g, ' ')
    .split(/[^\w.~+/=-]+|=(?=[\w.~+/-])/)
    .flatMap((run) => (run.startsWith('/') ? run.split('/') : [run, ...run.split('/')]))
    .filter((part) => isTokenLike(part) && !sent.includes(part));
}
