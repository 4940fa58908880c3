// The pipeline reads the body after the checks that need none; Fastify would read it before them.
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

/** The most members and items of a body. The document bounds neither these nor its size. */
const valueLimit = 50_000;

/** The deepest nesting of a body. What nests some thousand levels can't be copied or written as JSON. */
const levelLimit = 1000;

/** The JSON value of a body, undefined for an empty one, or why it can't be read. */
export interface Body {
  value?: unknown;
  /** As received, if it is UTF-8 and not too large. */
  text?: string;
  problem?: ApiError;
}

/** A body that was received, or why it did not arrive. */
export interface Read extends Body {
  failure?: ApiError;
}

/** Receives the body of a call; ignores it where there is to be none. */
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

/** The same as a promise. */
export function receiveBytes(message: IncomingMessage, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) =>
    receive(message, limit, (bytes, failure) => (failure ? reject(failure) : resolve(bytes))),
  );
}

const noBytes = Buffer.alloc(0);

/**
 * Past the limit the rest is read and discarded: a client that is cut off while sending would never see the answer.
 * Uses events, since iterating over the message would take as long as the rest of the pipeline.
 */
function receive(
  message: IncomingMessage,
  limit: number,
  done: (bytes: Buffer, failure?: ApiError) => void,
): void {
  let chunks: Buffer[] = [];
  let length = 0;
  let isDone = false;
  /** A body that comes in one piece need not be counted. */
  const announced = Number(message.headers['content-length']);
  const end = (bytes: Buffer, failure?: ApiError) => {
    if (isDone) return;
    isDone = true;
    forgetArriving(giveUp);
    done(bytes, failure);
  };
  const giveUp = (failure: ApiError) => {
    chunks = [];
    // The rest is read and discarded.
    length = Number.POSITIVE_INFINITY;
    end(noBytes, failure);
  };
  message.on('data', (chunk: Buffer) => {
    if (length <= limit) {
      chunks.push(chunk);
      if (chunk.length !== announced) countArriving(giveUp, chunk.length);
    }
    length += chunk.length;
  });
  message.on('end', () => end(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)));
  message.on('error', () => giveUp(malformedRequest('the body ended before its announced end')));
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
  // Shorter ones can't have as many.
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

/** The parser's message may quote the body, which may contain a password. */
function placeOf(error: unknown): string {
  const place =
    error instanceof Error
      ? /at position \d+ \(line \d+ column \d+\)|Unexpected end/.exec(error.message)?.[0]
      : undefined;
  return place === 'Unexpected end' ? 'it ends too early' : `syntax error ${place ?? 'near its beginning'}`;
}

/** In bytes; more than the longest body, a snapshot of a world. */
export const arrivingBound = 96_000_000;

type GiveUp = (problem: ApiError) => void;

const pushedOut = 'too many requests are on their way, and this one was among the oldest; send it again';

/** The bytes of bodies that are on their way, the oldest first. */
const arriving = new Map<GiveUp, number>();
let total = 0;

/** Counts what has arrived of a body. Over the bound the oldest ones are given up, since those that are finished soon are not among them. */
export function countArriving(giveUp: GiveUp, bytes: number): void {
  arriving.set(giveUp, (arriving.get(giveUp) ?? 0) + bytes);
  total += bytes;
  for (const oldest of arriving.keys()) {
    if (total <= arrivingBound) return;
    forgetArriving(oldest);
    oldest(requestTimeout(pushedOut));
  }
}

/** It is complete, or nobody waits for it any more. */
export function forgetArriving(giveUp: GiveUp): void {
  total -= arriving.get(giveUp) ?? 0;
  arriving.delete(giveUp);
}

/** How many members and items a JSON text has at most, each array and object counted as one more, and how deep they nest. Does not parse it, which may cost 200 bytes of memory a value. */
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
