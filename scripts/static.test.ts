// The checks that read the code rather than run it, as tests, so that one runner counts everything.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';

const emptyFolder = mkdtempSync(join(tmpdir(), 'sitepub-build-'));
afterAll(() => rmSync(emptyFolder, { recursive: true }));

const root = fileURLToPath(new URL('..', import.meta.url));

test.concurrent.for([
  ['Biome has no complaint', '@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '--colors=off'],
  ['TypeScript has no complaint', 'typescript/bin/tsc', '--pretty', 'false'],
  // What is shipped has declarations, which need names that the sources alone do not.
  [
    'the package can be built',
    'typescript/bin/tsc',
    '--project',
    'tsconfig.build.json',
    '--outDir',
    emptyFolder,
  ],
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
