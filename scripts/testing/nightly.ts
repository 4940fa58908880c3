// `npm run test:nightly`: installs the database and the browser that tests need, and runs all tests of all tiers.
import { spawnSync } from 'node:child_process';
import { findPostgres } from '../../mock/testing/postgres-server.ts';
import { chromium } from '../pictures/testing/open-page.ts';

const missing = [
  ...(findPostgres() === undefined ? ['postgresql'] : []),
  ...(chromium === undefined ? ['chromium'] : []),
];
if (missing.length > 0) install(missing);
// A process of its own, which finds what was installed.
const { status } = spawnSync(process.execPath, ['node_modules/vitest/vitest.mjs', 'run'], {
  stdio: 'inherit',
});
process.exitCode = status ?? 1;

/** What can't be installed makes its tests fail, and they say what is missing. */
function install(packages: readonly string[]): void {
  const asRoot = process.getuid?.() === 0 ? [] : ['sudo', '-n'];
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  for (const args of [['update'], ['install', '-y', '--no-install-recommends', ...packages]]) {
    const [command = '', ...rest] = [...asRoot, 'apt-get', ...args];
    const { status } = spawnSync(command, rest, { env, stdio: ['ignore', 'ignore', 'inherit'] });
    if (status !== 0) console.error(`\`${[command, ...rest].join(' ')}\` failed`);
  }
}
