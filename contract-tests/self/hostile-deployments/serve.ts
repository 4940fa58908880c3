// How a hostile deployment is written in a line or two: by its bytes, by its answers, or as a yes-man whose data is hostile.
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** A deployment that means harm. */
export interface Deployment {
  id: string;
  /** What it does, as the test says it. */
  does: string;
  start(): Promise<Started>;
  /** Whether commands listen for its pushes: what is not at an address of this machine is not expected to reach them, and not waited for. */
  isNear?: boolean;
  /** Set for the commands beside the usual settings. */
  environment?: Readonly<Record<string, string>>;
}

interface Started {
  scheme: 'http' | 'https';
  port: number;
  /** Resolves when somebody has connected. */
  visited: Promise<void>;
  close(): Promise<void>;
}

/** What a deployment does with a connection; called when the first bytes of a request are there. */
export type Peer = (socket: Socket) => void;

/** A deployment by what it writes on its connections. */
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

/** Writes a piece again and again, for as long as somebody listens. */
export function keepWriting(socket: Socket, piece: string | Buffer, everyMs: number): void {
  const write = () => void (socket.writable && socket.write(piece));
  write();
  const timer = setInterval(write, everyMs);
  socket.on('close', () => clearInterval(timer));
}

/** Writes as fast as it is read. */
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
  /** How many requests came before. */
  count: number;
}

/** A deployment by its answers. */
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

/** Answers with JSON. */
export function sendJson(
  response: ServerResponse,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  response.writeHead(200, { 'Content-Type': 'application/json', ...headers }).end(text);
}

/** All that the checks may ask for, in one answer of success. */
export function plentyOf(asked: Asked): Record<string, unknown> {
  const { url = 'http://127.0.0.1:9/', events = [], channel = 'custom' } = sentBy(asked);
  const id = 1_000 + asked.count;
  return {
    token: `tok-${'a1'.repeat(16)}-${asked.count}`,
    ...{ id, url, events, channel, version: asked.count, key: `sp_${'k1'.repeat(16)}${asked.count}` },
    ...{ list: [{ id, name: 'a site', url }], total: 1 },
  };
}

/** The members of the request's body. */
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

/** A deployment that says yes to everything, with data of its own. */
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
  const sockets = new Set<Socket>();
  const { promise: visited, resolve: visit } = Promise.withResolvers<void>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
    visit();
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    scheme,
    port,
    visited,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
