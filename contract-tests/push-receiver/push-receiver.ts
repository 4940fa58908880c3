// The suite's webhook receiver: takes every push on a path of its own, keeps its raw bytes, and answers as it is told.

import { randomInt } from 'node:crypto';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import type { SuiteOptions } from '../core/suite-options.ts';
import type { Moment } from '../deployment/deployment-clock.ts';

/** One push as it arrived; `body` are the raw bytes, `at` and `arrived` are in milliseconds since 1970, by the deployment's clock. */
export interface Push {
  method: string;
  path: string;
  /** The query of the address, without its "?". */
  search: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
  at: number;
  arrived: Moment;
  /** The HTTP status that it was answered with, or 0 for none. */
  answered?: number;
}

/**
 * How a push is answered: with a status (and the place that a redirect leads to, or a body of its own), not at all, or by the end of the
 * connection.
 */
export type Answer = { status: number; location?: string; body?: object } | 'held' | 'reset';

/** The answers to the pushes to a path: one after the other, the last one for good; or by what came before, this push included. */
export type Script = readonly Answer[] | ((pushes: readonly Push[]) => Answer);

export interface Receiver {
  /** The address that a subscription is given for a path such as "/run/1". */
  urlOf(path: string): string;
  /** The pushes that came to a path, in the order of their arrival. */
  pushesTo(path: string): readonly Push[];
  /** Whether any push has come yet. */
  wasReached(): boolean;
  /** Whether anything at all was sent to a path, be it only to look at it. */
  wasVisited(path: string): boolean;
  /** Puts the pushes so far out of sight, to a path or to all: some deployments greet a new subscription, which nobody promised or forbade. */
  dismiss(path?: string): void;
  answer(path: string, script: Script): void;
  /** How many milliseconds the sender of a held push waited before it gave up; undefined where it has not. */
  patienceAt(path: string): number | undefined;
  /** Answers what is held. */
  release(): void;
  /** An address on which nobody listens until it is opened. */
  reserve(path: string): Promise<Reserved>;
  close(): Promise<void>;
}

export interface Reserved {
  url: string;
  open(): Promise<void>;
}

/** The receiver can't listen where it was told to; the message says what to do. */
export class ReceiverError extends Error {}

/** A deployment may look whether there is somebody, or follow a redirect; that is no push. */
const looks: readonly string[] = ['GET', 'HEAD', 'OPTIONS'];

/** Paths on which the suite calls its own receiver, to see whether its public address leads there. */
export const probePath = '/sitepub/probe/';

/** The answer that a plain receiver gives and that each of the three robots gives to a message it takes. */
const accepted = { errcode: 0, errmsg: 'ok', code: 0, msg: 'success', data: {}, StatusCode: 0 };

interface ReceiverOptions {
  /** "host:port" to listen on; 127.0.0.1 and any free port unless given. */
  listen?: string;
  /** Public address in front of it, such as that of a tunnel. */
  url?: string;
  /** The time that the deployment goes by. */
  moment?: () => Moment;
}

/** Whether a deployment can be expected to reach a receiver: one on this machine can, any other needs an address of it. */
export function canBeReached({ baseUrl, receiver }: Pick<SuiteOptions, 'baseUrl' | 'receiver'>): boolean {
  const { hostname } = new URL(baseUrl);
  const isNear = hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.');
  return isNear || receiver.url !== undefined;
}

