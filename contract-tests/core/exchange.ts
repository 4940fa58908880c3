import type { OperationId } from '../../openapi/operations.ts';

/** A request as it is sent; `body` is the text of the body. */
export interface RequestMessage {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: string | undefined;
}

/** A response as it came; `json` is undefined where the body is not JSON. */
export interface ResponseMessage {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
  json: unknown;
}

/** One request and its response. */
export interface Exchange {
  operation: OperationId;
  request: RequestMessage;
  response: ResponseMessage;
  /** When it was sent, in milliseconds since 1970, by the deployment's clock. */
  at: number;
  /** Values of the answer by their name, such as `token` or `id`. */
  values: Readonly<Record<string, unknown>>;
  /** A repeat that the deployment may answer with the first answer, its trace_id included. */
  mayBeReplayed: boolean;
}

/** Whether the deployment took the request. Judged by `code` alone; a code of a wrong type is still read, ENV-1 judges it. */
export function succeeded(exchange: Exchange): boolean {
  const code = envelopeOf(exchange).code;
  return code === 0 || code === '0';
}

/** The fields of the envelope, as far as there is one. */
export function envelopeOf({ response }: Exchange): Record<string, unknown> {
  const { json } = response;
  return typeof json === 'object' && json !== null && !Array.isArray(json)
    ? (json as Record<string, unknown>)
    : {};
}

/** The answer in a line, for reports. */
export function describeAnswer(exchange: Exchange): string {
  const { status, json, text } = exchange.response;
  const shown = json === undefined ? text.replace(/\s+/g, ' ').trim() : JSON.stringify(json);
  return `HTTP ${status} ${shown.length > 400 ? `${shown.slice(0, 400)}…` : shown || '(empty body)'}`;
}

/** Whether a Content-Type says JSON; parameters are allowed. */
export function isJsonType(contentType: unknown): boolean {
  return /^application\/(.+\+)?json\s*(;|$)/i.test(String(contentType ?? ''));
}
