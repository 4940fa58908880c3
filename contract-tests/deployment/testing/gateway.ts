// A gateway in front of a deployment: private https, client certificates, required headers.
import { type IncomingMessage, type RequestListener, createServer as startPlain } from 'node:http';
import { createServer as startSecure } from 'node:https';
import { listenTo } from '../../testing.ts';
import type { Authority } from './authority.ts';
import { passOn } from './forward-proxy.ts';

export interface Gateway {
  port: number;
  count: { passed: number; refused: number };
  close(): Promise<void>;
}

interface GatewaySettings {
  /** Serves https with a certificate of this authority. */
  authority?: Authority;
  /** Accepts only clients with a certificate of that authority. */
  asksForCertificate?: boolean;
  /** Required headers. */
  headers?: Readonly<Record<string, string>>;
  /** The port of the deployment on this machine. Without it, the gateway answers itself. */
  port?: number;
}

export async function startGateway({
  authority,
  asksForCertificate: asks = false,
  headers = {},
  port,
}: GatewaySettings): Promise<Gateway> {
  const count = { passed: 0, refused: 0 };
  const listener: RequestListener = (incoming, outgoing) => {
    const mayPass = Object.entries(headers).every(
      ([name, value]) => incoming.headers[name.toLowerCase()] === value,
    );
    count[mayPass ? 'passed' : 'refused']++;
    if (!mayPass)
      return void outgoing.writeHead(403, { 'Content-Type': 'text/html' }).end('<h1>Forbidden</h1>');
    if (port === undefined) return void outgoing.end(JSON.stringify(summaryOf(incoming)));
    passOn(incoming, outgoing, { port });
  };
  const secure = authority && {
    cert: authority.server.cert.pem,
    key: authority.server.key.pem,
    ca: authority.ca.pem,
    requestCert: asks,
    rejectUnauthorized: asks,
  };
  const server = secure ? startSecure(secure, listener) : startPlain(listener);
  // Longer than a client should rely on.
  server.keepAliveTimeout = 60_000;
  const { port: ownPort, close } = await listenTo(server);
  return { port: ownPort, count, close };
}

function summaryOf({ method, url, headers }: IncomingMessage) {
  return { method, url, host: headers.host, proxied: 'proxy-authorization' in headers };
}
