// What reads the code and takes longer: the types by the TypeScript that the project is written for, Biome, and what is unused.
import { expect, test } from 'vitest';
import { runScript } from './testing/run-script.ts';
import { compilers } from './testing/type-check-blocks.ts';

test.for([
  ['the project', '.'],
  ['the console', 'mock/console/page'],
] as const)('TypeScript has no complaint about %s', { timeout: 300_000 }, async ([, project]) => {
  const { failed, output } = await runScript(compilers['TypeScript 5'], [
    ...['--project', project],
    ...['--pretty', 'false'],
  ]);
  if (failed) expect.fail(output);
});

test.for([
  ['Biome has no complaint', '@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '--colors=off'],
  ['nothing is unused', 'knip/bin/knip.js', '--no-progress'],
] as const)('%s', { timeout: 300_000 }, async ([, script, ...args]) => {
  const { failed, output } = await runScript(`node_modules/${script}`, args);
  if (failed) expect.fail(output);
});
