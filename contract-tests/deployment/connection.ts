// The way to a deployment behind a proxy or a gateway: the agent that takes it, and how it is told.
import { Agent, type ClientRequest } from 'node:http';
import { Agent as SecureAgent } from 'node:https';
import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls';
import type { Connection } from '../core/suite-options.ts';
import { type Adding, guardIdleConnections } from './idle-connections.ts';

/** Where requests go, and on which way. */
export interface Target {
  baseUrl: string;
  connection?: Connection;
}

/** The agent for requests to the target. */
export function openAgent({ baseUrl, connection = {} }: Target, timeoutMs: number): Agent {
  const { proxy, ca, cert } = connection;
  const isSecure = new URL(baseUrl).protocol === 'https:';
  const proxyEnv = proxy && { HTTP_PROXY: proxy.url, HTTPS_PROXY: proxy.url };
  const options = { keepAlive: true, ...(proxyEnv && { proxyEnv }) };
  if (!isSecure) return showRequests(guardIdleConnections(new Agent(options)));
  const secureContext = ca || cert ? { secureContext: secureContextOf(connection) } : {};
  const agent = new SecureAgent({ ...options, ...secureContext });
  if (proxy) endSilentTunnels(agent, timeoutMs);
  return showRequests(guardIdleConnections(agent));
}

/** The option of a request that is called with it: who calls PactumJS gets hold of no request otherwise. */
export const watchOption = 'watchRequest';

type WatchedOptions = { [watchOption]?: (request: ClientRequest) => void };

function showRequests<T extends Agent>(agent: T): T {
  const adding = agent as unknown as Adding<WatchedOptions>;
  const add = adding.addRequest.bind(agent);
  adding.addRequest = (request, options) => {
    options[watchOption]?.(request);
    add(request, options);
  };
  return agent;
}

/** Made once: reading all authorities anew for each connection takes milliseconds. Throws where OpenSSL refuses a certificate or key. */
export function secureContextOf({ ca, cert, key, passphrase }: Connection): SecureContext {
  return createSecureContext({
    ...(ca && { ca: [...getCACertificates('default'), ca.pem] }),
    ...(cert && { cert: cert.pem }),
    ...(key && { key: key.pem }),
    ...(passphrase !== undefined && { passphrase }),
  });
}

/** A request has no socket, and so no timeout, before its tunnel is open and the handshake through it done. */
function endSilentTunnels(agent: SecureAgent, timeoutMs: number): void {
  const connect = agent.createConnection.bind(agent);
  agent.createConnection = (options, callback) => {
    const socket = connect(options, (error, opened) => {
      clearTimeout(timer);
      callback?.(error, opened);
    });
    const timer = setTimeout(() => {
      socket?.destroy(new Error(`no connection through the proxy within ${timeoutMs / 1_000} s`));
    }, timeoutMs);
    return socket;
  };
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
