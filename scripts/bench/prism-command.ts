import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rootedDescription } from './schemas.ts';

/** The module that is Prism's command. */
export const prismCommand = fileURLToPath(
  new URL('../../node_modules/@stoplight/prism-cli/dist/index.js', import.meta.url),
);

/** The description in a file, as Prism understands it: it matches paths without those of the servers. */
export function writeForPrism(): { file: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'sitepub-bench-'));
  const file = join(folder, 'description.json');
  writeFileSync(file, JSON.stringify(rootedDescription()));
  return { file, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
