// The type checker as a test, so that one runner counts everything.
import { expect, test } from 'vitest';
import { runScript } from './testing/run-script.ts';

test.concurrent.for([
  ['TypeScript has no complaint', 'typescript-7/bin/tsc', '--pretty', 'false'],
  [
    'TypeScript has none of the console either',
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
