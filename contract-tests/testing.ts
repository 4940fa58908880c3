// Shared by the tests of the suite: exchanges and contexts without a deployment.
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { AddressInfo, Server, Socket } from 'node:net';
import { Readable } from 'node:stream';
import { loadProfile, statedValues } from '../openapi/profile.ts';
import { pushOf, type RobotMessage } from '../openapi/robots/testing/robot-message.ts';
import { type Context, createContext } from './context.ts';
import type { Exchange } from './core/exchange.ts';
import type { SuiteOptions } from './core/suite-options.ts';
import type { Push } from './push-receiver/push-receiver.ts';
import { createSecrets, type Secrets } from './redaction/redact.ts';

const options: SuiteOptions = {
  baseUrl: 'http://127.0.0.1:9/api/v1',
  profile: { name: 'default', stated: statedValues(loadProfile('default')) },
  tier: 'safe',
  only: [],
  skip: [],
  maxWaitMs: 0,
  receiver: {},
};

/** A context in which nothing has been sent, under the default profile unless `wanted` has another. */
export function openContext(wanted: Partial<SuiteOptions> = {}): Context {
  return createContext({ ...options, ...wanted });
}

/** Listens on a free port of this machine. The disposal ends all connections. */
export async function listenTo(server: Server) {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const close = async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  };
  return { port, origin: `http://127.0.0.1:${port}`, sockets, close, [Symbol.asyncDispose]: close };
}

/** Fills answers with up to 400 MB. */
export function createFlood() {
  let megabytes = 0;
  const piece = Buffer.alloc(1_048_576, 'x');
  const pieces = function* () {
    for (; megabytes < 400; megabytes++) yield piece;
  };
  const fill = (response: ServerResponse) => {
    const flood = Readable.from(pieces());
    response.on('close', () => flood.destroy());
    flood.pipe(response);
  };
  return { fill, megabytes: () => megabytes };
}

/** Writes a byte into an answer every 20 ms, endlessly. */
export function drip(response: ServerResponse): void {
  const timer = setInterval(() => response.write('x'), 20);
  response.on('close', () => clearInterval(timer));
}

/** The words of a line, as a shell passes them to a command. */
export function wordsIn(shell: 'sh' | 'bash', words: string, environment: Record<string, string> = {}) {
  const line = `printf '%s\\0' ${words}`;
  const printed = execFileSync(shell, [...(shell === 'bash' ? ['--norc'] : []), '-c', line], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, ...environment },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return printed.split('\0').slice(0, -1);
}

/** Secrets by the names of their variables. */
export function secretsWith(values: Readonly<Record<string, unknown>>): Secrets {
  const secrets = createSecrets();
  for (const [name, value] of Object.entries(values)) secrets.add(name, value);
  return secrets;
}

/** An exchange that was answered with a JSON value. */
export function exchangeOf(json: unknown, different: Partial<Exchange['response']> = {}): Exchange {
  return {
    operation: 'testSubscription',
    request: {
      method: 'POST',
      url: 'http://127.0.0.1:9/api/v1/tenant/sites/101/webhooks/1/test',
      headers: { Authorization: 'Bearer st_1234' },
      body: undefined,
    },
    response: {
      status: 200,
      headers: { 'content-type': 'application/json' },
      text: JSON.stringify(json),
      json,
      ...different,
    },
    at: 0,
    answeredAt: 0,
    values: {},
    mayBeReplayed: false,
  };
}

/** The push of a robot message. */
export function pushOfRobot(row: RobotMessage) {
  const { contentType, ...call } = pushOf(row);
  const headers: Record<string, string> = contentType === undefined ? {} : { 'content-type': contentType };
  return { ...pushAt(0, ''), ...call, headers };
}

/** A push that arrived so many milliseconds after the start. */
export function pushAt(at: number, body: string, path = '/1'): Push {
  return {
    method: 'POST',
    path,
    search: '',
    headers: {},
    body: Buffer.from(body),
    at,
    arrived: { from: at, to: at },
    order: at,
  };
}
