// What sends pushes, and what sends the same bytes with nothing around it.
import { type Child, startChild } from './child.ts';
import type { Posts } from './servers/poster-server.ts';
import type { Received } from './servers/receiver-server.ts';
import type { Timing } from './timed.ts';

export interface PushBench {
  /** Has the mock send so many pushes, or as many with all their retries. */
  sendByMock(question: 'push' | 'retry', count: number): Promise<Timing>;
  /** Posts the push that came last so many times. */
  postByPool(count: number): Promise<Timing>;
  stop(): Promise<void>;
}

/** `status` is what their receiver answers. */
export async function openPushBench(status: number): Promise<PushBench> {
  const receiver = await startChild<{ origin: string }>('receiver', status);
  const url = `${receiver.about.origin}/sitepub`;
  const dispatcher = await startChild('dispatcher', url);
  const poster = await startChild('poster');
  let last: Pick<Received, 'headers' | 'body'> = { headers: {}, body: '' };

  async function check(want: number): Promise<void> {
    const { count, ...push } = (await receiver.ask('received')) as Received;
    last = push;
    if (count !== want || push.headers['x-webhook-signature'] === undefined)
      throw new Error(`${count} pushes arrived where ${want} signed ones were to, so nothing was measured`);
  }

  return {
    async sendByMock(question, count) {
      const took = (await dispatcher.ask(question, count)) as Timing;
      await check(question === 'retry' ? 4 * count : count);
      return took;
    },
    async postByPool(count) {
      const posts: Posts = { url, headers: headersOf(last), body: last.body, count };
      const took = (await poster.ask('post', posts)) as Timing;
      await check(count);
      return took;
    },
    async stop() {
      for (const child of [dispatcher, poster, receiver] satisfies Child<unknown>[]) await child.stop();
    },
  };
}

/** Without those that the client writes itself. */
function headersOf({ headers }: Pick<Received, 'headers'>): Record<string, string> {
  const own = ['host', 'connection', 'content-length'];
  return Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => !own.includes(name))
      .map(([name, value]) => [name, String(value)]),
  );
}
