// What it costs the mock that somebody looks at its console: the same logins with and without the page open, in alternating rounds.
// And how long who looks waits: from the beginning of a load to the first of 1,000 requests, or of 500 pushes.
import { startMock } from '../../../mock/start.ts';
import { fillMock } from '../../pictures/fill-mock.ts';
import { withPageAt } from '../../pictures/open-page.ts';
import { accessTo } from '../bench-world.ts';
import { createCallMaker } from '../calls.ts';
import { startChild } from '../child.ts';
import { describeSamples, type LoadedServer, takeSample } from '../pair.ts';
import { measureRounds } from '../rounds.ts';
import type { Outcome, Row, Scale } from '../row.ts';
import { median } from '../statistics.ts';

const tenants = 1000;

const desk = { width: 1280, scheme: 'light' } as const;

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
      const watched = await withPageAt({ url, ...desk }, async (page) => {
        await page.waitForSelector('.state .good');
        return takeSample(loaded, calls);
      });
      return [watched, alone] as const;
    });
    const more = median(pairs.map(([watched, alone]) => watched.cpuPerRequest / alone.cpuPerRequest));
    const waits = await timeViews(isQuick ? 1 : 5);
    return {
      figures: [
        {
          measured: describeSamples(pairs.map(([watched]) => watched)),
          against: `without the page: ${describeSamples(pairs.map(([, alone]) => alone))}`,
          value: more,
          unit: 'times the CPU',
          budget: { kind: 'at most', value: 1.03 },
        },
        ...waits.map(([view, seconds]) => ({
          measured: `${view} shown`,
          value: median(seconds),
          unit: 's',
          budget: { kind: 'at most', value: 1 } as const,
        })),
      ],
      rounds: pairs,
    };
  } finally {
    await server.stop();
  }
}

/** In seconds: how long each of some loads takes to show something, by view. */
async function timeViews(loads: number): Promise<[view: string, seconds: number[]][]> {
  const mock = await startMock();
  try {
    await fillMock(mock, { requests: 1000, pushes: 500 });
    return await withPageAt({ url: 'about:blank', ...desk }, async (page) => {
      const views: [string, number[]][] = [
        ['requests', []],
        ['deliveries', []],
      ];
      for (const [view, seconds] of Array.from({ length: loads }, () => views).flat()) {
        await page.goto('about:blank');
        await page.goto(`${mock.controlUrl}/console#${view}`);
        await page.waitForSelector(`.row.${view === 'requests' ? 'request' : 'delivery'}`);
        seconds.push(Number(await page.evaluate('performance.now()')) / 1000);
      }
      return views;
    });
  } finally {
    await mock.close();
  }
}
