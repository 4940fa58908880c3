// What `npm test` leaves out because it takes minutes: `npm run test:all`.
import { defineConfig } from 'vitest/config';
import config from './vitest.config.ts';

/** `npm run prove` tries all faults, and for longer than CI should take. */
const leftOut = process.env.CI ? ['scripts/prove/kill-matrix.slow.test.ts'] : [];

export default defineConfig({
  test: {
    ...config.test,
    include: ['**/*.slow.test.ts'],
    // They start whole runs, several beside one another; the limit only ends what hangs.
    testTimeout: 300_000,
    hookTimeout: 180_000,
    exclude: ['**/node_modules/**', '.node24/**', ...leftOut],
  },
});
