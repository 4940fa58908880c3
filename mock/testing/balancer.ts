// A load balancer for tests: gives each call to the next mock in turn, and to none that is not ready.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { Agent } from 'undici';

const askEveryMs = 100;
/** Headers of a connection, and not of what is sent by it. */
const ofConnection = new Set(['connection', 'keep-alive', 'transfer-encoding']);

export async function openBalancer() {
  const backends = new Map<string, { isReady: boolean }>();
  const counts = new Map<string, number>();
  const dispatcher = new Agent();
  let latest = 0;
  const server = createServer((incoming, response) => void pass(incoming, response));
  const timer = setInterval(() => {
    for (const [origin, backend] of backends)
      void answers(origin).then((isReady) => Object.assign(backend, { isReady }));
  }, askEveryMs);

  function next(refused: ReadonlySet<string>): string | undefined {
    const ready = [...backends].filter(([origin, { isReady }]) => isReady && !refused.has(origin));
    return ready[latest++ % ready.length]?.[0];
  }

  async function pass(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(incoming).catch(() => undefined);
    // The caller is gone.
    if (!body) return;
    const refused = new Set<string>();
    for (let origin = next(refused); origin !== undefined; origin = next(refused)) {
      try {
        return await forward(origin, { incoming, response, body });
      } catch (error) {
        refused.add(origin);
        // Anything else may have happened already.
        if ((error as NodeJS.ErrnoException).code === 'ECONNREFUSED') continue;
        if (response.headersSent) response.destroy();
        else response.writeHead(502).end(`${origin}: ${error}`);
        return;
      }
    }
    response.writeHead(502).end('no mock is ready');
  }

  async function forward(origin: string, { incoming, response, body }: Passed): Promise<void> {
    const ended = new AbortController();
    response.on('close', () => ended.abort());
    const answer = await dispatcher.request({
      origin,
      path: incoming.url ?? '/',
      method: (incoming.method ?? 'GET') as 'GET',
      headers: withoutConnection(incoming.rawHeaders),
      body: body.length > 0 ? body : null,
      responseHeaders: 'raw',
      signal: ended.signal,
    });
    counts.set(origin, (counts.get(origin) ?? 0) + 1);
    const headers = answer.headers as unknown as (string | Buffer)[];
    response.writeHead(answer.statusCode, withoutConnection(headers.map(String)));
    await pipeline(answer.body, response);
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    /** Without a path. */
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Begins to lead calls to a mock, of which any address is given. Returns when it is ready. */
    async add(url: string): Promise<void> {
      const { origin } = new URL(url);
      while (!(await answers(origin)));
      backends.set(origin, { isReady: true });
    },
    /** Ends to. */
    remove: (url: string) => void backends.delete(new URL(url).origin),
    /** How many calls each was given, by its origin. */
    counts,
    close(): void {
      clearInterval(timer);
      void dispatcher.destroy();
      server.closeAllConnections();
      server.close();
    },
  };
}

interface Passed {
  incoming: IncomingMessage;
  response: ServerResponse;
  body: Buffer;
}

function withoutConnection(rawHeaders: readonly string[]): string[] {
  return rawHeaders.filter(
    (_, index) => !ofConnection.has(rawHeaders[index - (index % 2)]?.toLowerCase() ?? ''),
  );
}

/** Whether a mock is ready. */
async function answers(origin: string): Promise<boolean> {
  const asked = fetch(`${origin}/_mock/ready`, { signal: AbortSignal.timeout(5000) });
  return asked.then(({ status }) => status === 200).catch(() => false);
}
