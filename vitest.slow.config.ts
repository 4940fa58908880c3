// What `npm test` leaves out because it takes minutes: `npm run test:all`.
import { defineConfig } from 'vitest/config';
import config from './vitest.config.ts';

export default defineConfig({
  test: { ...config.test, include: ['**/*.slow.test.ts'], exclude: ['**/node_modules/**', '.node24/**'] },
});
