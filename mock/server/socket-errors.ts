// CONNECT and requests that Node can't parse never reach Fastify, so their answers are written to the socket.
import type { IncomingMessage, ServerResponse } from 'node:http';
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

const lingerMs = 1000;

/** How long a client may take to read all its answers. */
const longestReadMs = 30_000;

const apiMethods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** The two latest answers of a connection; Node sends answers in the order of the requests. */
interface Answers {
  newest: ServerResponse;
  before: ServerResponse | undefined;
}

const answersOf = new WeakMap<Duplex, Answers>();

/** Records the answer to a readable request, since a refusal of what follows has to wait for it. */
export function noteAnswer({ socket }: IncomingMessage, response: ServerResponse): void {
  const answers = answersOf.get(socket);
  // The server of a named world notes the same request again.
  if (answers?.newest === response) return;
  if (answers) {
    answers.before = answers.newest;
    answers.newest = response;
  } else answersOf.set(socket, { newest: response, before: undefined });
}

/** Connections with an unreadable request: what follows it is ignored. */
const refused = new WeakSet<Duplex>();

export function answerUnreadable(
  mock: Mock,
  error: NodeJS.ErrnoException,
  { socket, extra }: { socket: Duplex; extra: Readonly<Record<string, string>> },
): void {
  if (error.code === 'ECONNRESET' || refused.has(socket)) return;
  refused.add(socket);
  const end = () => {
    // The client has disconnected, or the answer before ended the connection.
    if (!socket.writable) return;
    const answer = refuseOutside(mock, problemOf(error), { method: '', url: '', headers: {} });
    endWith(mock, socket, { ...answer, headers: { ...answer.headers, ...extra } });
  };
  const due = lastDue(socket);
  if (due) due.once('close', end);
  else end();
}

/** The last pending answer to an earlier request; an incomplete request is the unreadable one itself. */
function lastDue(socket: Duplex): ServerResponse | undefined {
  const { newest, before } = answersOf.get(socket) ?? {};
  const last = newest?.req.complete ? newest : before;
  return last?.writableFinished ? undefined : last;
}

export function answerConnect(mock: Mock, path: string, socket: Duplex): void {
  // Without a listener for errors, a reset of this socket would end the process.
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
  // Importing node:http would also load WebSocket and fetch: a tenth of the start-up time.
  const { STATUS_CODES } = process.getBuiltinModule('node:http');
  const destroyAfter = (ms: number) => {
    const timer = setTimeout(() => socket.destroy(), ms).unref();
    // The timer would retain unsent answers in memory.
    socket.once('close', () => clearTimeout(timer));
  };
  // Not destroyed at once: a client that is still sending would see a reset instead of the answer.
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${header}\r\n${body}`, () =>
    destroyAfter(lingerMs),
  );
  destroyAfter(longestReadMs);
}
