import { type InstalledPackage, installPackage } from '../installed-package.ts';
import { startAndRead, startMockCommand } from '../mock-command.ts';
import { prismCommand, writeForPrism } from '../prism-command.ts';
import { measureRounds } from '../rounds.ts';
import type { Outcome, Row, Scale } from '../row.ts';
import { median } from '../statistics.ts';

/** From the start of the process to the first answer, in a checkout. */
export const coldStart: Row = {
  id: 'cold-start',
  measure: (scale) => measure(scale, { budget: { seconds: 0.5, ofPrism: 0.3 } }),
};

/** The same, as users have it: packed, and installed by npm. */
export const installedStart: Row = {
  id: 'installed-start',
  async measure(scale) {
    const installed = await installPackage();
    try {
      return await measure(scale, { ...installed, budget: { seconds: 0.2, ofPrism: 0.2 } });
    } finally {
      installed.remove();
    }
  },
};

interface Start extends Partial<Pick<InstalledPackage, 'command'>> {
  budget: { seconds: number; ofPrism: number };
}

async function measure({ isQuick }: Scale, { command, budget }: Start): Promise<Outcome> {
  const description = writeForPrism();
  try {
    const pairs = await measureRounds(isQuick ? 1 : 5, async () => {
      return { mock: await startMock(command), prism: await startPrism(description.file) };
    });
    return outcomeOf(pairs, budget);
  } finally {
    description.remove();
  }
}

function outcomeOf(pairs: readonly { mock: number; prism: number }[], budget: Start['budget']): Outcome {
  const mock = median(pairs.map((pair) => pair.mock));
  const prism = median(pairs.map((pair) => pair.prism));
  const measured = `${mock.toFixed(2)} s`;
  return {
    figures: [
      { measured, value: mock, unit: 's', budget: { kind: 'at most', value: budget.seconds } },
      {
        measured,
        against: `Prism: ${prism.toFixed(2)} s`,
        value: median(pairs.map((pair) => pair.mock / pair.prism)),
        unit: 'times',
        budget: { kind: 'at most', value: budget.ofPrism },
      },
    ],
    rounds: pairs,
  };
}

async function startMock(command?: string): Promise<number> {
  const startedAt = performance.now();
  const { ready, stop } = await startMockCommand(command);
  const { status } = await fetch(`${ready.control_url}/health`);
  const seconds = (performance.now() - startedAt) / 1000;
  await stop();
  if (status !== 200) throw new Error(`GET ${ready.control_url}/health is answered with ${status}, not 200`);
  return seconds;
}

async function startPrism(file: string): Promise<number> {
  const startedAt = performance.now();
  const args = [prismCommand, 'mock', file, '--host', '127.0.0.1', '--port', '0', '--multiprocess', 'false'];
  const { match, stop } = await startAndRead(args, /(?<=Prism is listening on )http:\/\/[\w.]+:\d+(?=\s)/);
  await fetch(match);
  const seconds = (performance.now() - startedAt) / 1000;
  await stop();
  return seconds;
}
