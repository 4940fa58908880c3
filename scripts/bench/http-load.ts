// Load on a server, from connections that each send one request after the other. Clients made for every purpose take nearly as
// much CPU time as a bare server does, and would often be what is measured; this one writes requests that were made ready before,
// and reads of an answer only what it must.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { Call } from './calls.ts';

export interface Load {
  origin: string;
  calls: readonly Call[];
  /** Requests in all; the calls are made again from the first when there are fewer. */
  amount: number;
}

const connections = 32;
/** More than one in a thousand, and what is measured are refusals. */
const toleratedShare = 0.001;
const timeoutMs = 10_000;

/** Makes the calls, and gives the seconds that it took. Throws where they were not answered with code 0. */
export async function sendLoad({ origin, calls, amount }: Load): Promise<number> {
  const run: Run = { requests: calls.map((call) => requestOf(origin, call)), amount, sent: 0, failed: [] };
  const sockets = await Promise.all(Array.from({ length: connections }, () => open(origin)));
  const startedAt = performance.now();
  try {
    await Promise.all(sockets.map((socket) => work(socket, run)));
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
  /** Answers other than those of success. */
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

/** Takes one request after the other, until none is left. */
function work(socket: Socket, run: Run): Promise<void> {
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
    socket.once('close', () => reject(new Error(`a connection was closed after this of an answer: ${text}`)));
    socket.setTimeout(timeoutMs, () =>
      reject(new Error(`no complete answer came within ${timeoutMs / 1000} s, only this of one: ${text}`)),
    );
    next();
  });
}

/** Answers that don't say how long they are look unfinished, and end in the timeout. */
function isWhole(text: string): boolean {
  const end = text.indexOf('\r\n\r\n');
  if (end === -1) return false;
  const [, length] = /\r\ncontent-length: (\d+)\r\n/i.exec(text) ?? [];
  return length !== undefined && text.length >= end + 4 + Number(length);
}

function isSuccess(text: string): boolean {
  return /^HTTP\/1\.1 2/.test(text) && text.includes('"code":0,');
}
