// `npm run test:nightly`: installs PostgreSQL and Chromium if they are missing, and runs all tests.
import { spawnSync } from 'node:child_process';
import { findPostgres } from '../../mock/testing/postgres-server.ts';
import { chromium } from '../pictures/testing/open-page.ts';

const missing = [
  ...(findPostgres() === undefined ? ['postgresql'] : []),
  ...(chromium === undefined ? ['chromium'] : []),
];
if (missing.length > 0) install(missing);
// In a new process, which finds the installed programs.
const { status } = spawnSync(process.execPath, ['node_modules/vitest/vitest.mjs', 'run'], {
  stdio: 'inherit',
});
process.exitCode = status ?? 1;

/** If an installation fails, the tests that need it fail and say what is missing. */
function install(packages: readonly string[]): void {
  const asRoot = process.getuid?.() === 0 ? [] : ['sudo', '-n'];
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  for (const args of [['update'], ['install', '-y', '--no-install-recommends', ...packages]]) {
    const [command = '', ...rest] = [...asRoot, 'apt-get', ...args];
    const { status } = spawnSync(command, rest, { env, stdio: ['ignore', 'ignore', 'inherit'] });
    if (status !== 0) console.error(`\`${[command, ...rest].join(' ')}\` failed`);
  }
}
