// A forward proxy with its own host table: absolute-form requests for http, tunnels for https.
import {
  createServer,
  type IncomingMessage,
  type RequestOptions,
  request,
  type ServerResponse,
} from 'node:http';
import { connect, type Socket } from 'node:net';
import { listenTo } from '../../testing.ts';

export interface ForwardProxy {
  url: string;
  /** The request lines so far, such as "CONNECT staging.test:443". */
  seen: string[];
  /** What CONNECT requests get: a tunnel, a status line, or silence before or after it. */
  tunnels: 'open' | 'silent' | 'dead-end' | (string & {});
  close(): Promise<void>;
}

interface ProxySettings {
  /** Port on this machine by host name. */
  ports: Readonly<Record<string, number>>;
  /** "user:password", if it requires credentials. */
  credentials?: string;
}

export async function startForwardProxy({ ports, credentials }: ProxySettings): Promise<ForwardProxy> {
  const wanted = credentials && `Basic ${Buffer.from(credentials).toString('base64')}`;
  const mayPass = (incoming: IncomingMessage) =>
    wanted === undefined || incoming.headers['proxy-authorization'] === wanted;
  const server = createServer((incoming, outgoing) => {
    proxy.seen.push(`${incoming.method} ${incoming.url}`);
    if (!mayPass(incoming)) return void outgoing.writeHead(407).end('who are you?');
    forward(incoming, outgoing, ports);
  });
  server.on('connect', (incoming, socket: Socket) => {
    proxy.seen.push(`CONNECT ${incoming.url}`);
    socket.on('error', () => socket.destroy());
    if (!mayPass(incoming)) return void socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
    if (proxy.tunnels === 'silent') return;
    if (proxy.tunnels === 'dead-end') return void socket.write('HTTP/1.1 200 OK\r\n\r\n');
    if (proxy.tunnels !== 'open') return void socket.end(`HTTP/1.1 ${proxy.tunnels}\r\n\r\n`);
    const [host = ''] = `${incoming.url}`.split(':');
    const far = connect(ports[host] ?? 0, '127.0.0.1', () => socket.write('HTTP/1.1 200 OK\r\n\r\n'));
    far.on('error', () => socket.destroy());
    far.pipe(socket).pipe(far);
  });
  const { port, close } = await listenTo(server);
  const proxy: ForwardProxy = {
    url: `http://${credentials ? `${encode(credentials)}@` : ''}127.0.0.1:${port}`,
    seen: [],
    tunnels: 'open',
    close,
  };
  return proxy;
}

function encode(credentials: string): string {
  return credentials.split(':').map(encodeURIComponent).join(':');
}

function forward(incoming: IncomingMessage, outgoing: ServerResponse, ports: ProxySettings['ports']): void {
  const url = URL.parse(`${incoming.url}`);
  const port = url && ports[url.hostname];
  if (!port) return void outgoing.writeHead(400).end('the request is not in absolute form');
  const { 'proxy-authorization': _own, 'proxy-connection': _connection, ...headers } = incoming.headers;
  const path = `${incoming.url}`.slice(url.origin.length);
  passOn(incoming, outgoing, { port, path, headers });
}

/** Sends a request to a port of this machine, and returns its answer. */
export function passOn(incoming: IncomingMessage, outgoing: ServerResponse, there: RequestOptions): void {
  const { method, url: path, headers } = incoming;
  const further = request({ host: '127.0.0.1', path, method, headers, ...there }, (answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(outgoing);
  });
  further.on('error', () => outgoing.destroy());
  incoming.pipe(further);
}
