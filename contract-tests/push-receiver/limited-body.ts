// How a receiver takes bodies: none that is too long, and none that takes too long.
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';

/** The longest body that is read, in bytes. */
export const longestBody = 8_000_000;

/** How long a request may take to arrive completely, in milliseconds. */
const arrivalMs = 30_000;

/** How long a sender of too much may go on until it sees the answer, in milliseconds. */
const lingerMs = 10_000;

/** A server that answers 408 to a request which does not arrive in time, and does not invite bodies that are too long. */
export function createReceivingServer(listener: RequestListener, requestTimeout = arrivalMs): Server {
  const timing = {
    requestTimeout,
    headersTimeout: requestTimeout,
    connectionsCheckingInterval: Math.min(1_000, requestTimeout),
  };
  const server = createServer(timing, listener);
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    if (!isAnnouncedOver(request, longestBody)) response.writeContinue();
    listener(request, response);
  });
  return server;
}

export type LimitedBody = Buffer | 'too-long' | 'broken-off';

/** The bytes that all bodies together may still take, those that are on their way included. */
export interface Room {
  left: number;
}

/** Reads a body, which takes its bytes of the room. One that is too long, alone or with the others, has been answered with 413 when this returns. */
export function readLimitedBody(
  request: IncomingMessage,
  response: ServerResponse,
  room: Room = { left: longestBody },
): Promise<LimitedBody> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const giveBack = () => {
      room.left += length;
      length = 0;
      chunks.length = 0;
    };
    const refuse = () => {
      request.off('data', take);
      giveBack();
      answerTooLong(request, response);
      resolve('too-long');
    };
    const take = (chunk: Buffer) => {
      length += chunk.length;
      room.left -= chunk.length;
      if (length > longestBody || room.left < 0) refuse();
      else chunks.push(chunk);
    };
    request.on('error', () => {
      giveBack();
      resolve('broken-off');
    });
    if (isAnnouncedOver(request, Math.min(longestBody, room.left))) return refuse();
    request.on('data', take);
    request.on('end', () => resolve(Buffer.concat(chunks)));
  });
}

function isAnnouncedOver({ headers }: IncomingMessage, limit: number): boolean {
  return Number(headers['content-length'] ?? 0) > limit;
}

/** The whole answer is sent at once, and the connection ended later: a sender that is cut off while it sends would not see the answer. */
function answerTooLong(request: IncomingMessage, response: ServerResponse): void {
  const message = `this receiver reads no body of more than ${longestBody} bytes`;
  const body = JSON.stringify({ error: 'too-large', message });
  response.writeHead(413, {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
    Connection: 'close',
  });
  response.write(body);
  const timer = setTimeout(() => response.end(), lingerMs).unref();
  request.on('close', () => {
    clearTimeout(timer);
    response.end();
  });
  request.on('end', () => response.end());
  request.resume();
}
