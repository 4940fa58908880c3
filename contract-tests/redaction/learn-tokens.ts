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
  const tokens = exchanges.flatMap((exchange) => tokensIn(exchange).map(({ text }) => text));
  for (const token of new Set(tokens)) if (!secrets.has(token)) secrets.add('SITEPUB_TOKEN', token);
}

/** The texts of an answer that look like a token, with their places. */
export function tokensIn(exchange: Exchange): NamedText[] {
  return textsIn(exchange.response.json).filter((named) => isToken(named, exchange));
}

const secretName = /token|secret|password|credential|api_?key/i;

/** Decides by the field's name; in answers of `tokenOperations`, by the form of the text. Fields of the envelope hold no tokens. */
function isToken({ name, text }: NamedText, { operation, request }: Exchange): boolean {
  if (name === 'trace_id' || !/^[\w.~+/=-]{8,}$/.test(text) || request.body?.includes(text)) return false;
  const isWord = /^[A-Za-z_-]+$/.test(text) && text.length < 16;
  if (secretName.test(name)) return !isWord;
  return tokenOperations.includes(operation) && text.length >= 16 && /\d/.test(text);
}

function textsIn(node: unknown, path: readonly string[] = [], name = ''): NamedText[] {
  if (typeof node === 'string') return [{ name, text: node, path }];
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([key, child]) =>
    textsIn(child, [...path, key], Array.isArray(node) ? name : key),
  );
}
