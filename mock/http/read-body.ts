// The pipeline reads bodies itself: Fastify would read a body before the checks that need none, such as authentication.
import { isUtf8 } from 'node:buffer';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { readLongJson } from '../world/long-ids.ts';
import {
  type ApiError,
  bodyTooLarge,
  invalidRequest,
  malformedJson,
  malformedRequest,
  requestTimeout,
  unsupportedMediaType,
} from './api-errors.ts';

/** In bytes. */
export const bodyLimit = 1_048_576;

/** The most members and items of a body; the interface document sets no limit. */
const valueLimit = 50_000;

/** The deepest nesting of a body: JSON.stringify and copying overflow the stack at some thousand levels. */
const levelLimit = 1000;

/** `value` is undefined for an empty body; `problem` says why a body can't be parsed. */
export interface Body {
  value?: unknown;
  /** As received; absent if the body was not decoded. */
  text?: string;
  problem?: ApiError;
}

/** `failure` says why the body did not arrive completely. */
export interface Read extends Body {
  failure?: ApiError;
}

export function receiveBody(
  request: { required: boolean } | undefined,
  message: IncomingMessage,
  done: (read: Read) => void,
): void {
  if (!request) {
    done({});
    return;
  }
  receive(message, bodyLimit, (bytes, failure) =>
    done(failure ? { failure } : readBytes(bytes, message.headers, request.required)),
  );
}

function readBytes(bytes: Buffer, headers: IncomingHttpHeaders, isRequired: boolean): Body {
  if (bytes.length > bodyLimit) return { problem: bodyTooLarge(bodyLimit) };
  if (bytes.length > 0) return parseBody(bytes, headers, valueLimit);
  return isRequired ? { problem: invalidRequest([{ at: '', expected: 'a JSON object; it is empty' }]) } : {};
}

export function receiveBytes(message: IncomingMessage, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) =>
    receive(message, limit, (bytes, failure) => (failure ? reject(failure) : resolve(bytes))),
  );
}

const noBytes = Buffer.alloc(0);

/** Discards what exceeds the limit: a client that is cut off while sending would never see the answer. */
function receive(
  message: IncomingMessage,
  limit: number,
  done: (bytes: Buffer, failure?: ApiError) => void,
): void {
  let chunks: Buffer[] = [];
  let length = 0;
  let isDone = false;
  /** In bytes; a body that arrives in one chunk of this length is complete, and need not be counted. */
  const announced = Number(message.headers['content-length']);
  const end = (bytes: Buffer, failure?: ApiError) => {
    if (isDone) return;
    isDone = true;
    forgetArriving(giveUp);
    done(bytes, failure);
  };
  const giveUp = (failure: ApiError) => {
    chunks = [];
    // From here on, chunks are discarded.
    length = Number.POSITIVE_INFINITY;
    end(noBytes, failure);
  };
  // Events, since async iteration over the message takes as long as the rest of the pipeline.
  message.on('data', (chunk: Buffer) => {
    if (length <= limit) {
      chunks.push(chunk);
      if (chunk.length !== announced) countArriving(giveUp, chunk.length);
    }
    length += chunk.length;
  });
  message.on('end', () => end(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)));
  message.on('error', () => giveUp(malformedRequest('the body is shorter than announced')));
}

export function parseBody(
  bytes: Buffer,
  headers: IncomingHttpHeaders,
  mostValues = Number.POSITIVE_INFINITY,
): Body {
  const declared = mediaTypeProblem(headers);
  if (declared) return { problem: declared };
  if (!isUtf8(bytes)) return { problem: malformedJson('it is not UTF-8') };
  const text = bytes.toString();
  // A shorter text can exceed neither limit.
  if (text.length > Math.min(mostValues, 2 * levelLimit)) {
    const { values, levels } = measureJson(text);
    if (values > mostValues) return { problem: bodyTooLarge(mostValues, 'values'), text };
    if (levels > levelLimit) return { problem: bodyTooLarge(levelLimit, 'levels'), text };
  }
  try {
    return { value: JSON.parse(readLongJson(text)), text };
  } catch (error) {
    return { problem: malformedJson(placeOf(error)), text };
  }
}

const jsonMediaType = /^application\/([\w.!#$&^-]+\+)?json *(;|$)/i;

function mediaTypeProblem(headers: IncomingHttpHeaders): ApiError | undefined {
  const { 'content-type': type = 'nothing', 'content-encoding': encoding = 'identity' } = headers;
  if (type !== 'application/json' && !jsonMediaType.test(type)) return unsupportedMediaType(type);
  return encoding === 'identity' ? undefined : unsupportedMediaType(`${type} in the encoding ${encoding}`);
}

/** Returns only the position, since the parser's message may quote the body, which may contain a password. */
function placeOf(error: unknown): string {
  const place =
    error instanceof Error
      ? /at position \d+ \(line \d+ column \d+\)|Unexpected end/.exec(error.message)?.[0]
      : undefined;
  return place === 'Unexpected end' ? 'it ends too early' : `syntax error ${place ?? 'near its beginning'}`;
}

/** In bytes; more than the largest body, which is a snapshot of a world. */
export const arrivingBound = 96_000_000;

type GiveUp = (problem: ApiError) => void;

const pushedOut = 'too many large requests arrive at once; send this one again';

const arriving = new Map<GiveUp, number>();
let total = 0;

/** Over the bound, gives up the bodies that began first: fast ones have already finished. */
export function countArriving(giveUp: GiveUp, bytes: number): void {
  arriving.set(giveUp, (arriving.get(giveUp) ?? 0) + bytes);
  total += bytes;
  for (const oldest of arriving.keys()) {
    if (total <= arrivingBound) return;
    forgetArriving(oldest);
    oldest(requestTimeout(pushedOut));
  }
}

export function forgetArriving(giveUp: GiveUp): void {
  total -= arriving.get(giveUp) ?? 0;
  arriving.delete(giveUp);
}

/** Returns upper bounds without parsing, which may take 200 bytes of memory per value; `values` counts members, items and containers. */
export function measureJson(text: string): { values: number; levels: number } {
  let [values, levels, level] = [0, 0, 0];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) at = endOfString(text, at);
    else if (code === comma) values++;
    else if (code === bracket || code === brace) {
      values++;
      level++;
      if (level > levels) levels = level;
    } else if (code === endBracket || code === endBrace) level--;
  }
  return { values, levels };
}

const [quote, comma, bracket, endBracket] = [0x22, 0x2c, 0x5b, 0x5d];
const [brace, endBrace, backslash] = [0x7b, 0x7d, 0x5c];

function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) return at;
    if (code === backslash) at++;
  }
  return text.length;
}
