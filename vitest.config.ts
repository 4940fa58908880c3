import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { tallyReporter } from './scripts/tally-reporter.ts';

export default defineConfig({
  test: {
    include: ['**/*.test.ts'],
    // What takes minutes is in files of its own: vitest.slow.config.ts.
    exclude: ['**/*.slow.test.ts', '**/node_modules/**', 'dist/**', '.node24/**'],
    // A worker for each file would cost 0.4 s a file on two cores; no module keeps state that could leak.
    isolate: false,
    // Vitest leaves a core to itself, but most of our time is spent waiting.
    maxWorkers: 2,
    // Commands that tests start with a temporary folder of their own would each compile everything anew: 0.4 s of a core.
    env: { NODE_COMPILE_CACHE: join(tmpdir(), 'node-compile-cache') },
    reporters: ['default', tallyReporter],
    // Some tests start commands that take seconds by themselves, and more of them where a machine is busy.
    testTimeout: 90_000,
    hookTimeout: 60_000,
  },
});
