// The pages of the manual, as they belong to this version.
import { globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';

/** By the package's name, since built and unbuilt files are at different depths. */
export const packageRoot = dirname(createRequire(import.meta.url).resolve('sitepub/package.json'));

/** The files of the pages by topic: README first, then docs/ by name, then what has changed. */
export function manualPages(): Map<string, string> {
  const found = ['README*.md', 'docs/*.md', 'CHANGELOG.md'].flatMap((pattern) =>
    byName(globSync(pattern, { cwd: packageRoot })),
  );
  return new Map(found.map((path) => [nameOf(path), join(packageRoot, path)]));
}

/** Without their endings: "readme" comes before "readme.zh-cn". */
function byName(paths: readonly string[]): string[] {
  return paths.toSorted((one, other) => (nameOf(one) < nameOf(other) ? -1 : 1));
}

function nameOf(path: string): string {
  return basename(path, '.md').toLowerCase();
}

/** The first heading of a page. */
export function titleOf(path: string): string {
  return /^# (.*)$/m.exec(readFileSync(path, 'utf8'))?.[1] ?? '';
}
