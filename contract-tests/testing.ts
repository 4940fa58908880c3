// Shared by the tests of the suite: exchanges and contexts without a deployment.
import { once } from 'node:events';
import type { AddressInfo, Server, Socket } from 'node:net';
import { loadProfile, statedValues } from '../openapi/profile.ts';
import { type Context, createContext } from './context.ts';
import type { Exchange } from './core/exchange.ts';
import type { SuiteOptions } from './core/suite-options.ts';
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
