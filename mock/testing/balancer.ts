// A load balancer for tests: gives each call to the next mock in turn, and to none that is not ready.
import { once } from 'node:events';
import {
  Agent,
  createServer,
  get,
  type IncomingMessage,
  type RequestOptions,
  request,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Balancer {
  /** Without a path. */
  url: string;
  /** Begins to lead calls to a mock, of which any address is given. Returns when it is ready. */
  add(url: string): Promise<void>;
  /** Ends to. */
  remove(url: string): void;
  /** How many calls each was given, by its origin. */
  counts: ReadonlyMap<string, number>;
  close(): void;
}

const askEveryMs = 100;
/** Headers of a connection, and not of what is sent by it. */
const ofConnection = new Set(['connection', 'keep-alive', 'transfer-encoding']);

export async function openBalancer(): Promise<Balancer> {
  const backends = new Map<string, { isReady: boolean }>();
  const counts = new Map<string, number>();
  const agent = new Agent({ keepAlive: true });
  let latest = 0;
  const server = createServer((incoming, response) => void pass(incoming, response));
  const timer = setInterval(() => {
    for (const origin of backends.keys()) void ask(origin);
  }, askEveryMs);

  async function ask(origin: string): Promise<void> {
    const isReady = await answers(`${origin}/_mock/ready`);
    const backend = backends.get(origin);
    if (backend) backend.isReady = isReady;
  }

  async function pass(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of incoming as AsyncIterable<Buffer>) chunks.push(chunk);
    } catch {
      // The caller is gone.
      return;
    }
    const refused = new Set<string>();
    for (let origin = next(refused); origin !== undefined; origin = next(refused)) {
      const problem = await forward(origin, { incoming, response, body: Buffer.concat(chunks) });
      if (problem === undefined) return;
      refused.add(origin);
      // Anything else may have happened already.
      if (problem.code !== 'ECONNREFUSED') {
        response.writeHead(502).end(`${origin}: ${problem.message}`);
        return;
      }
    }
    response.writeHead(502).end('no mock is ready');
  }

  function next(refused: ReadonlySet<string>): string | undefined {
    const ready = [...backends].filter(([origin, { isReady }]) => isReady && !refused.has(origin));
    const [origin] = ready[latest++ % ready.length] ?? [];
    return origin;
  }

  /** Returns why it was not answered. */
  async function forward(origin: string, { incoming, response, body }: Passed): Promise<Problem | undefined> {
    const headers = withoutConnection(incoming.rawHeaders);
    const isChunked = incoming.headers['transfer-encoding'] !== undefined;
    if (isChunked) headers.push('content-length', String(body.length));
    const { method, url: path } = incoming;
    const { hostname, port } = new URL(origin);
    const options: RequestOptions = { hostname, port, path: path ?? '/', method: method ?? 'GET', headers };
    const outgoing = request({ ...options, agent });
    response.on('close', () => outgoing.destroy());
    outgoing.end(body);
    try {
      const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
      outgoing.on('error', () => response.destroy());
      counts.set(origin, (counts.get(origin) ?? 0) + 1);
      response.writeHead(
        answer.statusCode ?? 502,
        answer.statusMessage,
        withoutConnection(answer.rawHeaders),
      );
      answer.on('error', () => response.destroy());
      answer.pipe(response);
      return undefined;
    } catch (error) {
      return error as Problem;
    }
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async add(url) {
      const { origin } = new URL(url);
      while (!(await answers(`${origin}/_mock/ready`)));
      backends.set(origin, { isReady: true });
    },
    remove: (url) => void backends.delete(new URL(url).origin),
    counts,
    close() {
      clearInterval(timer);
      agent.destroy();
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

type Problem = Error & { code?: string };

function withoutConnection(rawHeaders: readonly string[]): string[] {
  return rawHeaders.filter(
    (_, index) => !ofConnection.has(rawHeaders[index - (index % 2)]?.toLowerCase() ?? ''),
  );
}

/** Whether it answers with 200. */
function answers(url: string): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const asked = get(url, { agent: false, timeout: 5000 }, (answer) => {
    answer.resume();
    resolve(answer.statusCode === 200);
  });
  asked.on('timeout', () => asked.destroy());
  asked.on('error', () => resolve(false));
  return promise;
}
