// The pipeline reads the body after the checks that need none; Fastify would read it before them.
import { isUtf8 } from 'node:buffer';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Operation } from '../../openapi/operations.ts';
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

/** Receives the body of a call; ignores it when the operation has no body. */
export function receiveBody(
  { request }: Pick<Operation, 'request'>,
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

/** Receives the body of a call that may be of one of several operations: it may be empty if one of them has none. */
export function receiveSharedBody(
  routes: readonly { operation: Operation }[],
  message: IncomingMessage,
  done: (read: Read) => void,
): void {
  const operations = routes.map(({ operation }) => operation);
  const request = operations.find((operation) => operation.request)?.request;
  const required = operations.every((operation) => operation.request);
  if (request) receiveBody({ request: { ...request, required } }, message, done);
  else done({});
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
  let arriving: ArrivingBody | undefined;
  const end = (bytes: Buffer, failure?: ApiError) => {
    if (isDone) return;
    isDone = true;
    arriving?.end();
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
      if (chunk.length !== announced) {
        arriving ??= openArriving(giveUp);
        arriving.grow(chunk.length);
      }
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

interface ArrivingBody {
  /** Counts what has arrived. */
  grow(bytes: number): void;
  /** It is complete, or nobody waits for it any more. */
  end(): void;
}

interface Arriving {
  bytes: number;
  giveUp(problem: ApiError): void;
}

const pushedOut = 'too many requests are on their way, and this one was among the oldest; send it again';

/** Bodies that are on their way, the oldest first. */
const arriving = new Set<Arriving>();
let total = 0;

/** Counts a body until it ends. Over the bound the oldest ones are given up, since those that are finished soon are not among them. */
export function openArriving(giveUp: (problem: ApiError) => void): ArrivingBody {
  const own: Arriving = { bytes: 0, giveUp };
  arriving.add(own);
  return {
    grow(bytes) {
      if (!arriving.has(own)) return;
      own.bytes += bytes;
      total += bytes;
      for (const oldest of arriving) {
        if (total <= arrivingBound) return;
        forget(oldest);
        oldest.giveUp(requestTimeout(pushedOut));
      }
    },
    end: () => forget(own),
  };
}

function forget(body: Arriving): void {
  if (arriving.delete(body)) total -= body.bytes;
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
