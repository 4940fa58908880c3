// Sends one push and says what came of it. Every push has a connection of its own; redirects are not followed.
import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer, Answered, Silence } from './push-answer.ts';
import { headerText, type Push, type Transport } from './sent-push.ts';

interface SendOptions {
  url: string;
  timeoutMs: number;
  signal: AbortSignal;
}

/** The most of an answer's body that is kept, in characters. */
const mostKept = 65_536;

/** Sends a push. Never throws. */
export async function sendPush(push: Push, { url, timeoutMs, signal }: SendOptions): Promise<Answer> {
  if (signal.aborted) return silence('the run was interrupted', 0);
  const startedAt = performance.now();
  const ms = () => Math.round(performance.now() - startedAt);
  const late = AbortSignal.timeout(timeoutMs);
  const request = open(push, url);
  let isConnected = false;
  request.once('socket', (socket) =>
    socket.once('connect', () => {
      isConnected = true;
    }),
  );
  const stop = () => request.destroy();
  const either = AbortSignal.any([late, signal]);
  either.addEventListener('abort', stop, { once: true });
  try {
    const answered = receive(request);
    const all = [write(request, push), answered];
    if (push.transport?.leave) {
      await Promise.allSettled(all);
      return silence('the connection was left before an answer came', ms());
    }
    await Promise.all(all);
    return { ...(await answered), ms: ms() };
  } catch (error) {
    if (!late.aborted) return silenceOf(error, ms());
    return { ...silence(`none within ${timeoutMs / 1_000} s`, ms()), how: isConnected ? 'late' : 'gone' };
  } finally {
    either.removeEventListener('abort', stop);
    request.destroy();
  }
}

function open({ method, headers, body, transport = {} }: Push, url: string): ClientRequest {
  const target = new URL(url);
  const length: [string, string] = transport.chunked
    ? ['Transfer-Encoding', 'chunked']
    : ['Content-Length', String(body.bytes.length)];
  const all = [
    ['Host', target.host],
    ...headers.map(([name, value]) => [name, headerText(value)] as const),
    length,
    ...(transport.expectContinue ? [['Expect', '100-continue'] as const] : []),
    ['Connection', 'close'],
  ];
  const send = target.protocol === 'https:' ? httpsRequest : httpRequest;
  const request = send(target, { method, headers: all.flat(), agent: false });
  request.setNoDelay(true);
  return request;
}

/** An answer may come before all is sent, or while nothing is sent. */
function receive(request: ClientRequest): Promise<Omit<Answered, 'ms'>> {
  return new Promise((resolve, reject) => {
    // After the head of an answer, what becomes of the connection is the answer's matter.
    let isHeard = false;
    request.on('error', (error) => !isHeard && reject(error));
    request.on('close', () => !isHeard && reject(new Error('closed')));
    request.on('response', (response) => {
      isHeard = true;
      let text = '';
      // A status is an answer, whatever becomes of the rest.
      const done = () => resolve({ kind: 'answered', text, ...headOf(response) });
      response.setEncoding('utf8').on('data', (part: string) => {
        if (text.length < mostKept) text += part;
      });
      response.on('end', done).on('error', done).on('close', done);
    });
  });
}

function headOf({ statusCode = 0, headers }: IncomingMessage) {
  return { status: statusCode, retryAfter: headers['retry-after'] };
}

/** How long it is waited for leave to send the body, as curl does. */
const continueMs = 1_000;

async function write(request: ClientRequest, { body, transport = {} }: Push): Promise<void> {
  if (transport.expectContinue) await leaveToSend(request);
  for (const piece of piecesOf(body.bytes, transport)) {
    if (request.destroyed) return;
    if (transport.pauseMs) await sleep(transport.pauseMs);
    // In one go with the end of the push: a receiver may answer and close before it has read all, and then what is written later fails.
    const written = flushed(request, piece);
    if (transport.pauseMs || transport.leave) await written;
  }
  if (transport.leave) request.destroy();
  else request.end();
}

function piecesOf(bytes: Buffer, { pieces = 1, leave, chunked }: Transport): Buffer[] {
  const sent = leave === 'half' ? bytes.subarray(0, bytes.length >> 1) : bytes;
  const count = chunked ? Math.max(2, pieces) : pieces;
  const size = Math.max(1, Math.ceil(sent.length / count));
  return Array.from({ length: Math.ceil(sent.length / size) }, (_, at) =>
    sent.subarray(at * size, (at + 1) * size),
  );
}

/** An error of the connection comes by its event, and with it the end of waiting. */
function flushed(request: ClientRequest, piece: Buffer): Promise<void> {
  return new Promise((resolve) => {
    request.once('close', resolve);
    request.write(piece, () => {
      request.off('close', resolve);
      resolve();
    });
  });
}

function leaveToSend(request: ClientRequest): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, continueMs);
    for (const event of ['continue', 'response', 'close'])
      request.once(event, () => {
        clearTimeout(timer);
        resolve();
      });
    request.flushHeaders();
  });
}

function silence(reason: string, ms: number): Silence {
  return { kind: 'silence', reason, how: 'closed', ms };
}

const causes: Readonly<Record<string, { reason: string; isGone?: boolean }>> = {
  ECONNREFUSED: { reason: 'the connection was refused', isGone: true },
  ENOTFOUND: { reason: 'the host is unknown', isGone: true },
  EAI_AGAIN: { reason: 'the host could not be looked up', isGone: true },
  EHOSTUNREACH: { reason: 'there is no way to the host', isGone: true },
  ENETUNREACH: { reason: 'there is no way to the host', isGone: true },
  ETIMEDOUT: { reason: 'nobody took the connection', isGone: true },
  ECONNRESET: { reason: 'the connection was closed without one' },
  EPIPE: { reason: 'the connection was closed while the body was sent' },
};

function silenceOf(error: unknown, ms: number): Silence {
  const { code = '', message } = error as NodeJS.ErrnoException;
  const known = causes[code];
  const isBadTls = /CERT|SSL|TLS/.test(code);
  const reason =
    known?.reason ?? (message === 'closed' ? 'the connection was closed without one' : `${message} ${code}`);
  return { kind: 'silence', reason: reason.trim(), how: (known?.isGone ?? isBadTls) ? 'gone' : 'closed', ms };
}
