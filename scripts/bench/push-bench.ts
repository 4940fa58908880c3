// Compares the pushes of the mock with a bare pool that sends the same bytes.
import { type Child, startChild } from './child.ts';
import type { Posts } from './servers/poster-server.ts';
import type { Received } from './servers/receiver-server.ts';
import type { Timing } from './timed.ts';

interface PushBench {
  /** Has the mock send `count` pushes, or as many with all their retries. */
  sendByMock(question: 'push' | 'retry', count: number): Promise<Timing>;
  /** Posts the last push `count` times. */
  postByPool(count: number): Promise<Timing>;
  stop(): Promise<void>;
}

/** `status` is the answer of the receiver. */
export async function openPushBench(status: number): Promise<PushBench> {
  const receiver = await startChild<{ origin: string }>('receiver', status);
  const url = `${receiver.about.origin}/sitepub`;
  const dispatcher = await startChild('dispatcher', url);
  const poster = await startChild('poster');
  let last: Pick<Received, 'headers' | 'body'> = { headers: {}, body: '' };

  async function checkReceived(want: number): Promise<void> {
    const { count, ...push } = (await receiver.ask('received')) as Received;
    last = push;
    if (count !== want || push.headers['x-webhook-signature'] === undefined)
      throw new Error(`${count} pushes arrived instead of ${want} signed ones, so nothing was measured`);
  }

  return {
    async sendByMock(question, count) {
      const timing = (await dispatcher.ask(question, count)) as Timing;
      await checkReceived(question === 'retry' ? 4 * count : count);
      return timing;
    },
    async postByPool(count) {
      const posts: Posts = { url, headers: headersOf(last), body: last.body, count };
      const timing = (await poster.ask('post', posts)) as Timing;
      await checkReceived(count);
      return timing;
    },
    async stop() {
      for (const child of [dispatcher, poster, receiver] satisfies Child<unknown>[]) await child.stop();
    },
  };
}

/** The headers without those that the client writes itself. */
function headersOf({ headers }: Pick<Received, 'headers'>): Record<string, string> {
  const written = ['host', 'connection', 'content-length'];
  return Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => !written.includes(name))
      .map(([name, value]) => [name, String(value)]),
  );
}
