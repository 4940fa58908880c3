// The types of the project by the TypeScript that it is written for; `npm test` asks a quicker one.
import { expect, test } from 'vitest';
import { runScript } from './testing/run-script.ts';
import { compilers } from './testing/type-check-blocks.ts';

test.for([
  ['the project', '.'],
  ['the console', 'mock/console/page'],
] as const)('TypeScript has no complaint about %s', { timeout: 120_000 }, async ([, project]) => {
  const { failed, output } = await runScript(compilers['TypeScript 5'], [
    ...['--project', project],
    ...['--pretty', 'false'],
  ]);
  if (failed) expect.fail(output);
});
