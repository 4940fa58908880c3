// Where a mock listens, and by which names it is called.
import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { domainToASCII } from 'node:url';
import type { FastifyInstance } from 'fastify';
import { basePath } from '../http/paths.ts';
import { MockError, type StartOptions } from './mock-options.ts';

/** The addresses of a mock, for others by its public one; placeholders until it listens. */
export function addressesOf(app: FastifyInstance, controlApp: FastifyInstance, publicUrl?: string) {
  // The getter throws until the app listens.
  const originOf = (one: FastifyInstance) =>
    one.server.listening ? toReachable(one.listeningOrigin) : 'http://127.0.0.1';
  const root = publicUrl ?? originOf(app);
  return {
    baseUrl: `${root}${basePath}`,
    controlUrl: `${controlApp === app ? root : originOf(controlApp)}/_mock`,
  };
}

/** Who listens on all addresses is called by one of them: no system but Linux connects to the address of none. */
function toReachable(origin: string): string {
  return origin.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:');
}

/** As a Host header has it. */
function readHostName(name: string): string {
  const ascii = /^[^\s:/?#@[\]]+$/.test(name) ? domainToASCII(name) : '';
  if (/^[\w.-]+$/.test(ascii)) return ascii;
  throw new MockError(
    `--host-name is ${JSON.stringify(name)}; expected a host name alone, without scheme and port, such as mock.test`,
  );
}

/** Without a slash at the end. */
export function readPublicUrl(text: string): string {
  const url = URL.parse(text);
  const isPlain = url && /^https?:$/.test(url.protocol) && !/[?#@]/.test(text);
  if (isPlain) return url.href.replace(/\/+$/, '');
  throw new MockError(
    `--public-url is ${JSON.stringify(text)}; expected the http or https address under which others reach the mock, such as https://mock.example`,
  );
}

/** The further names of a mock. */
export function readHostNames({
  hostNames = [],
  publicUrl,
}: Pick<StartOptions, 'hostNames' | 'publicUrl'>): string[] {
  const reached = publicUrl === undefined ? [] : [new URL(readPublicUrl(publicUrl)).hostname];
  return [...hostNames.map(readHostName), ...reached];
}

/** Returns what listens besides the server of the app. Throws a MockError that says why not. */
export async function listen(app: FastifyInstance, port: number, host: string): Promise<Server[]> {
  try {
    // biome-ignore lint/nursery/useAwaitThenable: Fastify's overload without a callback returns a promise
    await app.listen({ port, host });
    return host === 'localhost' ? await listenElsewhere(app, host) : [];
  } catch (error) {
    throw explainListenError(error, port, host);
  }
}

/** The other addresses of a name lead to the same server: Fastify listens at one where it has not made the server. */
async function listenElsewhere({ server }: FastifyInstance, host: string): Promise<Server[]> {
  const { address: own, port } = server.address() as AddressInfo;
  const addresses = (await lookup(host, { all: true })).filter(({ address }) => address !== own);
  const others = addresses.map(({ address }) =>
    createServer({ noDelay: true, allowHalfOpen: true }, (socket) =>
      server.emit('connection', socket),
    ).listen(port, address),
  );
  // An address that this machine does not have is left out.
  await Promise.allSettled(others.map((other) => once(other, 'listening')));
  // The app may have been closed meanwhile.
  if (!server.listening) for (const other of others) other.close();
  return others.filter((other) => other.listening);
}

export function explainListenError(error: unknown, port: number, host: string): MockError {
  const { code, message = String(error) }: Partial<NodeJS.ErrnoException> =
    error instanceof Error ? error : {};
  return new MockError(
    code === 'EADDRINUSE'
      ? `port ${port} on ${host} is in use; choose another with --port, or --port 0 for any free one`
      : `can't listen on port ${port} of ${host}: ${message}`,
  );
}
