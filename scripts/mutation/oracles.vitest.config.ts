import { defineConfig } from 'vitest/config';
import { oracleModules } from './areas.ts';

// biome-ignore lint/style/noDefaultExport: Vitest reads its configuration from there
export default defineConfig({
  test: {
    include: [...oracleModules.map((name) => `contract-tests/${name}.test.ts`), 'openapi/robots/*.test.ts'],
    isolate: false,
  },
});
