// The checks that read the code rather than run it, as tests, so that one runner counts everything.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));

test.concurrent.for([
  ['Biome has no complaint', '@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '--colors=off'],
  ['TypeScript has no complaint', 'typescript/bin/tsc', '--pretty', 'false'],
  [
    'TypeScript has none of the console either',
    'typescript/bin/tsc',
    '--project',
    'mock/console/page',
    '--pretty',
    'false',
  ],
  ['nothing is unused', 'knip/bin/knip.js', '--no-progress'],
] as const)('%s', { timeout: 120_000 }, async ([, script, ...args]) => {
  const { failed, output } = await run(`node_modules/${script}`, args);
  if (failed) expect.fail(output);
});

function run(script: string, args: string[]) {
  return new Promise<{ failed: boolean; output: string }>((resolve) => {
    execFile(process.execPath, [script, ...args], { cwd: root }, (error, stdout, stderr) => {
      resolve({ failed: error !== null, output: stdout + stderr || String(error) });
    });
  });
}
