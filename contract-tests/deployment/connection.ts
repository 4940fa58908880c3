// Connections to a deployment, directly or through a proxy, with private certificates.
import { isIP } from 'node:net';
import type { buildConnector, Dispatcher } from 'undici';
import { undici } from '../../openapi/libraries.ts';
import type { Connection } from '../core/suite-options.ts';
import { secureContextOf } from './secure-context.ts';
import { withoutInterim } from './without-interim.ts';

export interface Target {
  baseUrl: string;
  connection?: Connection;
}

interface Watch {
  /** Closes the connection, even while it is being opened. */
  signal: AbortSignal;
  onOpened(): void;
}

/** A dispatcher with one connection at a time, which reopens it when it was closed. */
export type OpenConnection = (watch: Watch) => Dispatcher;

/** Idle connections are closed after this time, because proxies drop them silently. In milliseconds. */
const idleMs = 5_000;

/** No timeouts here, because the deadline of a request closes its connection. */
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

/** Removes IP addresses as TLS server names, which undici sets for proxies and Node warns about. */
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

/** The address of a proxy without credentials. */
export function placeOf({ url }: NonNullable<Connection['proxy']>): string {
  return new URL(url).origin;
}

/** Describes the connection; undefined if it is direct. */
export function sayConnection({ baseUrl, connection }: Target): string | undefined {
  const { proxy, ca, cert, headers = {} } = connection ?? {};
  const isSecure = new URL(baseUrl).protocol === 'https:';
  const names = Object.keys(headers);
  const parts = [
    proxy && `through the proxy ${placeOf(proxy)} (${proxy.variable})`,
    isSecure && ca && `with the certificate authorities in ${ca.path}`,
    isSecure && cert && `with the client certificate ${cert.path}`,
    names.length > 0 && `with the ${names.length === 1 ? 'header' : 'headers'} ${names.join(', ')}`,
  ].filter((part) => typeof part === 'string');
  return parts.length === 0 ? undefined : `connecting ${parts.join(', ')}`;
}
