// The receiver of a discovery: takes every push on a path of its own, and answers as it is told, or not at all.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Moment } from '../clock.ts';
import { type Push, ReceiverError } from '../receiver.ts';

/** How a push is answered; "held" is never answered. */
export type Reply = { status: number; location?: string; body?: object } | 'held';

/** A push with the query of its address. */
export interface ArrivedPush extends Push {
  search: string;
}

export interface Listener {
  /** The address that a subscription is given for a path such as "/run/1". */
  urlOf(path: string): string;
  /** The pushes that came to a path, in the order of their arrival. */
  pushesTo(path: string): readonly ArrivedPush[];
  /** The push of a number (1 for the first) to a path, or undefined when it has not come within `timeoutMs`. */
  waitFor(path: string, timeoutMs: number, number?: number): Promise<ArrivedPush | undefined>;
  /** Answers the pushes to a path one after the other as the script says, and the further ones as its last answer. */
  answer(path: string, script: readonly Reply[]): void;
  /** How many milliseconds the sender of a held push waited before it gave up; undefined when it did not within `timeoutMs`. */
  givenUpAfter(path: string, timeoutMs: number): Promise<number | undefined>;
  /** Answers what is held. */
  release(): void;
  close(): Promise<void>;
}

interface Options {
  listen?: string | undefined;
  url?: string | undefined;
  moment: () => Moment;
  /** Ends all waits. */
  signal?: AbortSignal | undefined;
}

interface Book {
  pushes: ArrivedPush[];
  scripts: Map<string, Reply[]>;
  patience: Map<string, number>;
  open: Set<ServerResponse>;
}

/** What a plain receiver answers, and each of the three robots to a message that it takes. */
const accepted = { errcode: 0, errmsg: 'ok', code: 0, msg: 'success', data: {}, StatusCode: 0 };
const pollMs = 10;

/** Starts listening. Throws ReceiverError when it can't. */
export async function startListener({
  listen = '127.0.0.1:0',
  url,
  moment,
  signal,
}: Options): Promise<Listener> {
  const book: Book = { pushes: [], scripts: new Map(), patience: new Map(), open: new Set() };
  const prefix = url === undefined ? '' : new URL(url).pathname.replace(/\/$/, '');
  const server = createServer((request, response) => take(book, { request, response, prefix, moment }));
  const address = await bind(server, listen);
  const base = url?.replace(/\/$/, '') ?? `http://${address}`;
  const pushesTo = (path: string) => book.pushes.filter((push) => push.path === path);
  return {
    urlOf: (path) => `${base}${path}`,
    pushesTo,
    waitFor: (path, timeoutMs, number = 1) => poll(() => pushesTo(path)[number - 1], timeoutMs, signal),
    answer: (path, script) => void book.scripts.set(path, [...script]),
    givenUpAfter: (path, timeoutMs) => poll(() => book.patience.get(path), timeoutMs, signal),
    release: () => {
      for (const response of book.open) response.end();
    },
    close: async () => {
      for (const response of book.open) response.end();
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

interface Arrival {
  request: IncomingMessage;
  response: ServerResponse;
  prefix: string;
  moment: () => Moment;
}

function take(book: Book, { request, response, prefix, moment }: Arrival): void {
  const chunks: Buffer[] = [];
  const arrived = moment();
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const path = ownPath(request, prefix);
    const { method = 'POST', headers } = request;
    const search = (request.url ?? '').split('?')[1] ?? '';
    const body = Buffer.concat(chunks);
    book.pushes.push({ method, path, search, headers, body, at: arrived.to, arrived });
    reply(book, path, response);
  });
}

function reply(book: Book, path: string, response: ServerResponse): void {
  const script = book.scripts.get(path);
  const answer = (script && script.length > 1 ? script.shift() : script?.[0]) ?? { status: 200 };
  if (answer === 'held') {
    hold(book, path, response);
    return;
  }
  const { status, location, body = accepted } = answer;
  const headers = {
    'Content-Type': 'application/json',
    ...(location !== undefined && { Location: location }),
  };
  response.writeHead(status, headers).end(JSON.stringify(body));
}

function hold({ open, patience }: Book, path: string, response: ServerResponse): void {
  const since = performance.now();
  open.add(response);
  response.on('close', () => {
    open.delete(response);
    if (!response.writableEnded) patience.set(path, performance.now() - since);
  });
}

/** A public address may put a path of its own in front, which it may or may not strip. */
function ownPath(request: IncomingMessage, prefix: string): string {
  const path = (request.url ?? '/').split('?')[0] ?? '/';
  return prefix !== '' && path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : path;
}

async function poll<T>(
  read: () => T | undefined,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<T | undefined> {
  const until = Date.now() + timeoutMs;
  let value = read();
  while (value === undefined && Date.now() < until && !signal?.aborted) {
    await new Promise((resolve) => setTimeout(resolve, pollMs));
    value = read();
  }
  return value;
}

function bind(server: Server, listen: string): Promise<string> {
  const [, host = '127.0.0.1', port = '0'] = /^(?:(.*):)?(\d+)$/.exec(listen) ?? [];
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        new ReceiverError(
          `the webhook receiver can't listen on ${listen} (${error.code}); choose another --receiver-listen`,
        ),
      ),
    );
    server.listen({ host: host.replace(/^\[(.*)\]$/, '$1') || '127.0.0.1', port: Number(port) }, () => {
      const { address, port: bound, family } = server.address() as AddressInfo;
      resolve(`${family === 'IPv6' ? `[${address}]` : address}:${bound}`);
    });
  });
}
