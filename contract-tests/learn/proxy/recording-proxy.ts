// A reverse proxy in front of a deployment: it passes on what a browser asks for, and tells what was asked and answered.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { isLocalHost } from '../../core/local-host.ts';
import type { Connection } from '../../core/suite-options.ts';
import { openAgent } from '../../deployment/connection.ts';
import { type RecordedExchange, RecordingError } from '../recording/recorded-exchange.ts';
import { passRequest } from './pass-request.ts';
import { passUpgrade } from './pass-upgrade.ts';
import { answerMs, type Passage } from './passage.ts';

export interface RecordingProxyOptions {
  /** The address of the API or of any page of the deployment; the proxy leads to its origin, and nowhere else. */
  baseUrl: string;
  /** 0 for any free one. */
  port: number;
  /** The address to listen on; 127.0.0.1 unless given. Anybody who reaches another one can use the deployment through it. */
  host?: string;
  /** How the deployment is reached: proxy, authorities, client certificate, further headers. */
  connection?: Connection;
  onExchange: (exchange: RecordedExchange) => void;
  /** Called with what is no call of an API, such as a login that redirects. */
  onOther?: (exchange: RecordedExchange) => void;
  /** Called with a sentence where something did not pass; it holds no paths and no secrets. */
  onProblem?: (problem: string) => void;
}

export interface RecordingProxy {
  /** Where to open the console: "http://127.0.0.1:8080". */
  origin: string;
  /** What to tell whoever started it; undefined on this machine alone. */
  warning: string | undefined;
  close(): Promise<void>;
}

const headerBytes = 65_536;

/** Starts. Throws RecordingError where it can't listen, or the address is none. */
export async function startRecordingProxy(options: RecordingProxyOptions): Promise<RecordingProxy> {
  const { baseUrl, port, host = '127.0.0.1', connection = {} } = options;
  if (!/^https?:\/\//i.test(baseUrl) || !URL.canParse(baseUrl))
    throw new RecordingError('the address of the deployment is no http or https address');
  let count = 0;
  const agent = openAgent({ baseUrl, connection }, answerMs);
  const passage: Passage = {
    target: new URL(new URL(baseUrl).origin),
    agent,
    headers: connection.headers ?? {},
    budget: { bytes: 0 },
    number: () => ++count,
    onExchange: options.onExchange,
    onOther: options.onOther ?? (() => {}),
    onProblem: options.onProblem ?? (() => {}),
  };
  const sockets = new Set<Socket>();
  const server = createServer({ maxHeaderSize: headerBytes }, (incoming, outgoing) => {
    const refusal = whyRefused(incoming, host);
    if (refusal === undefined) passRequest({ incoming, outgoing }, passage);
    else refuse(outgoing, refusal);
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  server.on('upgrade', (incoming, socket: Socket, head) => {
    const refusal = whyRefused(incoming, host);
    if (refusal === undefined) passUpgrade({ incoming, socket, head }, passage);
    else refuseSocket(socket, refusal);
  });
  server.on('connect', (_incoming, socket: Socket) => refuseSocket(socket, notOpen));
  await listen(server, { host, port });
  const { port: actual } = server.address() as AddressInfo;
  return {
    origin: `http://${hostInUrl(host)}:${actual}`,
    warning: isLocalHost(hostInUrl(host))
      ? undefined
      : `who reaches ${hostInUrl(host)}:${actual} can use the deployment through this proxy; listen on 127.0.0.1 unless that is meant`,
    close: async () => {
      agent.destroy();
      for (const socket of sockets) socket.destroy();
      await new Promise((done) => server.close(done));
    },
  };
}

interface Refusal {
  status: number;
  reason: string;
}

const notOpen: Refusal = {
  status: 405,
  reason:
    'this proxy leads to one deployment only: open its address as a web page, and do not set it as a proxy of the browser',
};

/** A page of somebody else must not reach the deployment by a name that it made up for this machine (DNS rebinding). */
function whyRefused({ url = '', headers }: IncomingMessage, host: string): Refusal | undefined {
  if (!url.startsWith('/')) return { ...notOpen, status: 400 };
  const name = hostOf(headers.host);
  if (!isLocalHost(hostInUrl(host)) || (name !== undefined && isLocalHost(name))) return undefined;
  return { status: 421, reason: 'this proxy answers under the name of this machine only, such as 127.0.0.1' };
}

function hostOf(host: string | undefined): string | undefined {
  const address = `http://${host}`;
  return host !== undefined && URL.canParse(address) ? new URL(address).hostname : undefined;
}

function refuse(outgoing: ServerResponse, { status, reason }: Refusal): void {
  outgoing
    .writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8', Connection: 'close' })
    .end(`${reason}\n`);
}

function refuseSocket(socket: Socket, { status, reason }: Refusal): void {
  socket.on('error', () => socket.destroy());
  socket.end(
    `HTTP/1.1 ${status} Refused\r\nContent-Type: text/plain\r\nConnection: close\r\n\r\n${reason}\n`,
  );
}

function hostInUrl(host: string): string {
  return host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
}

function listen(server: Server, { host, port }: { host: string; port: number }): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', ({ code }: NodeJS.ErrnoException) => {
      reject(new RecordingError(`can't listen on ${host}:${port} (${code}); choose another port`));
    });
    server.listen({ host, port }, () => resolve());
  });
}
