// Serves a page that does what a tenant's console does, for a deployment of any profile; the API is at the same origin, or at its own.
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { operationsOf } from '../../../openapi/operations.ts';
import { gapValue, type Profile } from '../../../openapi/profile.ts';
import { resolve } from '../../../openapi/resolve.ts';

export interface ConsolePage {
  origin: string;
  close(): Promise<void>;
}

interface Console {
  /** The address of the API, ending in /api/v1. */
  api: string;
  profile: Profile;
  /** A site that the tenant has. */
  siteId: number;
  /** Where the page calls the API: at its own origin unless an address is given. */
  apiBase?: string;
}

const page = readFileSync(new URL('console-page/index.html', import.meta.url));

/** On a free port. */
export async function serveConsolePage({
  api,
  profile,
  siteId,
  apiBase = '/api/v1',
}: Console): Promise<ConsolePage> {
  const config = JSON.stringify({
    apiBase,
    siteId,
    keyHeader: gapValue(profile, 'idempotency.key-header'),
    operations: offeredBy(profile),
  });
  const server = createServer((incoming, outgoing) => {
    const { url = '/' } = incoming;
    if (url.startsWith('/api/')) return void pass(incoming, outgoing, new URL(url, api));
    if (url === '/console-config.json')
      return void outgoing.writeHead(200, { 'content-type': 'application/json' }).end(config);
    outgoing.writeHead(url === '/' ? 200 : 404, { 'content-type': 'text/html' }).end(url === '/' ? page : '');
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

/** The operations that a profile offers, as the page calls them. */
export function offeredBy(profile: Profile) {
  return operationsOf(resolve(profile)).map(
    ({ id, gap, method, path, auth, query, request: sent, success }) => ({
      id,
      gap,
      method,
      path,
      auth,
      query: query?.map(({ parameter, template }) => ({ parameter, template })),
      body: sent?.template,
      pagesInBody: /\{(offset|page|cursor)\}/.test(JSON.stringify(sent?.template ?? '')),
      values: success.layout.values,
      status: success.status,
    }),
  );
}

function pass(incoming: IncomingMessage, outgoing: ServerResponse, to: URL): void {
  const { method, headers } = incoming;
  const onward = request(to, { method, headers: { ...headers, host: to.host } }, (answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(outgoing);
  });
  onward.on('error', () => outgoing.destroy());
  incoming.pipe(onward);
}
