// Compares servers that are sent the same requests in alternating rounds.
import type { Call } from './calls.ts';
import type { Child } from './child.ts';
import { sendLoad } from './http-load.ts';
import { median } from './statistics.ts';

/** The speed of a server in one round. */
export interface Sample {
  requestsPerSecond: number;
  /** Of the server's process, in microseconds. */
  cpuPerRequest: number;
}

export interface LoadedServer {
  server: Child<{ origin: string }>;
  amount: number;
}

export async function takeSample({ server, amount }: LoadedServer, calls: readonly Call[]): Promise<Sample> {
  await server.ask('refresh');
  const before = await server.usage();
  const seconds = await sendLoad({ origin: server.about.origin, calls, amount });
  const after = await server.usage();
  return {
    requestsPerSecond: amount / seconds,
    cpuPerRequest: ((after.cpuMs - before.cpuMs) * 1000) / amount,
  };
}

/** How much faster the first server is than the second, by CPU time and by requests per second; medians over the rounds. */
export function comparePairs(pairs: readonly (readonly [Sample, Sample])[]) {
  return {
    byCpu: median(pairs.map(([one, other]) => other.cpuPerRequest / one.cpuPerRequest)),
    bySpeed: median(pairs.map(([one, other]) => one.requestsPerSecond / other.requestsPerSecond)),
  };
}

/** Samples in words, such as "95 µs CPU, 8,000/s". */
export function describeSamples(samples: readonly Sample[]): string {
  const cpu = Math.round(median(samples.map(({ cpuPerRequest }) => cpuPerRequest)));
  const speed = Math.round(median(samples.map(({ requestsPerSecond }) => requestsPerSecond)));
  return `${cpu.toLocaleString('en')} µs CPU, ${speed.toLocaleString('en')}/s`;
}
