import { describe, expect, test } from 'vitest';
import { runScript } from './testing/type-check-blocks.ts';

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

describe('with all tools', { tags: ['ci'] }, () => {
  test.for([
    ['Biome has no complaint', '@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '--colors=off'],
    ['nothing is unused', 'knip/bin/knip.js', '--no-progress'],
  ] as const)('%s', { timeout: 300_000 }, async ([, script, ...args]) => {
    const { failed, output } = await runScript(`node_modules/${script}`, args);
    if (failed) expect.fail(output);
  });
});
