// The way to a deployment behind a proxy or a gateway: the connections that take it, and how it is told.
import { isIP } from 'node:net';
import type { buildConnector, Dispatcher } from 'undici';
import { undici } from '../../openapi/libraries.ts';
import type { Connection } from '../core/suite-options.ts';
import { secureContextOf } from './secure-context.ts';
import { withoutInterim } from './without-interim.ts';

/** Where requests go, and on which way. */
export interface Target {
  baseUrl: string;
  connection?: Connection;
}

/** What becomes of a connection. */
interface Watch {
  /** Closes it, be it open yet or not. */
  signal: AbortSignal;
  /** Called each time that it is opened. */
  onOpened(): void;
}

/** Opens one connection at a time to the target, and a new one where the last was closed. */
export type OpenConnection = (watch: Watch) => Dispatcher;

/** How long a connection that nobody uses is kept, in milliseconds: proxies forget idle ones without a word. */
const idleMs = 5_000;

/** The only limit in time is the deadline of a request, which aborts the signal of its connection. */
const settings = {
  allowH2: false,
  headersTimeout: 0,
  bodyTimeout: 0,
  keepAliveTimeout: idleMs,
  keepAliveMaxTimeout: idleMs,
};

export function connectionsTo({ baseUrl, connection = {} }: Target): OpenConnection {
  const { Agent, buildConnector, Client, ProxyAgent } = undici();
  const { proxy, ca, cert } = connection;
  const isSecure = new URL(baseUrl).protocol === 'https:';
  const secure = isSecure && (ca || cert) ? { secureContext: secureContextOf(connection) } : {};
  return ({ signal, onOpened }) => {
    const toProxy = { allowH2: false, timeout: 0, signal };
    const toDeployment = { ...toProxy, ...secure };
    const factory = (origin: string | URL, { connect }: Connecting) =>
      new Client(origin, { ...settings, connect: watched(connect, onOpened) });
    if (!proxy) return new Agent({ factory, connect: buildConnector(toDeployment) });
    const clientFactory = (origin: URL, { connect }: Connecting) =>
      new Client(origin, { ...settings, connect: unnamed(connect) });
    const uri = proxy.url;
    return new ProxyAgent({ uri, factory, clientFactory, requestTls: toDeployment, proxyTls: toProxy });
  };
}

interface Connecting {
  connect: buildConnector.connector;
}

/** Names no address in the handshake, as undici does for a proxy: Node would warn of it. */
function unnamed(connect: buildConnector.connector): buildConnector.connector {
  return (options, callback) =>
    connect(isIP(options.servername ?? '') > 0 ? { ...options, servername: '' } : options, callback);
}

function watched(connect: buildConnector.connector, onOpened: () => void): buildConnector.connector {
  return (options, callback) =>
    unnamed(connect)(options, (...[error, socket]) => {
      if (error) return callback(error, null);
      onOpened();
      callback(null, withoutInterim(socket));
    });
}

/** A proxy's address without its credentials. */
export function placeOf({ url }: NonNullable<Connection['proxy']>): string {
  return new URL(url).origin;
}

/** A sentence on the way to a deployment; undefined where it is called directly. */
export function sayConnection({ baseUrl, connection }: Target): string | undefined {
  const { proxy, ca, cert, headers = {} } = connection ?? {};
  const isSecure = new URL(baseUrl).protocol === 'https:';
  const names = Object.keys(headers);
  const parts = [
    proxy && `through the proxy ${placeOf(proxy)} (${proxy.variable})`,
    isSecure && ca && `with the authorities of ${ca.path}`,
    isSecure && cert && `with the client certificate ${cert.path}`,
    names.length > 0 && `with the ${names.length === 1 ? 'header' : 'headers'} ${names.join(', ')}`,
  ].filter((part) => typeof part === 'string');
  return parts.length === 0 ? undefined : `the deployment is called ${parts.join(', ')}`;
}
