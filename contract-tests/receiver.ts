// The suite's webhook receiver: takes every push on a path of its own and keeps its raw bytes.
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One push as it arrived; `body` are the raw bytes, `at` is in milliseconds since 1970. */
export interface Push {
  path: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
  at: number;
}

export interface Receiver {
  /** The address that a subscription is given for a path such as "/run/1". */
  urlOf(path: string): string;
  /** The pushes that came to a path, in the order of their arrival. */
  pushesTo(path: string): readonly Push[];
  /** The first push to a path, or undefined when none has come within `timeoutMs`. */
  waitFor(path: string, timeoutMs: number): Promise<Push | undefined>;
  close(): Promise<void>;
}

/** The receiver can't listen where it was told to; the message says what to do. */
export class ReceiverError extends Error {}

/** The answer that a plain receiver gives and that each of the three robots gives to a message it takes. */
const accepted = JSON.stringify({
  errcode: 0,
  errmsg: 'ok',
  code: 0,
  msg: 'success',
  data: {},
  StatusCode: 0,
});

interface ReceiverOptions {
  /** "host:port" to listen on; 127.0.0.1 and any free port unless given. */
  listen?: string;
  /** Public address in front of it, such as that of a tunnel. */
  url?: string;
}

/** Starts a receiver. Throws ReceiverError when it can't listen. */
export async function startReceiver({ listen = '127.0.0.1:0', url }: ReceiverOptions): Promise<Receiver> {
  const pushes: Push[] = [];
  const waiting = new Set<(push: Push) => void>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const push = toPush(request, Buffer.concat(chunks), url);
      pushes.push(push);
      for (const notify of waiting) notify(push);
      response.setHeader('Content-Type', 'application/json').end(accepted);
    });
  });
  const address = await listenOn(server, listen);
  const base = url?.replace(/\/$/, '') ?? `http://${address}`;
  return {
    urlOf: (path) => `${base}${path}`,
    pushesTo: (path) => pushes.filter((push) => push.path === path),
    waitFor: (path, timeoutMs) => {
      const come = pushes.find((push) => push.path === path);
      return come ? Promise.resolve(come) : firstTo(path, timeoutMs, waiting);
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function firstTo(
  path: string,
  timeoutMs: number,
  waiting: Set<(push: Push) => void>,
): Promise<Push | undefined> {
  return new Promise((resolve) => {
    const settle = (push: Push | undefined) => {
      clearTimeout(timer);
      waiting.delete(notify);
      resolve(push);
    };
    const notify = (push: Push) => push.path === path && settle(push);
    const timer = setTimeout(() => settle(undefined), timeoutMs);
    waiting.add(notify);
  });
}

/** A public address may put a path of its own in front, which it may or may not strip. */
function toPush(request: IncomingMessage, body: Buffer, url: string | undefined): Push {
  const prefix = url === undefined ? '' : new URL(url).pathname.replace(/\/$/, '');
  const path = (request.url ?? '/').split('?')[0] ?? '/';
  const own = prefix !== '' && path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : path;
  return { path: own, headers: request.headers, body, at: Date.now() };
}

function listenOn(server: Server, listen: string): Promise<string> {
  const [, host = '127.0.0.1', port = '0'] = /^(?:(.*):)?(\d+)$/.exec(listen) ?? [];
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        new ReceiverError(
          `the webhook receiver can't listen on ${listen} (${error.code}); choose another --receiver-listen`,
        ),
      ),
    );
    server.listen({ host: host || '127.0.0.1', port: Number(port) }, () => {
      const { address, port: bound, family } = server.address() as AddressInfo;
      resolve(`${family === 'IPv6' ? `[${address}]` : address}:${bound}`);
    });
  });
}
