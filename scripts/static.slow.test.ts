// What reads the code and takes longer than the type checker: Biome, and what is unused.
import { expect, test } from 'vitest';
import { runScript } from './testing/run-script.ts';

test.for([
  ['Biome has no complaint', '@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '--colors=off'],
  ['nothing is unused', 'knip/bin/knip.js', '--no-progress'],
] as const)('%s', { timeout: 300_000 }, async ([, script, ...args]) => {
  const { failed, output } = await runScript(`node_modules/${script}`, args);
  if (failed) expect.fail(output);
});
