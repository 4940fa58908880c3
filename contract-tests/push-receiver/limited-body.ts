// Reads request bodies within limits of size and time.
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';

/** In bytes. */
export const longestBody = 8_000_000;

/** The time limit for a request to arrive completely, in milliseconds. */
const arrivalMs = 30_000;

/** The time for a sender to read the 413 before the connection closes, in milliseconds. */
const lingerMs = 10_000;

/** A server that answers 408 to slow requests and sends no 100 Continue for bodies that are too long. */
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

/** The bytes left for all bodies together, including those still arriving. */
export interface Room {
  left: number;
}

/** Reads a body and subtracts its size from `room`. Answers 413 to a body that exceeds either limit. */
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

/** Sends the answer at once but closes the connection later, because a sender that is still sending would not see the answer. */
function answerTooLong(request: IncomingMessage, response: ServerResponse): void {
  const message = `this receiver accepts bodies of up to ${longestBody} bytes`;
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
