// Compares the pushes of the mock with a bare pool that sends the same bytes.
import { type Child, startChild } from './child.ts';
import { comparePairs, describeSamples, type Sample } from './pair.ts';
import { measureRounds } from './rounds.ts';
import type { Figure } from './row.ts';
import type { Posts } from './servers/poster-server.ts';
import type { Received } from './servers/receiver-server.ts';
import type { Timing } from './timed.ts';

/** The first attempt of a push that fails, and its three retries. */
export const attemptsOfFailure = 4;

/** The attempts of the mock in one round, and those of the pool. */
export type PushPair = readonly [Sample, Sample];

interface PushRounds {
  question: 'push' | 'retry';
  /** The answer of the receiver. */
  status: number;
  rounds: number;
  /** Pushes in a round. */
  count: number;
}

/** Each attempt of the mock beside a post of the pool. */
export async function comparePushes({ question, status, rounds, count }: PushRounds): Promise<PushPair[]> {
  const attempts = question === 'retry' ? attemptsOfFailure * count : count;
  const bench = await openPushBench(status);
  try {
    return await measureRounds(rounds, async () => {
      const mock = sampleOf(await bench.sendByMock(question, count), attempts);
      return [mock, sampleOf(await bench.postByPool(attempts), attempts)] as const;
    });
  } finally {
    await bench.stop();
  }
}

/** How many attempts the mock makes with the CPU time of one post of the pool. */
export function ratioOf(pairs: readonly PushPair[]): Figure {
  const { byCpu, bySpeed } = comparePairs(pairs);
  const pool = describeSamples(pairs.map(([, one]) => one));
  return {
    measured: describeSamples(pairs.map(([mock]) => mock)),
    against: `bare undici pool: ${pool} (${bySpeed.toFixed(2)} of its pushes a second)`,
    value: byCpu,
    unit: 'times',
  };
}

function sampleOf({ seconds, cpuMs }: Timing, attempts: number): Sample {
  return { requestsPerSecond: attempts / seconds, cpuPerRequest: (cpuMs * 1000) / attempts };
}

interface PushBench {
  /** Has the mock send `count` pushes, or as many with all their retries. */
  sendByMock(question: 'push' | 'retry', count: number): Promise<Timing>;
  /** Gives the mock so many pushes that wait for later. */
  leaveWaiting(count: number): Promise<void>;
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
      await checkReceived(question === 'retry' ? attemptsOfFailure * count : count);
      return timing;
    },
    leaveWaiting: async (count) => void (await dispatcher.ask('wait', count)),
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
