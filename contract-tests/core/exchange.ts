import { isObject } from '../../openapi/json.ts';
import type { OperationId } from '../../openapi/operations.ts';
import { secretAnswers } from '../../openapi/secret-names.ts';
import { parseExactly, writeJson } from './parse-json.ts';

/** A request as it is sent; `body` is the text of the body. */
export interface RequestMessage {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: string | undefined;
}

/** A response as it was received; `json` is undefined where the body is not JSON. */
export interface ResponseMessage {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
  /** False where the bytes of the body are not UTF-8; each wrong byte is a U+FFFD in `text` then. */
  isUtf8?: boolean;
  json: unknown;
  /** Whether a byte order mark stood before the body, which neither `text` nor `json` has. */
  hasMark?: boolean;
  /** How long the whole answer took, in milliseconds of real time, whatever the deployment's clock does. */
  tookMs?: number;
  /** What the whole body was, where only its beginning is kept. */
  whole?: { bytes: number; sha256: string };
}

/** One request and its response. */
export interface Exchange {
  operation: OperationId;
  request: RequestMessage;
  response: ResponseMessage;
  /** When the request was sent, in milliseconds since 1970, by the deployment's clock. */
  at: number;
  /** When the answer was there, by the same clock. */
  answeredAt: number;
  /** Values of the answer by name, such as `token` or `id`. */
  values: Readonly<Record<string, unknown>>;
  /** Whether the deployment may repeat its first answer to the same request, trace_id included. */
  mayBeReplayed: boolean;
}

/** A request of the run, noted before it is sent: what it causes may come before its answer, or without one. */
export interface SentRequest {
  operation: OperationId;
  /** What it is about, by name, path placeholders included. */
  values: Readonly<Record<string, unknown>>;
  /** When it was sent, in milliseconds since 1970, by the deployment's clock. */
  at: number;
  /** The same by performance.now(), which tells what came first even while a clock is moved. */
  order: number;
  /** Undefined until it is answered. */
  exchange: Exchange | undefined;
  answeredAt: number | undefined;
}

/** Whether the deployment accepted the request, by `code` alone. A code of a wrong type is still read: ENV-1 fails it. */
export function succeeded(exchange: Exchange): boolean {
  const code = envelopeOf(exchange).code;
  return code === 0 || code === '0';
}

/** The fields of the envelope; none where the answer is no JSON object. */
export function envelopeOf({ response }: Pick<Exchange, 'response'>): Record<string, unknown> {
  return isObject(response.json) ? response.json : {};
}

/** Whether two refusals have the same status and code. */
export function areAlike(one: Exchange, other: Exchange): boolean {
  return one.response.status === other.response.status && envelopeOf(one).code === envelopeOf(other).code;
}

/** An answer, and the operation that gave it; undefined for what is no endpoint. */
type Answered = Pick<Exchange, 'response'> & { operation: OperationId | undefined };

/** The answer in one line, for reports. */
export function describeAnswer(answered: Answered): string {
  const shown = textOfAnswer(answered);
  return `HTTP ${answered.response.status} ${shown.length > 400 ? `${shown.slice(0, 400)}…` : shown}`;
}

/** Nobody reads more of an answer in a report, in characters. Half a secret at its end is far behind what is shown of it. */
const mostRead = 32_768;

/** The body of an answer in one line; of a large one the beginning, as it came. */
export function textOfAnswer(answered: Answered): string {
  const { json } = answered.response;
  const text = bodyOfAnswer(answered);
  if (text.length > mostRead) return `${oneLine(text.slice(0, mostRead))}…`;
  const shown = json === undefined ? oneLine(text) : writeJson(parseExactly(text) ?? json);
  return shown || '(empty body)';
}

/** As long as the shortest token that can't be guessed, in characters; encoded ones and those of UTF-16 are as long at least. */
const tokenLike = /(?:[\w.~+/=%\\-]\0?){16,}/g;

/** The body of an answer as it may be shown: of one that is no JSON nobody can say where it holds a token. */
export function bodyOfAnswer({ operation, response: { json, text, headers, whole } }: Answered): string {
  const isPlain = operation === undefined || !secretAnswers.includes(operation);
  if (text.trim() === '' || (isPlain && json !== undefined)) return text;
  if (isPlain) return text.replace(tokenLike, '{masked}');
  // Of two members with the same name, the first is in the text alone.
  if (typeof json === 'object') return writeJson(parseExactly(text) ?? json);
  const [type = 'no media type'] = /^[\w.+-]+\/[\w.+-]+/.exec(String(headers['content-type'])) ?? [];
  const bytes = whole?.bytes ?? Buffer.byteLength(text);
  return `(${bytes} bytes of ${type} that are no JSON object; withheld, because this answer may hold a token)`;
}

/** Where a redirect leads, without what may be a token in its query or fragment. */
export function placeOfRedirect({ headers: { location } }: ResponseMessage): string | undefined {
  return location === undefined ? undefined : String(location).replace(/([?#]).*$/s, '$1…');
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** Whether a Content-Type is JSON; parameters are allowed. */
export function isJsonType(contentType: unknown): boolean {
  return /^application\/(.+\+)?json\s*(;|$)/i.test(String(contentType ?? ''));
}
