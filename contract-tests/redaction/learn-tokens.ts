// Tokens in a deployment's answers, wherever in the body they are: from then on they are secrets.
import type { Exchange } from '../core/exchange.ts';
import type { Secrets } from './redact.ts';

interface NamedText {
  name: string;
  text: string;
  /** Where it stands in the answer. */
  path: readonly string[];
}

const tokenOperations: readonly string[] = ['login', 'refresh', 'createKey'];

/** Adds what looks like a token in the answers so far, also where the profile expects none. */
export function learnTokens(seen: { exchanges: readonly Exchange[]; secrets: Secrets }): void {
  const { exchanges, secrets } = seen;
  for (const exchange of exchanges)
    visitTokens(exchange, ({ text }) => {
      if (!secrets.has(text)) secrets.learn('SITEPUB_TOKEN', text);
      return true;
    });
}

/** More candidates than this are no tokens. */
const mostTokens = 1_000;

/** The texts of an answer that look like a token, with their places. */
export function tokensIn(exchange: Exchange): NamedText[] {
  const found: NamedText[] = [];
  visitTokens(exchange, ({ name, text, place }) => {
    found.push({ name, text, path: pathOf(place) });
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

/** Calls `visit` with each token of an answer, in its order, until that returns false. */
function visitTokens(exchange: Exchange, visit: (token: Visited) => boolean): void {
  const walk = (node: unknown, name: string, place: Place | undefined): boolean => {
    if (typeof node === 'string')
      return !isToken({ name, text: node }, exchange) || visit({ name, text: node, place });
    if (typeof node !== 'object' || node === null) return true;
    // Their entries would take three times the memory of a large answer.
    for (const key in node) {
      const child = (node as Record<string, unknown>)[key];
      if (!mayHoldTexts(child)) continue;
      if (!walk(child, Array.isArray(node) ? name : key, { key, within: place })) return false;
    }
    return true;
  };
  walk(exchange.response.json, '', undefined);
}

function mayHoldTexts(value: unknown): boolean {
  return typeof value === 'string' || (typeof value === 'object' && value !== null);
}

function pathOf(place: Place | undefined): string[] {
  const path: string[] = [];
  for (let at = place; at; at = at.within) path.unshift(at.key);
  return path;
}

/** What is longer, in characters, is no token that a header could carry. */
const longestToken = 65_536;

/** Whether a text has the form of a token. */
export function mayBeToken(text: string): boolean {
  return text.length <= longestToken && /^[\w.~+/=-]{8,}$/.test(text);
}

const secretName = /token|secret|password|credential|api_?key/i;

/** Decides by the field's name; in answers of `tokenOperations`, by the form of the text. Fields of the envelope hold no tokens. */
function isToken({ name, text }: Omit<NamedText, 'path'>, { operation, request }: Exchange): boolean {
  const isNamed = secretName.test(name);
  if (!isNamed && !tokenOperations.includes(operation)) return false;
  if (name === 'trace_id' || !mayBeToken(text) || request.body?.includes(text)) return false;
  const isWord = /^[A-Za-z_-]+$/.test(text) && text.length < 16;
  if (isNamed) return !isWord;
  return text.length >= 16 && /\d/.test(text);
}
