import { describe, expect, test } from 'vitest';
import { runScript } from './testing/type-check-blocks.ts';

test.concurrent.for([
  ['TypeScript finds no error', 'typescript-7/bin/tsc', '--pretty', 'false'],
  [
    'TypeScript finds no error in the console',
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
    ['Biome finds no problem', '@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '--colors=off'],
    ['knip finds nothing unused', 'knip/bin/knip.js', '--no-progress'],
  ] as const)('%s', { timeout: 300_000 }, async ([, script, ...args]) => {
    const { failed, output } = await runScript(`node_modules/${script}`, args);
    if (failed) expect.fail(output);
  });
});
