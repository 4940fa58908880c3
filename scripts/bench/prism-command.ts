import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rootedDescription } from './schemas.ts';

/** The module of Prism's command. */
export const prismCommand = fileURLToPath(
  new URL('../../node_modules/@stoplight/prism-cli/dist/index.js', import.meta.url),
);

/** A file of the description for Prism, which ignores the paths of `servers` when it matches. */
export function writeForPrism(): { file: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'sitepub-bench-'));
  const file = join(folder, 'description.json');
  writeFileSync(file, JSON.stringify(rootedDescription()));
  return { file, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
