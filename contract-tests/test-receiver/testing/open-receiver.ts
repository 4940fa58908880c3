// Receivers in this process: what they decide is handed in.
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';

/** A push as a receiver sees it. */
export interface Seen {
  method: string;
  headers: IncomingHttpHeaders;
  rawHeaders: readonly string[];
  body: Buffer;
  /** The first part of the body that came. */
  firstPart: Buffer;
}

/** A status, or a status and a text. */
export type Decision = number | readonly [status: number, text: string];

/** Decides the answer. What it throws ends the connection, as an exception that nobody catches does. */
export type Decide = (seen: Seen, secret: string) => Decision | Promise<Decision>;

export interface Manners {
  secret: string;
  /** Whether an exception ends the whole receiver, as it does in a process without a net. */
  isFragile?: boolean;
  /** Whether pushes are taken one at a time, from their first byte on. */
  isSerial?: boolean;
}

export interface OpenReceiver extends AsyncDisposable {
  url: string;
}

/** Starts a receiver on a free port. */
export async function openReceiver(decide: Decide, manners: Manners): Promise<OpenReceiver> {
  const server = createServer();
  let turn: Promise<void> = Promise.resolve();
  server.on('request', (request, response) => {
    const before = manners.isSerial ? turn : Promise.resolve();
    turn = answer(before, { server, decide, manners, request, response });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', 1_000, resolve);
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/hook`, [Symbol.asyncDispose]: () => end(server) };
}

interface Around {
  server: Server;
  decide: Decide;
  manners: Manners;
  request: IncomingMessage;
  response: ServerResponse;
}

async function answer(before: Promise<void>, around: Around): Promise<void> {
  const { server, decide, manners, request, response } = around;
  await before;
  try {
    const decision = await decide(await see(request), manners.secret);
    const [status, text] = typeof decision === 'number' ? [decision, ''] : decision;
    response.writeHead(status).end(text);
  } catch {
    request.socket.destroy();
    if (manners.isFragile) await end(server);
  }
}

async function see(request: IncomingMessage): Promise<Seen> {
  const { method = '', headers, rawHeaders } = request;
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return { method, headers, rawHeaders, body: Buffer.concat(parts), firstPart: parts[0] ?? Buffer.of() };
}

async function end(server: Server): Promise<void> {
  if (!server.listening) return;
  await new Promise((resolve) => {
    server.close(resolve);
    server.closeAllConnections();
  });
}
