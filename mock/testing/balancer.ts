// A load balancer for tests: it sends the calls to all ready mocks in turn.
import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';

const askEveryMs = 100;

export async function openBalancer() {
  const readyOf = new Map<string, boolean>();
  const counts = new Map<string, number>();
  const agent = new Agent({ keepAlive: true });
  let latest = 0;
  const server = createServer((incoming, response) => void pass(incoming, response));
  const timer = setInterval(() => {
    for (const origin of readyOf.keys())
      void answers(origin).then((isReady) => readyOf.has(origin) && readyOf.set(origin, isReady));
  }, askEveryMs);

  async function pass(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(incoming).catch(() => undefined);
    if (!body) return;
    const ready = [...readyOf.keys()].filter((origin) => readyOf.get(origin));
    const first = ++latest % ready.length;
    for (const origin of [...ready.slice(first), ...ready.slice(0, first)]) {
      try {
        return await forward(origin, incoming, response, body);
      } catch (error) {
        // After any other error, the mock may already have run the call.
        if ((error as NodeJS.ErrnoException).code === 'ECONNREFUSED') continue;
        if (response.headersSent) response.destroy();
        else response.writeHead(502).end(`${origin}: ${error}`);
        return;
      }
    }
    response.writeHead(502).end('no mock is ready');
  }

  async function forward(origin: string, incoming: IncomingMessage, response: ServerResponse, body: Buffer) {
    const { url = '/', method, headers } = incoming;
    const call = request(origin + url, { method, headers, agent });
    response.on('close', () => call.destroy());
    call.end(body);
    const [answer] = (await once(call, 'response')) as [IncomingMessage];
    counts.set(origin, (counts.get(origin) ?? 0) + 1);
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    await pipeline(answer, response);
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Sends calls also to the mock with this origin, as soon as it is ready. */
    async add(url: string): Promise<void> {
      const { origin } = new URL(url);
      while (!(await answers(origin)));
      readyOf.set(origin, true);
    },
    remove: (url: string) => void readyOf.delete(new URL(url).origin),
    /** Calls by origin of the mock. */
    counts: counts as ReadonlyMap<string, number>,
    close() {
      clearInterval(timer);
      agent.destroy();
      server.closeAllConnections();
      server.close();
    },
  };
}

async function answers(origin: string): Promise<boolean> {
  const asked = fetch(`${origin}/_mock/ready`, { signal: AbortSignal.timeout(5000) });
  return asked.then(({ status }) => status === 200).catch(() => false);
}
