import { defineConfig } from 'vitest/config';
import { judging } from './areas.ts';

// biome-ignore lint/style/noDefaultExport: Vitest reads its configuration from there
export default defineConfig({
  test: { include: judging.map((name) => `contract-tests/${name}.test.ts`), isolate: false },
});
