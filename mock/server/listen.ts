import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { domainToASCII } from 'node:url';
import type { FastifyInstance } from 'fastify';
import { basePath } from '../http/paths.ts';
import { MockError, type StartOptions } from './mock-options.ts';

/** `publicUrl` replaces the origin of the app; origins are placeholders until the mock listens. */
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

/** Clients on some systems, such as Windows, can't connect to the unspecified address. */
function toReachable(origin: string): string {
  return origin.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:');
}

function readHostName(name: string): string {
  const ascii = /^[^\s:/?#@[\]]+$/.test(name) ? domainToASCII(name) : '';
  if (/^[\w.-]+$/.test(ascii)) return ascii;
  throw new MockError(
    `--host-name is ${JSON.stringify(name)}; expected only a host name, without scheme and port, for example mock.test`,
  );
}

/** Returns the URL without a slash at its end. Throws a MockError if it is not an http or https URL. */
export function readPublicUrl(text: string): string {
  const url = URL.parse(text);
  const isPlain = url && /^https?:$/.test(url.protocol) && !/[?#@]/.test(text);
  if (isPlain) return url.href.replace(/\/+$/, '');
  throw new MockError(
    `--public-url is ${JSON.stringify(text.replace(/^.*@/s, '…@'))}; expected the http or https URL by which others reach the mock, for example https://mock.example`,
  );
}

/** Throws a MockError for a malformed name or URL. */
export function readHostNames({
  hostNames = [],
  publicUrl,
}: Pick<StartOptions, 'hostNames' | 'publicUrl'>): string[] {
  const reached = publicUrl === undefined ? [] : [new URL(readPublicUrl(publicUrl)).hostname];
  return [...hostNames.map(readHostName), ...reached];
}

/** Returns the servers at further addresses. Throws a MockError if the mock can't listen on the port. */
export async function listen(
  app: FastifyInstance,
  port: number,
  host: string,
  flag?: '--control-port',
): Promise<Server[]> {
  try {
    // biome-ignore lint/nursery/useAwaitThenable: Fastify's overload without a callback returns a promise
    await app.listen({ port, host });
    return host === 'localhost' ? await listenElsewhere(app, host) : [];
  } catch (error) {
    throw explainListenError(error, port, host, flag);
  }
}

/** Listens on the other addresses of the name: with a serverFactory, Fastify listens on only one. */
async function listenElsewhere({ server }: FastifyInstance, host: string): Promise<Server[]> {
  const { address: own, port } = server.address() as AddressInfo;
  const addresses = (await lookup(host, { all: true })).filter(({ address }) => address !== own);
  const others = addresses.map(({ address }) =>
    createServer({ noDelay: true, allowHalfOpen: true }, (socket) =>
      server.emit('connection', socket),
    ).listen(port, address),
  );
  // Addresses that this machine does not have are skipped.
  await Promise.allSettled(others.map((other) => once(other, 'listening')));
  // The app may have been closed since.
  if (!server.listening) for (const other of others) other.close();
  return others.filter((other) => other.listening);
}

export function explainListenError(error: unknown, port: number, host: string, flag = '--port'): MockError {
  const { code, message = String(error) }: Partial<NodeJS.ErrnoException> =
    error instanceof Error ? error : {};
  return new MockError(
    code === 'EADDRINUSE'
      ? `port ${port} on ${host} is in use; choose another with ${flag}, or use ${flag} 0 for any free port`
      : `can't listen on port ${port} of ${host}: ${message}`,
  );
}
