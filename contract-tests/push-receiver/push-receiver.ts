// The suite's webhook receiver. It records the raw bytes of every push, and each path has a script of answers.
import { randomInt } from 'node:crypto';
import type {
  IncomingHttpHeaders,
  IncomingMessage,
  RequestListener,
  Server,
  ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { isThisMachine } from '../../openapi/this-machine.ts';
import type { SuiteOptions } from '../core/suite-options.ts';
import type { Moment } from '../deployment/deployment-clock.ts';
import { createReceivingServer, type Room, readLimitedBody } from './limited-body.ts';

/** A received push. `at` and `arrived` are in milliseconds since 1970, by the deployment's clock. */
export interface Push {
  method: string;
  path: string;
  /** Without "?". */
  search: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
  at: number;
  arrived: Moment;
  /** The arrival by performance.now(), which gives the order even while a clock is moved. */
  order: number;
  /** The HTTP status of the answer, or 0 for none. */
  answered?: number;
}

/** A status (optionally a redirect), a closed connection, or either of them after a delay. */
export type PushAnswer = StatusAnswer | 'reset' | HeldAnswer;

interface StatusAnswer {
  status: number;
  location?: string;
}

interface HeldAnswer {
  heldMs: number;
  last: StatusAnswer | 'reset';
}

/** The answers to the pushes to a path: a list whose last answer repeats, or a function of all pushes so far. */
type Script = readonly PushAnswer[] | ((pushes: readonly Push[]) => PushAnswer);

export interface Receiver {
  urlOf(path: string): string;
  pushesTo(path: string): readonly Push[];
  /** All pushes so far, including dismissed ones. */
  everyPush(): readonly Push[];
  /** Whether the receiver answered 413 because a body, or all bodies together, were too long. */
  hasRefused(): boolean;
  wasReached(): boolean;
  /** Whether any request, even a GET, came to the path. */
  wasVisited(path: string): boolean;
  /** Ignores the pushes so far, to one path or to all, because deployments may greet new subscriptions. */
  dismiss(path?: string): void;
  answer(path: string, script: Script): void;
  /** Reserves an address that is closed until `open` is called. */
  reserve(path: string): Promise<Reserved>;
  close(): Promise<void>;
}

export interface Reserved {
  url: string;
  open(): Promise<void>;
}

/** The receiver cannot listen on the given address. The message says what to do. */
export class ReceiverError extends Error {}

/** Not pushes: a deployment may probe an address, or follow a redirect, with these methods. */
const probingMethods: readonly string[] = ['GET', 'HEAD', 'OPTIONS'];

/** The suite calls its own receiver at this path to check the public address. */
export const probePath = '/sitepub/probe/';

/** An answer that a plain receiver and all three chat bots could give to an accepted message. */
const accepted = { errcode: 0, errmsg: 'ok', code: 0, msg: 'success', data: {}, StatusCode: 0 };

interface ReceiverOptions {
  /** "host:port". Default: 127.0.0.1 and any free port. */
  listen?: string;
  /** The public address, for example of a tunnel. */
  url?: string;
  moment?: () => Moment;
}

/** Whether the deployment can reach the receiver: it is on this machine, or the receiver has a public address. */
export function canBeReached({ baseUrl, receiver }: Pick<SuiteOptions, 'baseUrl' | 'receiver'>): boolean {
  return isThisMachine(new URL(baseUrl).hostname) || receiver.url !== undefined;
}

/** Throws ReceiverError if it cannot listen. */
export async function startReceiver({
  listen = '127.0.0.1:0',
  url,
  moment = () => ({ from: Date.now(), to: Date.now() }),
}: ReceiverOptions): Promise<Receiver> {
  const servers: Server[] = [];
  const prefix = url === undefined ? '' : new URL(url).pathname.replace(/\/$/, '');
  const { listener, ...record } = recordPushes(prefix, moment);
  const address = await openServer(listener, listen, servers);
  const base = url?.replace(/\/$/, '') ?? `http://${address}`;
  return {
    ...record,
    urlOf: (path) => `${base}${path}`,
    reserve: async (path) => {
      const free = await findFree(listener, address.replace(/:\d+$/, ''));
      return {
        url: `http://${free}${path}`,
        open: async () => void (await openServer(listener, free, servers)),
      };
    },
    close: () => closeServers(servers),
  };
}

type PushRecord = Omit<Receiver, 'urlOf' | 'reserve' | 'close'> & { listener: RequestListener };

/** The most bytes of pushes that are stored. Each push counts `pushOverhead` more, because checks compare every push with many. */
const mostStored = 48_000_000;
const pushOverhead = 10_000;

function recordPushes(prefix: string, moment: () => Moment): PushRecord {
  let pushes: Push[] = [];
  const every: Push[] = [];
  const visits = new Set<string>();
  const scripts = new Map<string, PushAnswer[] | Exclude<Script, readonly PushAnswer[]>>();
  const room: Room = { left: mostStored };
  let hasRefused = false;
  const pushesTo = (path: string) => pushes.filter((push) => push.path === path);
  const receive = (push: Push, response: ServerResponse) => {
    const { method, path } = push;
    if (path.startsWith(probePath)) return void response.end(path.slice(probePath.length));
    visits.add(path);
    if (probingMethods.includes(method)) return reply(response, { status: 200 });
    every.push(push);
    pushes.push(push);
    const script = scripts.get(path);
    const answer = typeof script === 'function' ? script(pushesTo(path)) : nextAnswer(script);
    push.answered = 0;
    if (typeof answer === 'object' && 'heldMs' in answer) holdBack(push, response, answer);
    else giveAnswer(push, response, answer);
  };
  return {
    listener: async (request, response) => {
      // Taken at the first byte of the push.
      const arrived = moment();
      const order = performance.now();
      const body = await readLimitedBody(request, response, room);
      if (body === 'too-long') hasRefused = true;
      if (typeof body === 'string') return;
      room.left -= pushOverhead;
      receive(toPush(request, { body, arrived, order, prefix }), response);
    },
    hasRefused: () => hasRefused,
    pushesTo,
    everyPush: () => every,
    wasReached: () => every.length > 0,
    wasVisited: (path) => visits.has(path),
    dismiss: (path) => {
      pushes = pushes.filter((push) => path !== undefined && push.path !== path);
    },
    answer: (path, script) => void scripts.set(path, typeof script === 'function' ? script : [...script]),
  };
}

function toPush(
  request: IncomingMessage,
  { body, arrived, order, prefix }: Pick<Push, 'body' | 'arrived' | 'order'> & { prefix: string },
): Push {
  const { method = 'POST', headers, url = '/' } = request;
  const [path = '/', search = ''] = url.split('?');
  return { method, path: withoutPrefix(path, prefix), search, headers, body, at: arrived.to, arrived, order };
}

function nextAnswer(script: PushAnswer[] | undefined): PushAnswer {
  return (script && script.length > 1 ? script.shift() : script?.[0]) ?? { status: 200 };
}

function reply(response: ServerResponse, { status, location }: StatusAnswer): void {
  const headers = {
    'Content-Type': 'application/json',
    ...(location !== undefined && { Location: location }),
  };
  response.writeHead(status, headers).end(status === 204 ? undefined : JSON.stringify(accepted));
}

/** Answers later, unless the sender closes the connection first. */
function holdBack(push: Push, response: ServerResponse, { heldMs, last }: HeldAnswer): void {
  const timer = setTimeout(() => giveAnswer(push, response, last), heldMs);
  response.on('close', () => clearTimeout(timer));
}

function giveAnswer(push: Push, response: ServerResponse, answer: StatusAnswer | 'reset'): void {
  if (answer === 'reset') return void response.destroy();
  push.answered = answer.status;
  reply(response, answer);
}

/** A tunnel with a path may or may not strip it. */
function withoutPrefix(path: string, prefix: string): string {
  return prefix !== '' && path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : path;
}

/** Returns the address as host:port. Adds the server to `servers`. */
function openServer(listener: RequestListener, listen: string, servers: Server[]): Promise<string> {
  const server = createReceivingServer(listener);
  const [, host = '127.0.0.1', port = '0'] = /^(?:(.*):)?(\d+)$/.exec(listen) ?? [];
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        new ReceiverError(
          `the webhook receiver cannot listen on ${listen} (${error.code}); choose another --receiver-listen`,
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

/** A free port below 32768, because systems use higher ports for outgoing connections. */
async function findFree(listener: RequestListener, host: string): Promise<string> {
  for (let tries = 1; ; tries++) {
    const tried: Server[] = [];
    try {
      const free = await openServer(listener, `${host}:${randomInt(20_000, 32_768)}`, tried);
      await closeServers(tried);
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
