// The suite's webhook receiver: it records the raw bytes of every push, and answers each path by its script.
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

/** One push as it arrived: `body` in raw bytes, `at` and `arrived` in milliseconds since 1970, by the deployment's clock. */
export interface Push {
  method: string;
  path: string;
  /** The query, without "?". */
  search: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
  at: number;
  arrived: Moment;
  /** When it arrived by performance.now(), which tells what came first even while a clock is moved. */
  order: number;
  /** The HTTP status of the answer, or 0 for none. */
  answered?: number;
}

/** The answer to a push: a status (perhaps with the target of a redirect), or the end of the connection; or one of them that is held back. */
export type PushAnswer = StatusAnswer | 'reset' | HeldAnswer;

interface StatusAnswer {
  status: number;
  location?: string;
}

interface HeldAnswer {
  heldMs: number;
  last: StatusAnswer | 'reset';
}

/** The answers to the pushes to a path: in this order, the last one from then on; or computed from all its pushes so far. */
type Script = readonly PushAnswer[] | ((pushes: readonly Push[]) => PushAnswer);

export interface Receiver {
  /** The receiving URL of a path such as "/run/1". */
  urlOf(path: string): string;
  /** The pushes to a path, in the order of arrival. */
  pushesTo(path: string): readonly Push[];
  /** All pushes so far, those that were dismissed included. */
  everyPush(): readonly Push[];
  /** Whether a push was refused with 413, since its body or all of them together were too long to keep. */
  hasRefused(): boolean;
  /** Whether any push has come so far. */
  wasReached(): boolean;
  /** Whether any request came to a path, a GET included. */
  wasVisited(path: string): boolean;
  /** Forgets the pushes so far, to a path or to all: some deployments greet a new subscription, which is neither promised nor forbidden. */
  dismiss(path?: string): void;
  answer(path: string, script: Script): void;
  /** Reserves an address on which nobody listens until `open` is called. */
  reserve(path: string): Promise<Reserved>;
  close(): Promise<void>;
}

export interface Reserved {
  url: string;
  open(): Promise<void>;
}

/** The receiver can't listen on the given address; the message says what to do. */
export class ReceiverError extends Error {}

/** A deployment may test an address with these, or follow a redirect; that is no push. */
const probingMethods: readonly string[] = ['GET', 'HEAD', 'OPTIONS'];

/** Under this path the suite calls its own receiver, to see whether the public address leads there. */
export const probePath = '/sitepub/probe/';

/** The answer of a plain receiver, and that of each of the three chat robots to a message that it accepts. */
const accepted = { errcode: 0, errmsg: 'ok', code: 0, msg: 'success', data: {}, StatusCode: 0 };

interface ReceiverOptions {
  /** "host:port" to listen on; 127.0.0.1 and any free port unless given. */
  listen?: string;
  /** Public address of the receiver, such as that of a tunnel. */
  url?: string;
  /** The time by the deployment's clock. */
  moment?: () => Moment;
}

/** Whether the deployment can be expected to reach the receiver: on this machine it can, elsewhere it needs a public address. */
export function canBeReached({ baseUrl, receiver }: Pick<SuiteOptions, 'baseUrl' | 'receiver'>): boolean {
  return isThisMachine(new URL(baseUrl).hostname) || receiver.url !== undefined;
}

/** Starts a receiver. Throws ReceiverError when it can't listen. */
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

/** How many bytes of pushes are kept, and what each counts besides its body: checks compare every push with many. */
const mostKept = 48_000_000;
const pushOverhead = 10_000;

function recordPushes(prefix: string, moment: () => Moment): PushRecord {
  let pushes: Push[] = [];
  const every: Push[] = [];
  const visits = new Set<string>();
  const scripts = new Map<string, PushAnswer[] | Exclude<Script, readonly PushAnswer[]>>();
  const room: Room = { left: mostKept };
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
      // A push arrives with its first byte.
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

/** The next answer of a script; the last one repeats. */
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

/** Answers later, unless the sender has given up by then. */
function holdBack(push: Push, response: ServerResponse, { heldMs, last }: HeldAnswer): void {
  const timer = setTimeout(() => giveAnswer(push, response, last), heldMs);
  response.on('close', () => clearTimeout(timer));
}

function giveAnswer(push: Push, response: ServerResponse, answer: StatusAnswer | 'reset'): void {
  if (answer === 'reset') return void response.destroy();
  push.answered = answer.status;
  reply(response, answer);
}

/** A public address may have a path, which it may or may not strip. */
function withoutPrefix(path: string, prefix: string): string {
  return prefix !== '' && path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : path;
}

/** Listens, and returns the address as host:port. Adds the server to `servers`. */
function openServer(listener: RequestListener, listen: string, servers: Server[]): Promise<string> {
  const server = createReceivingServer(listener);
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

/** A free port below 32768, from where on systems choose the ports of outgoing connections. */
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
