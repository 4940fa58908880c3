// Pushes as they go over a socket, byte by byte.
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Started } from './targets.ts';

/** So long may a push stay on its way, in milliseconds: 30 s to arrive, and some to see the answer. */
const longestMs = 45_000;
const mostToOthersMs = 5_000;

type Bytes = string | Buffer;

/** What goes over the socket; it may have no end. */
type Pieces = (started: Started) => Iterable<Bytes> | AsyncIterable<Bytes>;

/** One push. */
export interface Push {
  name: string;
  pieces: Pieces;
  /** The statuses that refuse it, or take it. */
  answers: readonly number[];
}

/** No answer, the connection just closed: one that still sends may not see the answer. */
export const closed = 0;

/** Returns the status of the answer, or `closed`; undefined where the connection was left open. */
export async function send(started: Started, pieces: Pieces): Promise<number | undefined> {
  const socket = connect(started.port, '127.0.0.1').on('error', () => {});
  let answer = '';
  socket.on('data', (data: Buffer) => {
    answer = (answer + data.toString('latin1')).slice(0, 1_000);
  });
  const ended = new Promise((resolve) => socket.on('close', () => resolve('closed')));
  const sent = writeAll(socket, pieces(started));
  const how = await Promise.race([ended, sleep(longestMs, 'open', { ref: false })]);
  socket.destroy();
  await sent;
  if (how === 'open') return undefined;
  const [, status] = /^HTTP\/1\.1 ([2-5]\d\d) /m.exec(answer) ?? [];
  return status === undefined ? closed : Number(status);
}

async function writeAll(socket: Socket, pieces: Iterable<Bytes> | AsyncIterable<Bytes>): Promise<void> {
  for await (const piece of pieces) {
    if (!socket.writable) return;
    if (!socket.write(piece)) await untilDrained(socket);
  }
}

/** The head of a push, without its end. */
export function headOf({ path }: Started, ...headers: string[]): string {
  return [`POST ${path} HTTP/1.1`, 'Host: 127.0.0.1', 'Connection: close', ...headers, ''].join('\r\n');
}

/** Whether others are served meanwhile; what is wrong, or nothing. */
export async function serveOthers(started: Started): Promise<string[]> {
  const at = performance.now();
  try {
    const answer = await fetch(`http://127.0.0.1:${started.port}${started.path}`, {
      ...{ method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } },
      signal: AbortSignal.timeout(mostToOthersMs),
    });
    await answer.arrayBuffer();
    return answer.status < 500 ? [] : [`another push was answered with ${answer.status}`];
  } catch (error) {
    const after = ((performance.now() - at) / 1_000).toFixed(1);
    return [`another push was not answered: ${error} after ${after} s`];
  }
}

function untilDrained(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      socket.off('drain', go).off('close', go);
      resolve();
    };
    socket.on('drain', go).on('close', go);
    if (socket.destroyed) go();
  });
}
