// What it costs the mock that somebody looks at its console: the same logins with and without the page open, in alternating rounds.
import { withPageAt } from '../../pictures/open-page.ts';
import { accessTo } from '../bench-world.ts';
import { createCallMaker } from '../calls.ts';
import { startChild } from '../child.ts';
import { describeSamples, type LoadedServer, takeSample } from '../pair.ts';
import { measureRounds } from '../rounds.ts';
import type { Outcome, Row, Scale } from '../row.ts';
import { median } from '../statistics.ts';

const tenants = 1000;

export const watched: Row = { id: 'console', measure };

async function measure({ isQuick }: Scale): Promise<Outcome> {
  const [rounds, amount] = isQuick ? [3, 2000] : [25, 4000];
  const make = createCallMaker();
  const calls = Array.from({ length: tenants }, (_, index) => make('login', { ...accessTo(index + 1) }));
  const server = await startChild<{ origin: string; controlUrl: string }>('mock', tenants);
  const loaded: LoadedServer = { server, amount };
  try {
    const pairs = await measureRounds(rounds, async () => {
      const alone = await takeSample(loaded, calls);
      const url = `${server.about.controlUrl}/console`;
      const watched = await withPageAt({ url, width: 1280, scheme: 'light' }, async (page) => {
        await page.waitForSelector('.state .good');
        return takeSample(loaded, calls);
      });
      return [watched, alone] as const;
    });
    const more = median(pairs.map(([watched, alone]) => watched.cpuPerRequest / alone.cpuPerRequest));
    return {
      figures: [
        {
          measured: describeSamples(pairs.map(([watched]) => watched)),
          against: `without the page: ${describeSamples(pairs.map(([, alone]) => alone))}`,
          value: more,
          unit: 'times the CPU',
          budget: { kind: 'at most', value: 1.03 },
        },
      ],
      rounds: pairs,
    };
  } finally {
    await server.stop();
  }
}
