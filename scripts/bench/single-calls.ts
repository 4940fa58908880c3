// One call after the other, as somebody waits for each.
import type { Call } from './calls.ts';
import type { Child } from './child.ts';
import { measureRounds } from './rounds.ts';
import type { Figure } from './row.ts';
import { median } from './statistics.ts';

type Server = Child<{ origin: string }>;

const amount = 200;

/** How much longer a call takes where the world is kept than where it is in memory. */
export async function compareSingleCalls(
  [kept, memory]: readonly [Server, Server],
  calls: readonly Call[],
  count: number,
): Promise<{ figure: Figure; rounds: readonly unknown[] }> {
  const rounds = await measureRounds(
    count,
    async () => [await timeOfCall(kept, calls), await timeOfCall(memory, calls)] as const,
  );
  const inMs = (times: number[]) => `${median(times).toFixed(2)} ms`;
  return {
    figure: {
      measured: `one call at a time: ${inMs(rounds.map(([time]) => time))}`,
      against: `in memory: ${inMs(rounds.map(([, time]) => time))}`,
      value: median(rounds.map(([one, other]) => one / other)),
      unit: 'times as long',
      budget: { kind: 'at most', value: 4 },
    },
    rounds,
  };
}

/** What half of them take at most, in milliseconds, by Node's fetch. Throws where a call is refused. */
async function timeOfCall(server: Server, calls: readonly Call[]): Promise<number> {
  await server.ask('refresh');
  const { origin } = server.about;
  const times: number[] = [];
  for (const { method, path, headers, body } of calls.slice(0, amount)) {
    const startedAt = performance.now();
    const answer = await fetch(`${origin}${path}`, { method, headers, ...(body !== undefined && { body }) });
    const text = await answer.text();
    times.push(performance.now() - startedAt);
    if (!answer.ok) throw new Error(`${method} ${path} at ${origin} was answered ${answer.status}: ${text}`);
  }
  return median(times);
}
