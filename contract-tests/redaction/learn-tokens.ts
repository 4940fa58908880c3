// Tokens that a deployment gives away in an answer, wherever in it they stand: they are secrets from then on.
import type { Exchange } from '../core/exchange.ts';
import type { Secrets } from './redact.ts';

interface Learning {
  exchanges: readonly Exchange[];
  secrets: Secrets;
}

interface Leaf {
  name: string;
  text: string;
}

const givers: readonly string[] = ['login', 'refresh', 'createKey'];

/** Remembers what looks like a token in the answers so far, also where no gap's value says that one stands there. */
export function learnTokens({ exchanges, secrets }: Learning): void {
  const leaves = exchanges.flatMap((exchange) =>
    leavesOf(exchange.response.json)
      .filter((leaf) => isToken(leaf, exchange))
      .map(({ text }) => text),
  );
  for (const token of new Set(leaves)) if (!secrets.has(token)) secrets.add('SITEPUB_TOKEN', token);
}

const tellingName = /token|secret|password|credential|api_?key/i;

/** By the name of its field; in answers that give tokens, by its looks. The envelope's own fields are none. */
function isToken({ name, text }: Leaf, { operation, request }: Exchange): boolean {
  if (name === 'trace_id' || !/^[\w.~+/=-]{8,}$/.test(text) || request.body?.includes(text)) return false;
  const isWord = /^[A-Za-z_-]+$/.test(text) && text.length < 16;
  if (tellingName.test(name)) return !isWord;
  return givers.includes(operation) && text.length >= 16 && /\d/.test(text);
}

function leavesOf(node: unknown, name = ''): Leaf[] {
  if (typeof node === 'string') return [{ name, text: node }];
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([key, child]) => leavesOf(child, Array.isArray(node) ? name : key));
}
