// Mocks that share a world, under load that a balancer would spread.
import type { PostgresServer } from '../../mock/testing/postgres-server.ts';
import type { Call } from './calls.ts';
import type { Child } from './child.ts';
import { sendLoad } from './http-load.ts';

export interface Deployment {
  mocks: readonly Child<{ origin: string; controlUrl: string }>[];
  database?: Pick<PostgresServer, 'cpuMs'>;
}

/** Times in microseconds; `enginePerCall` is that of the database. */
export interface SharedSample {
  callsPerSecond: number;
  cpuPerCall: number;
  enginePerCall: number;
}

/** Of all mocks together. */
const connections = 32;

interface SharedLoad {
  calls: readonly Call[];
  amount: number;
}

/** `end` waits for what the calls have caused. */
export async function takeSharedSample(
  { mocks, database }: Deployment,
  { calls, amount }: SharedLoad,
  end?: () => Promise<void>,
): Promise<SharedSample> {
  // Once for all: they share a clock.
  await mocks[0]?.ask('refresh');
  const before = await usageOf(mocks);
  const engineBefore = database?.cpuMs() ?? 0;
  const share = Math.round(amount / mocks.length);
  const startedAt = performance.now();
  await Promise.all(
    mocks.map(({ about: { origin } }, index) => {
      const start = index * share;
      const own = [...calls.slice(start), ...calls.slice(0, start)];
      return sendLoad({ origin, calls: own, amount: share, connections: connections / mocks.length });
    }),
  );
  await end?.();
  const seconds = (performance.now() - startedAt) / 1000;
  const sent = share * mocks.length;
  return {
    callsPerSecond: sent / seconds,
    cpuPerCall: (((await usageOf(mocks)) - before) * 1000) / sent,
    enginePerCall: (((database?.cpuMs() ?? 0) - engineBefore) * 1000) / sent,
  };
}

async function usageOf(mocks: Deployment['mocks']): Promise<number> {
  const usages = await Promise.all(mocks.map((mock) => mock.usage()));
  return usages.reduce((sum, { cpuMs }) => sum + cpuMs, 0);
}

/** Worlds like main, by names; called once at each mock. */
export async function addWorlds({ mocks }: Deployment, count: number): Promise<string[]> {
  const names = Array.from({ length: count }, (_, index) => `world-${index + 1}`);
  for (const name of names) await mocks[0]?.ask('add', name);
  return names;
}
