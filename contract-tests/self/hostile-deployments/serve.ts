// Builds hostile deployments from bytes, answers, or data of successful answers.
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer, type Server, type Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { listenTo } from '../../testing.ts';

export interface Deployment {
  id: string;
  /** Part of the test title. */
  does: string;
  start(): Promise<Started>;
  /** Uses a loopback address, so that commands start a receiver and wait for pushes. */
  isNear?: boolean;
  /** Additional variables for the commands. */
  environment?: Readonly<Record<string, string>>;
}

interface Started {
  scheme: 'http' | 'https';
  port: number;
  /** Resolves at the first connection. */
  visited: Promise<void>;
  close(): Promise<void>;
}

/** Called with a connection after the first bytes of a request. */
export type Peer = (socket: Socket) => void;

export function byBytes(id: string, does: string, peer: Peer, scheme: 'http' | 'https' = 'http'): Deployment {
  return {
    id,
    does,
    start: () =>
      listen(
        createServer((socket) => meet(socket, peer)),
        scheme,
      ),
  };
}

function meet(socket: Socket, peer: Peer): void {
  socket.on('error', () => socket.destroy());
  socket.once('data', () => {
    socket.resume();
    peer(socket);
  });
}

/** Repeats a piece until the connection closes. */
export function keepWriting(socket: Socket, piece: string | Buffer, everyMs: number): void {
  const write = () => void (socket.writable && socket.write(piece));
  write();
  const timer = setInterval(write, everyMs);
  socket.on('close', () => clearInterval(timer));
}

/** Writes as fast as the client reads. */
export function flood(socket: Socket, piece: string | Buffer): void {
  const fill = () => {
    while (socket.writable && socket.write(piece));
  };
  socket.on('drain', fill);
  fill();
}

export interface Asked {
  method: string;
  path: string;
  headers: IncomingMessage['headers'];
  body: string;
  /** Number of earlier requests. */
  count: number;
}

export function byAnswers(
  id: string,
  does: string,
  answer: (asked: Asked, response: ServerResponse) => void,
): Deployment {
  return { id, does, start: () => listen(answering(answer), 'http') };
}

function answering(answer: (asked: Asked, response: ServerResponse) => void): Server {
  let count = 0;
  return createHttpServer(async (request, response) => {
    response.on('error', () => {});
    try {
      const body = (await buffer(request)).toString();
      const { method = 'GET', url: path = '/', headers } = request;
      answer({ method, path, headers, body, count: count++ }, response);
    } catch {
      response.destroy();
    }
  });
}

export function sendJson(
  response: ServerResponse,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  response.writeHead(200, { 'Content-Type': 'application/json', ...headers }).end(text);
}

/** All values that checks may read. */
export function plentyOf(asked: Asked): Record<string, unknown> {
  const { url = 'http://127.0.0.1:9/', events = [], channel = 'custom' } = sentBy(asked);
  const id = 1_000 + asked.count;
  return {
    token: `tok-${'a1'.repeat(16)}-${asked.count}`,
    ...{ id, url, events, channel, version: asked.count, key: `sp_${'k1'.repeat(16)}${asked.count}` },
    ...{ list: [{ id, name: 'a site', url }], total: 1 },
  };
}

export function sentBy({ body }: Asked): Record<string, unknown> {
  try {
    const sent: unknown = JSON.parse(body);
    return typeof sent === 'object' && sent !== null ? { ...sent } : {};
  } catch {
    return {};
  }
}

export function success(data: unknown, trace: unknown = crypto.randomUUID()): Record<string, unknown> {
  return { code: 0, message: 'success', data, trace_id: trace };
}

/** Answers each request with success and additional data. */
export function yesMan(
  id: string,
  does: string,
  data: (asked: Asked) => Record<string, unknown>,
): Deployment {
  return byAnswers(id, does, (asked, response) =>
    sendJson(response, success({ ...plentyOf(asked), ...data(asked) })),
  );
}

async function listen(server: Server, scheme: 'http' | 'https'): Promise<Started> {
  const { promise: visited, resolve: visit } = Promise.withResolvers<void>();
  server.on('connection', (socket: Socket) => {
    socket.on('error', () => {});
    visit();
  });
  const { port, close } = await listenTo(server);
  return { scheme, port, visited, close };
}
