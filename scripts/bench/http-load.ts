// Load on a server, from connections that each send one request after the other. A general client needs nearly as much CPU time as
// a bare server, and would often be the bottleneck; this one writes prepared requests, and reads as little of an answer as possible.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { Call } from './calls.ts';

interface Load {
  origin: string;
  calls: readonly Call[];
  /** The number of requests; the calls are repeated from the first when there are fewer. */
  amount: number;
  /** Default: 32. */
  connections?: number;
}

/** With more failures, the measurement would be one of refusals. */
const toleratedShare = 0.001;
const timeoutMs = 10_000;

/** Makes the calls, and returns the seconds that they took. Throws when too many were not answered with code 0. */
export async function sendLoad({ origin, calls, amount, connections = 32 }: Load): Promise<number> {
  const run: Run = { requests: calls.map((call) => requestOf(origin, call)), amount, sent: 0, failed: [] };
  const sockets = await Promise.all(Array.from({ length: connections }, () => open(origin)));
  const startedAt = performance.now();
  try {
    await Promise.all(sockets.map((socket) => sendAll(socket, run)));
  } finally {
    for (const socket of sockets) socket.destroy();
  }
  const seconds = (performance.now() - startedAt) / 1000;
  const { length } = run.failed;
  if (length <= amount * toleratedShare) return seconds;
  throw new Error(
    `${length} of ${amount} calls of ${calls[0]?.path} at ${origin} did not succeed, so nothing was measured; the first was answered:\n${run.failed[0]}`,
  );
}

interface Run {
  requests: readonly Buffer[];
  amount: number;
  sent: number;
  /** The texts of answers that are no success. */
  failed: string[];
}

function requestOf(origin: string, { method, path, headers, body = '' }: Call): Buffer {
  const all = { host: new URL(origin).host, ...headers, 'content-length': Buffer.byteLength(body) };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`);
}

async function open(origin: string): Promise<Socket> {
  const { hostname, port } = new URL(origin);
  const socket = connect(Number(port), hostname).setNoDelay(true);
  await once(socket, 'connect');
  return socket;
}

/** Sends one request after the other, until none is left. */
function sendAll(socket: Socket, run: Run): Promise<void> {
  return new Promise((resolve, reject) => {
    let text = '';
    const next = () => {
      const request = run.requests[run.sent % run.requests.length];
      if (run.sent++ < run.amount && request) socket.write(request);
      else resolve();
    };
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      if (!isWhole(text)) return;
      if (!isSuccess(text)) run.failed.push(text);
      text = '';
      next();
    });
    socket.once('close', () =>
      reject(new Error(`a connection was closed in the middle of an answer: ${text}`)),
    );
    socket.setTimeout(timeoutMs, () =>
      reject(new Error(`no complete answer came within ${timeoutMs / 1000} s, only this part: ${text}`)),
    );
    next();
  });
}

/** An answer without Content-Length never counts as whole, and ends in the timeout. */
function isWhole(text: string): boolean {
  const end = text.indexOf('\r\n\r\n');
  if (end === -1) return false;
  const [, length] = /\r\ncontent-length: (\d+)\r\n/i.exec(text) ?? [];
  return length !== undefined && text.length >= end + 4 + Number(length);
}

function isSuccess(text: string): boolean {
  return /^HTTP\/1\.1 2/.test(text) && text.includes('"code":0,');
}
