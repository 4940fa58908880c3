// What it costs to keep the world in a file, compared with the world in memory.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Call } from '../calls.ts';
import { type Child, startChild } from '../child.ts';
import { comparePairs, describeSamples, type LoadedServer, type Sample, takeSample } from '../pair.ts';
import { measureRounds } from '../rounds.ts';
import type { Figure, Row } from '../row.ts';
import type { KeptMock } from '../servers/kept-mock-server.ts';
import { compareSingleCalls } from '../single-calls.ts';
import { createWebhookCalls } from './request-rows.ts';

interface KeptServer {
  origin: string;
  startSeconds: number;
}

/** Of the world that is loaded: each has a user, a key and a site, besides itself. */
const loadedTenants = 5000;
const entriesOfTenant = 4;

export const store: Row = {
  id: 'store',
  async measure({ isQuick }) {
    const [rounds, amount] = isQuick ? [3, 1000] : [15, 4000];
    const folder = mkdtempSync(join(tmpdir(), 'sitepub-bench-store-'));
    const tenants = 1000;
    const calls = createWebhookCalls(tenants);
    const memory = await startChild<{ origin: string }>('mock', tenants);
    const kept = await startKept({ store: `file:${join(folder, 'mock.db')}`, tenants });
    try {
      const pairs = await measureRounds(rounds, () => comparePair([kept, memory], calls, amount));
      const single = await compareSingleCalls([kept, memory], calls, rounds);
      const start = await measureStart(`file:${join(folder, 'large.db')}`, isQuick ? 500 : loadedTenants);
      return {
        figures: [...figuresOf(pairs), single.figure, start],
        rounds: [...pairs, ...single.rounds],
      };
    } finally {
      for (const child of [kept, memory]) await child.stop();
      rmSync(folder, { recursive: true });
    }
  },
};

function startKept(argument: KeptMock): Promise<Child<KeptServer>> {
  return startChild<KeptServer>('kept-mock', argument);
}

type Servers = readonly [kept: LoadedServer['server'], memory: LoadedServer['server']];

async function comparePair([kept, memory]: Servers, calls: readonly Call[], amount: number) {
  const first = await takeSample({ server: kept, amount }, calls);
  return [first, await takeSample({ server: memory, amount }, calls)] as const;
}

function figuresOf(pairs: readonly (readonly [Sample, Sample])[]): Figure[] {
  const { byCpu, bySpeed } = comparePairs(pairs);
  const measured = describeSamples(pairs.map(([kept]) => kept));
  const against = `in memory: ${describeSamples(pairs.map(([, memory]) => memory))}`;
  return [
    {
      measured,
      against: `${against} (${byCpu.toFixed(2)} by CPU time)`,
      value: bySpeed,
      unit: 'times as many a second',
      budget: { kind: 'at least', value: 0.4 },
    },
  ];
}

async function measureStart(url: string, tenants: number): Promise<Figure> {
  const first = await startKept({ store: url, tenants });
  await first.ask('close');
  await first.stop();
  const second = await startKept({ store: url, tenants });
  const { startSeconds } = second.about;
  await second.ask('close');
  await second.stop();
  return {
    measured: `start with ${(tenants * entriesOfTenant).toLocaleString('en')} entries: ${startSeconds.toFixed(2)} s`,
    value: startSeconds,
    unit: 's',
    budget: { kind: 'at most', value: 1 },
  };
}
