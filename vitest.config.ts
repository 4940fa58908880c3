import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './scripts/testing/longest-first.ts';
import { tallyReporter } from './scripts/testing/tally-reporter.ts';

export default defineConfig({
  test: {
    include: ['**/*.test.ts'],
    globalSetup: join(import.meta.dirname, 'scripts/testing/temporary-folder.ts'),
    exclude: ['**/node_modules/**', 'dist/**', '.node24/**'],
    // `npm test` runs what has no tag, `.ci/run` also what has the first, `npm run test:nightly` everything.
    tags: [
      { name: 'ci', description: 'starts whole commands, runs or builds', timeout: 300_000 },
      { name: 'nightly', description: 'takes minutes, or needs PostgreSQL or Chromium', timeout: 600_000 },
    ],
    // A worker for each file would cost 0.4 s a file on two cores; no module has state that could leak.
    isolate: false,
    // Two more than two cores, since some files wait for processes and clocks.
    maxWorkers: 4,
    sequence: { sequencer: LongestFirst },
    // Commands with separate temporary folders would each recompile everything, which takes 0.4 s.
    env: {
      // Hints say `npx sitepub` if npm has started the command, for example with `npm test`.
      npm_command: '',
      NODE_COMPILE_CACHE: join(tmpdir(), 'node-compile-cache'),
      // A developer's proxy would intercept calls from commands to mocks.
      NO_PROXY: [process.env.NO_PROXY ?? [], '127.0.0.1', 'localhost'].flat().join(','),
      no_proxy: [process.env.no_proxy ?? process.env.NO_PROXY ?? [], '127.0.0.1', 'localhost']
        .flat()
        .join(','),
    },
    reporters: ['default', tallyReporter],
    // Some tests start commands that take seconds, and longer on a busy machine.
    testTimeout: 90_000,
    hookTimeout: 180_000,
  },
});
