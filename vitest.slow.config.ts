// What `npm test` leaves out because it takes minutes: `npm run test:all`.
import { defineConfig } from 'vitest/config';
import config from './vitest.config.ts';

/** Not run to their end since the checks last changed, so they decide nothing in CI yet; `npm run prove` covers the kill matrix. */
const notInCi = ['discover', 'discover-names', 'discover-odd', 'population'].map(
  (name) => `contract-tests/self/${name}.slow.test.ts`,
);
const leftOut = process.env.CI ? [...notInCi, 'scripts/prove/kill-matrix.slow.test.ts'] : [];

export default defineConfig({
  test: {
    ...config.test,
    include: ['**/*.slow.test.ts'],
    exclude: ['**/node_modules/**', '.node24/**', ...leftOut],
  },
});
