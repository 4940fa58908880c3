import { isObject } from '../../openapi/json.ts';
import type { OperationId } from '../../openapi/operations.ts';
import { secretAnswers } from '../../openapi/secret-names.ts';
import { parseExactly, writeJson } from './parse-json.ts';

export interface RequestMessage {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: string | undefined;
}

/** A received response. `json` is undefined if the body is not JSON. */
export interface ResponseMessage {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
  /** False if the body is not UTF-8; invalid bytes are U+FFFD in `text`. */
  isUtf8?: boolean;
  json: unknown;
  /** Whether the body began with a byte order mark. `text` does not contain it. */
  hasMark?: boolean;
  /** The response time in milliseconds of real time. */
  tookMs?: number;
  /** Present if only the beginning of the body is stored. */
  whole?: { bytes: number; sha256: string };
}

export interface Exchange {
  operation: OperationId;
  request: RequestMessage;
  response: ResponseMessage;
  /** The time of sending, in milliseconds since 1970 by the deployment's clock. */
  at: number;
  /** The time of the complete answer, by the same clock. */
  answeredAt: number;
  /** Values of the answer by name, such as `token` or `id`. */
  values: Readonly<Record<string, unknown>>;
  /** Whether the deployment may repeat its first answer to the same request, trace_id included. */
  mayBeReplayed: boolean;
}

/** A request, recorded before it is sent, because its push may arrive before its answer or without one. */
export interface SentRequest {
  operation: OperationId;
  /** The values of the call by name, including path placeholders. */
  values: Readonly<Record<string, unknown>>;
  /** The time of sending, in milliseconds since 1970 by the deployment's clock. */
  at: number;
  /** The same by performance.now(), which gives the order even while a clock is moved. */
  order: number;
  /** Undefined until it is answered. */
  exchange: Exchange | undefined;
  answeredAt: number | undefined;
}

/** Whether the deployment accepted the request. Only `code` counts, even with a wrong type, which ENV-1 reports. */
export function succeeded(exchange: Exchange): boolean {
  const code = envelopeOf(exchange).code;
  return code === 0 || code === '0';
}

/** The envelope, or an empty object if the answer is not a JSON object. */
export function envelopeOf({ response }: Pick<Exchange, 'response'>): Record<string, unknown> {
  return isObject(response.json) ? response.json : {};
}

/** Whether two refusals have the same status and code. */
export function areAlike(one: Exchange, other: Exchange): boolean {
  return one.response.status === other.response.status && envelopeOf(one).code === envelopeOf(other).code;
}

/** `operation` is undefined for unknown paths. */
type Answered = Pick<Exchange, 'response'> & { operation: OperationId | undefined };

/** One line for reports. */
export function describeAnswer(answered: Answered): string {
  const shown = textOfAnswer(answered);
  return `HTTP ${answered.response.status} ${shown.length > 400 ? `${shown.slice(0, 400)}…` : shown}`;
}

/** In characters, more than reports show, so that a secret cut at the end is not visible. */
const mostRead = 32_768;

/** The body in one line; only the beginning of a large one. */
export function textOfAnswer(answered: Answered): string {
  const { json } = answered.response;
  const text = bodyOfAnswer(answered);
  if (text.length > mostRead) return `${oneLine(text.slice(0, mostRead))}…`;
  const shown = json === undefined ? oneLine(text) : writeJson(parseExactly(text) ?? json);
  return shown || '(empty body)';
}

/** As long as the shortest unguessable token. Encoded tokens, and UTF-16, are at least as long. */
const tokenLike = /(?:[\w.~+/=%\\-]\0?){16,}/g;

/** The body as reports may show it. Withholds a non-JSON body of an answer that may contain a token. */
export function bodyOfAnswer({ operation, response: { json, text, headers, whole } }: Answered): string {
  const isPlain = operation === undefined || !secretAnswers.includes(operation);
  if (text.trim() === '' || (isPlain && json !== undefined)) return text;
  if (isPlain) return text.replace(tokenLike, '{masked}');
  // Parse again: `text` may contain the first of two members with the same name.
  if (typeof json === 'object') return writeJson(parseExactly(text) ?? json);
  const [type = 'no media type'] = /^[\w.+-]+\/[\w.+-]+/.exec(String(headers['content-type'])) ?? [];
  const bytes = whole?.bytes ?? Buffer.byteLength(text);
  return `(${bytes} bytes of ${type}, not a JSON object; withheld, because this answer may contain a token)`;
}

/** The target of a redirect without query and fragment, which may contain a token. */
export function placeOfRedirect({ headers: { location } }: ResponseMessage): string | undefined {
  return location === undefined ? undefined : String(location).replace(/([?#]).*$/s, '$1…');
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

export function isJsonType(contentType: unknown): boolean {
  return /^application\/(.+\+)?json\s*(;|$)/i.test(String(contentType ?? ''));
}
