import { fileURLToPath } from 'node:url';
import { type RolldownOutput, rolldown } from 'rolldown';

/** The script of the console with its libraries, as one module. The package has no Rolldown: it has what this made. */
export async function bundlePage(): Promise<RolldownOutput> {
  const input = fileURLToPath(new URL('page/app.ts', import.meta.url));
  const bundle = await rolldown({ input, platform: 'browser' });
  return bundle.generate({ minify: true });
}
