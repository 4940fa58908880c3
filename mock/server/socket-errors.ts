// Answers to requests that never reach Fastify, written to the socket directly and in the envelope, too.
import type { Duplex } from 'node:stream';
import {
  type ApiError,
  headerTooLarge,
  malformedRequest,
  methodNotAllowed,
  requestTimeout,
} from '../http/api-errors.ts';
import type { Answer } from '../http/render-envelope.ts';
import { refuseOutside } from '../request/exchange.ts';
import type { Mock } from '../service.ts';

/** How long a connection stays open after its last answer was written. */
const lingerMs = 1000;

/** How long a client may take to read all its answers. */
const longestReadMs = 30_000;

const apiMethods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Answers a request that Node could not read. */
export function answerUnreadable(
  mock: Mock,
  error: NodeJS.ErrnoException,
  { socket, extra }: { socket: Duplex; extra: Readonly<Record<string, string>> },
): void {
  // The client has gone, or the socket has been answered and is ending.
  if (error.code === 'ECONNRESET' || !socket.writable) return;
  // An unreadable request has neither a method nor a path.
  const answer = refuseOutside(mock, problemOf(error), { method: '', url: '', headers: {} });
  endWith(mock, socket, { ...answer, headers: { ...answer.headers, ...extra } });
}

/** Answers CONNECT, for which Node passes a bare socket. */
export function answerConnect(mock: Mock, path: string, socket: Duplex): void {
  // Nothing else listens for errors of this socket, and an unhandled reset would end the process.
  socket.on('error', () => socket.destroy());
  const refusal = methodNotAllowed('CONNECT', path, apiMethods);
  endWith(mock, socket, refuseOutside(mock, refusal, { method: 'CONNECT', url: path, headers: {} }));
}

function problemOf({ code }: NodeJS.ErrnoException): ApiError {
  if (code === 'HPE_HEADER_OVERFLOW') return headerTooLarge();
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return requestTimeout();
  return malformedRequest(`the request is not HTTP/1.1${code ? ` (${code})` : ''}`);
}

function endWith({ clock, httpDate }: Mock, socket: Duplex, { status, headers, body }: Answer): void {
  const fields = Object.entries({
    ...headers,
    date: httpDate(clock.now()),
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  });
  const header = fields.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  // An import of node:http would also load what it has of WebSocket and fetch: a tenth of the start.
  const { STATUS_CODES } = process.getBuiltinModule('node:http');
  const destroyAfter = (ms: number) => setTimeout(() => socket.destroy(), ms).unref();
  // Not destroyed at once: a client that is still sending would see a reset instead of the answer.
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${header}\r\n${body}`, () =>
    destroyAfter(lingerMs),
  );
  destroyAfter(longestReadMs);
}
