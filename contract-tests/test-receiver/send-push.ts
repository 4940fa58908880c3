import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer, Answered, Silence } from './push-answer.ts';
import { cutBody, headerText, inTwo, type SentPush, type Transport } from './sent-push.ts';

interface SendOptions {
  url: string;
  timeoutMs: number;
  /** The time limit for the body of the answer after its head, in milliseconds. */
  bodyMs: number;
  signal: AbortSignal;
}

/** The most that is read of an answer's body, in characters. */
const maxTextLength = 65_536;

/** Sends a push over a new connection, without following redirects. Never throws. */
export async function sendPush(
  push: SentPush,
  { url, timeoutMs, bodyMs, signal }: SendOptions,
): Promise<Answer> {
  if (signal.aborted) return silence('the run was interrupted', 0);
  const startedAt = performance.now();
  const ms = () => Math.round(performance.now() - startedAt);
  const late = AbortSignal.timeout(timeoutMs);
  const request = openRequest(push, url);
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
    const answered = receiveAnswer(request, bodyMs);
    const all = [writeBody(request, push), answered];
    if (push.transport?.hangUp) {
      await Promise.allSettled(all);
      return silence('the suite closed the connection before an answer arrived', ms());
    }
    await Promise.all(all);
    return { ...(await answered), ms: ms() };
  } catch (error) {
    if (!late.aborted) return silenceOf(error, ms());
    return {
      ...silence(`none within ${timeoutMs / 1_000} s`, ms()),
      how: isConnected ? 'late' : 'unconnected',
    };
  } finally {
    either.removeEventListener('abort', stop);
    request.destroy();
  }
}

function openRequest({ method, headers, body, transport = {} }: SentPush, url: string): ClientRequest {
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

/** The answer may arrive before everything is sent. */
function receiveAnswer(request: ClientRequest, bodyMs: number): Promise<Omit<Answered, 'ms'>> {
  return new Promise((resolve, reject) => {
    // After the status, connection errors no longer matter.
    let hasStatus = false;
    request.on('error', (error) => !hasStatus && reject(error));
    request.on('close', () => !hasStatus && reject(new Error('closed')));
    request.on('response', (response) => {
      hasStatus = true;
      let text = '';
      const done = () => {
        clearTimeout(timer);
        resolve({ kind: 'answered', text, isUnended: !response.readableEnded, ...headOf(response) });
      };
      const timer = setTimeout(done, bodyMs);
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part.slice(0, maxTextLength - text.length);
        if (text.length >= maxTextLength) done();
      });
      response.on('end', done).on('error', done).on('close', done);
    });
  });
}

function headOf({ statusCode = 0, headers }: IncomingMessage) {
  return { status: statusCode, retryAfter: headers['retry-after'] };
}

/** Sends the body without 100 Continue after this time, as curl does. */
const continueMs = 1_000;

async function writeBody(request: ClientRequest, { body, transport = {} }: SentPush): Promise<void> {
  if (transport.expectContinue) await waitForContinue(request);
  for (const part of partsOf(body.bytes, transport)) {
    if (request.destroyed) return;
    if (transport.pauseMs) await sleep(transport.pauseMs);
    // Do not wait before `end`: the receiver may answer and close early, and a later write would fail.
    const written = flushed(request, part);
    if (transport.pauseMs || transport.hangUp) await written;
  }
  if (transport.hangUp) request.destroy();
  else request.end();
}

function partsOf(bytes: Buffer, { cut, hangUp, chunked }: Transport): Buffer[] {
  if (hangUp === 'half') return cutBody(bytes, inTwo).slice(0, 1);
  if (cut) return cutBody(bytes, cut);
  return chunked ? cutBody(bytes, inTwo) : [bytes];
}

/** Settles when the part is sent or the connection is closed. */
function flushed(request: ClientRequest, part: Buffer): Promise<void> {
  return new Promise((resolve) => {
    request.once('close', resolve);
    request.write(part, () => {
      request.off('close', resolve);
      resolve();
    });
  });
}

function waitForContinue(request: ClientRequest): Promise<void> {
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

const causes: Readonly<Record<string, { reason: string; isUnreachable?: boolean }>> = {
  ECONNREFUSED: { reason: 'the connection was refused', isUnreachable: true },
  ENOTFOUND: { reason: 'the host is unknown', isUnreachable: true },
  EAI_AGAIN: { reason: 'the host could not be resolved', isUnreachable: true },
  EHOSTUNREACH: { reason: 'there is no route to the host', isUnreachable: true },
  ENETUNREACH: { reason: 'there is no route to the host', isUnreachable: true },
  ETIMEDOUT: { reason: 'the connection timed out', isUnreachable: true },
  ECONNRESET: { reason: 'the connection was closed' },
  EPIPE: { reason: 'the connection was closed while the body was sent' },
};

function silenceOf(error: unknown, ms: number): Silence {
  const { code = '', message } = error as NodeJS.ErrnoException;
  const known = causes[code];
  const isBadTls = /CERT|SSL|TLS/.test(code);
  const reason = known?.reason ?? (message === 'closed' ? 'the connection was closed' : `${message} ${code}`);
  return {
    kind: 'silence',
    reason: reason.trim(),
    how: (known?.isUnreachable ?? isBadTls) ? 'unreachable' : 'closed',
    ms,
  };
}
