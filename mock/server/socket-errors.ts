// Answers to what never becomes a request that Fastify sees: they are written to the socket by hand, in the envelope like all others.
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import {
  type ApiError,
  headerTooLarge,
  malformedRequest,
  methodNotAllowed,
  requestTimeout,
} from '../http/api-errors.ts';
import type { Answer } from '../http/render-envelope.ts';
import { refuseOutside } from '../request/pipeline.ts';
import type { Service } from '../service.ts';

/** How long a client may take to read the answer after which the connection ends. */
const lingerMs = 1000;

const apiMethods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Answers a request that Node could not read. */
export function answerUnreadable(service: Service, error: NodeJS.ErrnoException, socket: Duplex): void {
  // A client that has gone away gets no answer, and a socket that is ending has one.
  if (error.code === 'ECONNRESET' || !socket.writable) return;
  // What could not be read has neither a method nor a path.
  const answer = refuseOutside(service, problemOf(error), { method: '', url: '', headers: {} });
  endWith(service, socket, answer);
}

/** Answers CONNECT, which Node hands over as a bare socket. */
export function answerConnect(service: Service, path: string, socket: Duplex): void {
  // Nobody else listens on such a socket, and a reset would end the process.
  socket.on('error', () => socket.destroy());
  const refusal = methodNotAllowed('CONNECT', path, apiMethods);
  endWith(service, socket, refuseOutside(service, refusal, { method: 'CONNECT', url: path, headers: {} }));
}

function problemOf({ code }: NodeJS.ErrnoException): ApiError {
  if (code === 'HPE_HEADER_OVERFLOW') return headerTooLarge();
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return requestTimeout();
  return malformedRequest(`the request is not HTTP/1.1${code ? ` (${code})` : ''}`);
}

function endWith({ clock, httpDate }: Service, socket: Duplex, { status, headers, body }: Answer): void {
  const fields = Object.entries({
    ...headers,
    date: httpDate(clock.now()),
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  });
  const header = fields.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${header}\r\n${body}`);
  // Destroyed at once, a client that is still sending would see a reset and not the answer.
  setTimeout(() => socket.destroy(), lingerMs).unref();
}
