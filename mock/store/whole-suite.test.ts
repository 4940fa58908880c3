// @module-tag nightly
// Runs the tests of the mock with a store; after each turn, the store must equal the memory.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { startPostgres } from '../testing/postgres-server.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const vitest = fileURLToPath(new URL('../../node_modules/vitest/vitest.mjs', import.meta.url));

function runOn(store: string): string {
  // Nightly tests start their own stores, and this test is one of them.
  const tiers = ['--tagsFilter', '!nightly'];
  const { status, stdout, stderr } = spawnSync(process.execPath, [vitest, 'run', 'mock', ...tiers], {
    cwd: root,
    env: { ...process.env, TEST_STORE: store, NO_COLOR: '1' },
    encoding: 'utf8',
    maxBuffer: 1e9,
  });
  return status === 0 ? 'passed' : `${stdout}\n${stderr}`.slice(-20_000);
}

test('in a file', { timeout: 1_200_000 }, () => {
  expect(runOn('file')).toBe('passed');
});

test('in PostgreSQL', { timeout: 1_200_000 }, async () => {
  const server = await startPostgres({ isDurable: false });
  onTestFinished(server.stop);
  expect(runOn(server.url)).toBe('passed');
});
