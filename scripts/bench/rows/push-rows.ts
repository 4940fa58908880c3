// Pushes that are rendered, signed, sent and logged, beside a bare agent of node:http that posts the same bytes.
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { startChild } from '../child.ts';
import { measureRounds, type Row, ratioOf } from '../row.ts';
import type { Posts } from '../servers/pushes-server.ts';

export const dispatch: Row = {
  id: 'dispatch',
  measure: ({ isQuick }) =>
    comparePushes({
      status: 200,
      attempts: 1,
      ...(isQuick ? { rounds: 2, count: 500 } : { rounds: 20, count: 2000 }),
      most: 1.25,
    }),
};

/** Deliveries that fail, with their 36 minutes of retries on a moved clock. */
export const retries: Row = {
  id: 'retries',
  measure: ({ isQuick }) =>
    comparePushes({
      status: 500,
      attempts: 4,
      ...(isQuick ? { rounds: 2, count: 200 } : { rounds: 10, count: 1000 }),
      most: 1.33,
    }),
};

interface Pushes {
  /** The answer of the receiver. */
  status: number;
  /** How many attempts each push takes. */
  attempts: number;
  rounds: number;
  count: number;
  /** The goal. */
  most: number;
}

async function comparePushes({ status, attempts, rounds, count, most }: Pushes) {
  let received: { count: number; headers: IncomingHttpHeaders; body: string } = {
    count: 0,
    headers: {},
    body: '',
  };
  const receiver = createServer(async (request, response) => {
    const body = (await buffer(request)).toString();
    received = { count: received.count + 1, headers: request.headers, body };
    response.writeHead(status).end('{"ok":true}');
  }).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/sitepub`;
  const [mock, bare] = [await startChild('pushes', url), await startChild('pushes', url)];
  const sent = attempts * count;

  /** The CPU time of an attempt, in microseconds. */
  async function measure(child: typeof mock, work: () => Promise<unknown>): Promise<number> {
    received = { ...received, count: 0 };
    const before = await child.cpuMs();
    await work();
    const after = await child.cpuMs();
    if (received.count !== sent || received.headers['x-webhook-signature'] === undefined)
      throw new Error(
        `${received.count} pushes arrived instead of ${sent} signed ones, so nothing was measured`,
      );
    return ((after - before) * 1000) / sent;
  }

  try {
    const pairs = await measureRounds(rounds, async () => {
      const own = await measure(mock, async () => {
        await mock.ask('push', count);
        if (attempts > 1) await mock.ask('retry');
      });
      const { host, connection, 'content-length': length, ...headers } = received.headers;
      const posts = { headers, body: received.body, count: sent } as Posts;
      return [own, await measure(bare, () => bare.ask('post', posts))] as const;
    });
    return [ratioOf(pairs, { name: 'bare node:http', most })];
  } finally {
    await mock.stop();
    await bare.stop();
    receiver.close();
  }
}
