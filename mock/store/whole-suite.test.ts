// @module-tag nightly
// All tests of the mock, on a world that is kept: after each turn, what is kept must be what is in memory.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { startPostgres } from '../testing/postgres-server.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const vitest = fileURLToPath(new URL('../../node_modules/vitest/vitest.mjs', import.meta.url));

function runOn(store: string): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, [vitest, 'run', 'mock'], {
    cwd: root,
    env: { ...process.env, SITEPUB_TEST_STORE: store, NO_COLOR: '1' },
    encoding: 'utf8',
    maxBuffer: 1e9,
  });
  return status === 0 ? 'passed' : `${stdout}\n${stderr}`.slice(-20_000);
}

test('in a file', { timeout: 600_000 }, () => {
  expect(runOn('file')).toBe('passed');
});

test('in PostgreSQL', { timeout: 600_000 }, async () => {
  const server = await startPostgres({ isDurable: false });
  onTestFinished(server.stop);
  expect(runOn(server.url)).toBe('passed');
});