/** Starts a receiver. Throws ReceiverError when it can't listen. */
export async function startReceiver({
  listen = '127.0.0.1:0',
  url,
  moment = () => ({ from: Date.now(), to: Date.now() }),
}: ReceiverOptions): Promise<Receiver> {
  let pushes: Push[] = [];
  let isReached = false;
  const visits = new Set<string>();
  const scripts = new Map<string, Answer[] | Exclude<Script, readonly Answer[]>>();
  const patience = new Map<string, number>();
  const held = new Set<ServerResponse>();
  const servers: Server[] = [];
  const prefix = url === undefined ? '' : new URL(url).pathname.replace(/\/$/, '');
  const take = (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    // The time of its arrival, not of its end.
    const arrived = moment();
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const path = ownPath(request, prefix);
      const { method = 'POST', headers } = request;
      const search = (request.url ?? '').split('?')[1] ?? '';
      const push: Push = {
        method,
        path,
        search,
        headers,
        body: Buffer.concat(chunks),
        at: arrived.to,
        arrived,
      };
      if (path.startsWith(probePath)) return void response.end(path.slice(probePath.length));
      visits.add(path);
      if (looks.includes(method)) return reply(response, { status: 200 });
      isReached = true;
      pushes.push(push);
      const script = scripts.get(path);
      const answer =
        typeof script === 'function' ? script(pushes.filter((one) => one.path === path)) : nextAnswer(script);
      push.answered = typeof answer === 'string' ? 0 : answer.status;
      if (answer === 'reset') return void response.destroy();
      if (answer !== 'held') return reply(response, answer);
      const since = performance.now();
      held.add(response);
      response.on('close', () => {
        held.delete(response);
        if (!response.writableEnded) patience.set(path, performance.now() - since);
      });
    });
  };
  const address = await openServer(take, listen, servers);
  const base = url?.replace(/\/$/, '') ?? `http://${address}`;
  return {
    urlOf: (path) => `${base}${path}`,
    pushesTo: (path) => pushes.filter((push) => push.path === path),
    wasReached: () => isReached,
    wasVisited: (path) => visits.has(path),
    dismiss: (path) => {
      pushes = pushes.filter((push) => path !== undefined && push.path !== path);
    },
    answer: (path, script) => void scripts.set(path, typeof script === 'function' ? script : [...script]),
    patienceAt: (path) => patience.get(path),
    release: () => {
      for (const response of held) response.end();
    },
    reserve: async (path) => {
      const free = await findFree(take, address.replace(/:\d+$/, ''));
      return {
        url: `http://${free}${path}`,
        open: async () => void (await openServer(take, free, servers)),
      };
    },
    close: () => closeServers(servers),
  };
}

/** The next answer of a script; its last one stays. */
function nextAnswer(script: Answer[] | undefined): Answer {
  return (script && script.length > 1 ? script.shift() : script?.[0]) ?? { status: 200 };
}

function reply(
  response: ServerResponse,
  { status, location, body = accepted }: Exclude<Answer, string>,
): void {
  const headers = {
    'Content-Type': 'application/json',
    ...(location !== undefined && { Location: location }),
  };
  response.writeHead(status, headers).end(status === 204 ? undefined : JSON.stringify(body));
}

/** A public address may put a path of its own in front, which it may or may not strip. */
function ownPath(request: IncomingMessage, prefix: string): string {
  const path = (request.url ?? '/').split('?')[0] ?? '/';
  return prefix !== '' && path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : path;
}

type Take = (request: IncomingMessage, response: ServerResponse) => void;

/** Listens, and gives the address as host:port. The server is added to `servers`. */
function openServer(take: Take, listen: string, servers: Server[]): Promise<string> {
  const server = createServer(take);
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
      servers.push(server);
      const { address, port: bound, family } = server.address() as AddressInfo;
      resolve(`${family === 'IPv6' ? `[${address}]` : address}:${bound}`);
    });
  });
}

/** A free port that no outgoing connection takes meanwhile, as systems take theirs from 32768 up. */
async function findFree(take: Take, host: string): Promise<string> {
  for (let tries = 1; ; tries++) {
    const first: Server[] = [];
    try {
      const free = await openServer(take, `${host}:${randomInt(20_000, 32_768)}`, first);
      await closeServers(first);
      return free;
    } catch (error) {
      if (tries === 20) throw error;
    }
  }
}

async function closeServers(servers: readonly Server[]): Promise<void> {
  await Promise.all(
    servers.map(
      (server) =>
        new Promise<void>((resolve) => {
          server.close(() => resolve());
          server.closeAllConnections();
        }),
    ),
  );
}
