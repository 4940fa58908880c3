// Where the plaintext of API keys is shown.
import type { Context } from '../../context.ts';
import { describeAnswer, type Exchange } from '../../core/exchange.ts';
import { NotVerified, PromiseBroken } from '../../core/outcomes.ts';
import { allCreatedKeys, isWholeKey } from './created-keys.ts';

/** Throws PromiseBroken where an answer shows a key of the run again. */
export function requireHidden(context: Context): void {
  const created = allCreatedKeys(context).filter(({ key }) => isWhole(key));
  if (created.length === 0)
    throw new NotVerified(
      'no answer showed a complete key at the pointer in the profile; state key in operation.create-key',
    );
  for (const { key, exchange } of created) requireKeyHidden(context, key, exchange);
  const { apiKey } = context.options;
  if (apiKey !== undefined) requireKeyHidden(context, apiKey);
}

/** An answer may repeat the Authorization of its call: the caller showed that key. A repeated creation has the first answer. */
function requireKeyHidden({ exchanges }: Context, key: string, creation?: Exchange): void {
  const showing = exchanges.find(
    (exchange) =>
      exchange !== creation &&
      !isRepeatOf(creation, exchange) &&
      !isBy(exchange, key) &&
      showsKey(exchange, key),
  );
  if (showing)
    throw new PromiseBroken(
      'the plaintext of a key only in the answer to its creation',
      `the answer to ${showing.operation} shows it: ${describeAnswer(showing)}`,
      showing,
    );
}

function isBy({ request }: Exchange, key: string): boolean {
  return request.headers.Authorization?.includes(key) ?? false;
}

function isRepeatOf(creation: Exchange | undefined, { operation, request, values }: Exchange): boolean {
  if (operation !== 'createKey' || !creation) return false;
  return creation.request.body === request.body && creation.values.key === values.key;
}

/** Whether an answer shows a key: whole, in pieces that follow one another, or encoded. The secret part alone is as good as the key. */
export function showsKey({ response }: Pick<Exchange, 'response'>, key: string): boolean {
  const secret = secretOf(key);
  // What is shorter may be in any text by chance.
  if (!isWhole(key)) return false;
  const { text, decoded, pieces } = readable(response);
  const forms = [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)];
  return forms.some((form) => text.includes(form)) || pieces.includes(secret) || decoded.includes(secret);
}

interface Readable {
  text: string;
  /** What its encoded parts say. */
  decoded: string;
  /** The texts of its JSON, one behind the other. */
  pieces: string;
}

/** Each key is looked for in each answer, so an answer is taken apart once; of longer ones there are few, and what is kept is several times as large. */
const longestKept = 65_536;
const readables = new WeakMap<Exchange['response'], Readable>();

function readable(response: Exchange['response']): Readable {
  const known = readables.get(response);
  if (known) return known;
  const texts = textsIn(response.json);
  const headers = Object.values(response.headers).flat().join('\n');
  const text = `${response.text}\n${texts.join('\n')}\n${headers}`;
  const made = { text, decoded: decodedIn(text).join('\n'), pieces: texts.join('') };
  if (response.text.length <= longestKept) readables.set(response, made);
  return made;
}

function isWhole(key: string): boolean {
  return isWholeKey(`sp_${secretOf(key)}`);
}

/** Without the prefix, or what stands in its place; see KEY-1. */
function secretOf(key: string): string {
  return key.replace(/^sp[_-]/i, '');
}

/** What the Base64 and the hexadecimal parts of a text say; anybody can read a key from them. */
function decodedIn(text: string): string[] {
  const base64 = text.match(/[\w+/-]{12,}/g) ?? [];
  const hex = text.match(/(?:[0-9a-f]{2}){12,}/gi) ?? [];
  return [
    ...base64.map((part) => Buffer.from(part, 'base64').toString('latin1')),
    ...hex.map((part) => Buffer.from(part, 'hex').toString('latin1')),
  ];
}

/** The texts of a JSON value, in document order. */
function textsIn(node: unknown): string[] {
  if (typeof node === 'string') return [node];
  if (typeof node !== 'object' || node === null) return [];
  return Object.values(node).flatMap(textsIn);
}
