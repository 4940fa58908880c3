import { fileURLToPath } from 'node:url';
import { type RolldownOutput, rolldown } from 'rolldown';

/** Bundles the console's script; the published package contains the result, since it has no Rolldown. */
export async function bundlePage(): Promise<RolldownOutput> {
  const input = fileURLToPath(new URL('page/app.ts', import.meta.url));
  const bundle = await rolldown({ input, platform: 'browser' });
  return bundle.generate({ minify: true });
}
