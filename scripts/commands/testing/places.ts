// Addresses at which there is no service, or not the one that was meant.

import { createServer as createHttpServer } from 'node:http';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createServer as createTlsServer } from 'node:tls';
import { Worker } from 'node:worker_threads';

export interface Place {
  port: number;
  close(): Promise<void>;
}

/** A server that greets everybody with an alert of TLS, for it has no certificate. */
export function openTls(): Promise<Place> {
  return listen(createTlsServer({}).on('tlsClientError', () => {}));
}

/** A server with the same answer to everything. */
export function openPage(status: number, body: string, headers: Record<string, string> = {}): Promise<Place> {
  return listen(
    createHttpServer((request, response) => {
      request.resume();
      response.writeHead(status, headers).end(body);
    }),
  );
}

/** A server that takes requests and never answers. */
export function openSilent(): Promise<Place> {
  return listen(createHttpServer(() => {}));
}

/** A port that somebody has taken. */
export function takePort(): Promise<Place> {
  return listen(createServer((socket) => socket.destroy()));
}

/** A port at which nobody listens any more. */
export async function freePort(): Promise<number> {
  const place = await takePort();
  await place.close();
  return place.port;
}

/** A port at which no connection is opened, nor refused: its queue is full, and nobody takes from it. */
export async function openBlackHole(): Promise<Place> {
  const worker = new Worker(
    `const { parentPort } = require('node:worker_threads');
    const server = require('node:net').createServer();
    server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
      parentPort.postMessage(server.address().port);
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
    });`,
    { eval: true },
  );
  const port = await new Promise<number>((resolve) => {
    worker.once('message', resolve);
  });
  const sockets: Socket[] = Array.from({ length: 4 }, () => connect(port, '127.0.0.1').on('error', () => {}));
  await sleep(300);
  return {
    port,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await worker.terminate();
    },
  };
}

async function listen(server: Server): Promise<Place> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => sockets.add(socket));
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (!address || typeof address === 'string') throw new Error('no port');
  return {
    port: address.port,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}
