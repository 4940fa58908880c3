// Pushes that the mock renders, signs, sends and logs, compared with node:http posting the same bytes.
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { type Figure, measureRounds, type Row, ratioOf } from './row.ts';
import { cpuOf, startServer } from './server.ts';
import type { Posts } from './servers/pushes-server.ts';

export const dispatch: Row = (isQuick) =>
  comparePushes({
    status: 200,
    attempts: 1,
    ...(isQuick ? { rounds: 2, count: 500 } : { rounds: 20, count: 2000 }),
    most: 1.25,
  });

/** Failing deliveries with 36 minutes of retries on a manual clock. */
export const retries: Row = (isQuick) =>
  comparePushes({
    status: 500,
    attempts: 4,
    ...(isQuick ? { rounds: 2, count: 200 } : { rounds: 10, count: 1000 }),
    most: 1.33,
  });

interface Pushes {
  status: number;
  attempts: number;
  rounds: number;
  count: number;
  most: number;
}

async function comparePushes({ status, attempts, rounds, count, most }: Pushes): Promise<Figure[]> {
  let arrived = 0;
  let latest: { headers: IncomingHttpHeaders; body: string } = { headers: {}, body: '' };
  const receiver = createServer(async (request, response) => {
    arrived++;
    latest = { headers: request.headers, body: await text(request) };
    response.writeHead(status).end('{"ok":true}');
  }).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/sitepub`;
  await using mock = await startServer('pushes', url);
  await using bare = await startServer('pushes', url);
  const sent = attempts * count;

  /** CPU time per attempt. */
  async function measure(server: typeof mock, work: () => Promise<unknown>): Promise<number> {
    arrived = 0;
    const spent = await cpuOf(server, sent, work);
    if (arrived === sent && latest.headers['x-webhook-signature'] !== undefined) return spent;
    throw new Error(`${arrived} pushes arrived instead of ${sent} signed ones, so nothing was measured`);
  }

  const pairs = await measureRounds(rounds, async () => {
    const own = await measure(mock, async () => {
      await mock.ask('push', count);
      if (attempts > 1) await mock.ask('retry');
    });
    const { host, connection, 'content-length': length, ...headers } = latest.headers;
    const posts = { headers, body: latest.body, count: sent } as Posts;
    return [own, await measure(bare, () => bare.ask('post', posts))] as const;
  });
  receiver.close();
  return [ratioOf(pairs, { name: 'bare node:http', most })];
}
