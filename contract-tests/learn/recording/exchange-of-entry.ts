// One entry of a HAR file as an exchange, as browsers and mitmproxy save them.
import { isObject, type Json } from '../../../openapi/json.ts';
import { measureJson, mostLevels, mostValues, parseExactly } from '../../core/parse-json.ts';
import type { RecordedExchange } from './recorded-exchange.ts';

/** Why a request of a recording is no call of an API. */
export type NoCall = 'preflight' | 'redirect' | 'websocket' | 'unanswered' | 'not an http request';

interface ReadEntry {
  /** What the entry holds; undefined where it has no address. */
  exchange: RecordedExchange | undefined;
  /** Why it is no call of an API; undefined where it is one. */
  noCall: NoCall | undefined;
}

/** What is missing or odd in an entry is taken for absent. */
export function readEntry(entry: unknown, place: string): ReadEntry {
  const {
    request,
    response,
    _resourceType: type,
    _webSocketMessages: frames,
    startedDateTime,
  } = objectOf(entry);
  const { method, url, headers, postData } = objectOf(request);
  const { status: statusText, content, headers: answerHeaders } = objectOf(response);
  // Some tools that convert recordings write it as a text.
  const status = Number(statusText ?? Number.NaN);
  if (typeof url !== 'string' || typeof method !== 'string' || !URL.canParse(url))
    return { exchange: undefined, noCall: type === 'websocket' ? 'websocket' : 'not an http request' };
  const requestHeaders = Object.fromEntries(headersOf(headers));
  const text = textOf(content);
  const isWebSocket = type === 'websocket' || status === 101;
  const exchange: RecordedExchange = {
    method: method.toUpperCase(),
    url,
    requestHeaders,
    ...requestBodyOf(objectOf(postData), requestHeaders['content-type']),
    ...(isWebSocket && { requestBody: sentIn(frames), bodyType: 'json' }),
    status: status === 304 ? 200 : status,
    answer: readJson(text),
    isWithoutBody: text === undefined || text === '',
    setCookies: headersOf(answerHeaders).flatMap(([name, value]) => (name === 'set-cookie' ? [value] : [])),
    size: (text?.length ?? 0) + (textOf(postData)?.length ?? 0),
    startedAt: Date.parse(String(startedDateTime)) || 0,
    place,
  };
  const noCall = isWebSocket
    ? 'websocket'
    : isHttp(url)
      ? whyNoCall({ method, status })
      : 'not an http request';
  return { exchange, noCall };
}

/** As Chrome writes the messages of a WebSocket. */
function sentIn(frames: unknown): unknown[] {
  if (!Array.isArray(frames)) return [];
  return frames.map(objectOf).flatMap(({ type, data }) => (type === 'send' ? [data] : []));
}

/** Why a request is no call of an API; undefined where it may be one. */
function whyNoCall({ method, status }: { method: string; status: number }): NoCall | undefined {
  if (!Number.isInteger(status)) return 'unanswered';
  if (method.toUpperCase() === 'OPTIONS') return 'preflight';
  if (status < 200) return 'unanswered';
  return status >= 300 && status < 400 && status !== 304 ? 'redirect' : undefined;
}

function objectOf(value: unknown): Json {
  return isObject(value) ? value : {};
}

function isHttp(url: string): boolean {
  return /^https?:/i.test(url) && URL.canParse(url);
}

function headersOf(headers: unknown): [name: string, value: string][] {
  if (!Array.isArray(headers)) return [];
  return headers.map(objectOf).flatMap(({ name, value }): [string, string][] => {
    return typeof name === 'string' && typeof value === 'string' ? [[name.toLowerCase(), value]] : [];
  });
}

/** A body as text; Firefox leaves out what is long, Chrome what is binary or gone. */
function textOf(content: unknown): string | undefined {
  const { text, encoding } = objectOf(content);
  if (typeof text !== 'string') return undefined;
  return encoding === 'base64' ? Buffer.from(text, 'base64').toString() : text;
}

type Body = Pick<RecordedExchange, 'requestBody' | 'bodyType' | 'otherBody'>;

function requestBodyOf(postData: Json, contentType: string | undefined): Body {
  const text = textOf(postData);
  const { params } = postData;
  return readRequestBody(text, String(postData.mimeType ?? contentType ?? ''), params);
}

/** A body as it was sent, or its fields alone. */
export function readRequestBody(text: string | undefined, type: string, params?: unknown): Body {
  const json = readJson(text);
  if (json !== undefined) return { requestBody: json, bodyType: 'json' };
  const isForm = /^application\/x-www-form-urlencoded/i.test(type);
  if (Array.isArray(params) && params.length > 0)
    return { requestBody: Object.fromEntries(paramsOf(params)), bodyType: 'form' };
  if (!text) return { requestBody: undefined, bodyType: undefined };
  if (isForm) return { requestBody: Object.fromEntries(new URLSearchParams(text)), bodyType: 'form' };
  if (/^multipart\/form-data/i.test(type))
    return { requestBody: Object.fromEntries(partsOf(text)), bodyType: 'form' };
  return { requestBody: undefined, bodyType: 'other', otherBody: text };
}

/** The fields of a multipart body; of a file, its name. */
function partsOf(text: string): [string, string][] {
  const parts = text.slice(0, longestBody).split(/\r?\n--|^--/);
  return parts.flatMap((part): [string, string][] => {
    const [, head = '', value = ''] = /^([\s\S]*?)\r?\n\r?\n([\s\S]*)$/.exec(part) ?? [];
    const [, name] = /[;\s]name="([^"]*)"/i.exec(head) ?? [];
    const [, file] = /filename="([^"]*)"/i.exec(head) ?? [];
    if (name === undefined) return [];
    return file === undefined ? [[name, value]] : [['file_name', file]];
  });
}

function paramsOf(params: readonly unknown[]): [string, string][] {
  return params.map(objectOf).map(({ name, value }) => [String(name), String(value ?? '')]);
}

/** Longer bodies are no answers of an API that anybody reads, in characters. */
const longestBody = 4_194_304;

/** The value of a JSON text of bearable length and depth. */
export function readJson(text: string | undefined): unknown {
  if (text === undefined || text.length > longestBody) return undefined;
  const { levels, values } = measureJson(text);
  return levels > mostLevels || values > mostValues
    ? undefined
    : parseExactly(text.replace(/^\u{feff}/u, ''));
}
