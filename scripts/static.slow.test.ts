// The types of the project by the TypeScript that it is written for; `npm test` asks a quicker one.
import { expect, test } from 'vitest';
import { runTool } from './testing/run-tool.ts';

test.for([
  ['the project', '.'],
  ['the console', 'mock/console/page'],
] as const)('TypeScript has no complaint about %s', { timeout: 120_000 }, async ([, project]) => {
  const { failed, output } = await runTool('node_modules/typescript/bin/tsc', [
    '--project',
    project,
    '--pretty',
    'false',
  ]);
  if (failed) expect.fail(output);
});
