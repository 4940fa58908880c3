// The type checker as a test, so that one runner counts everything.
import { expect, test } from 'vitest';
import { runScript } from './testing/run-script.ts';

test.concurrent.for([
  // The newest one, in a third of the time; static.slow.test.ts asks the one that the project is written for, Biome, and whether anything is unused.
  ['TypeScript 7 has no complaint', 'typescript-7/bin/tsc', '--pretty', 'false'],
  [
    'TypeScript 7 has none of the console either',
    'typescript-7/bin/tsc',
    '--project',
    'mock/console/page',
    '--pretty',
    'false',
  ],
] as const)('%s', { timeout: 120_000 }, async ([, script, ...args]) => {
  const { failed, output } = await runScript(`node_modules/${script}`, args);
  if (failed) expect.fail(output);
});
