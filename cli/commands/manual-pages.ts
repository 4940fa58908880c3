// The pages of the manual of this version.
import { globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';

/** Resolved by the package's name, because built and unbuilt files are at different depths. */
export const packageRoot = dirname(createRequire(import.meta.url).resolve('sitepub/package.json'));

const sources = [
  'README*.md',
  'CHANGELOG.md',
  'docs/tutorial.md',
  'docs/guides/*.md',
  'docs/reference/*.md',
  'docs/explanation/*.md',
];

/** The path of each page, by its name. */
export function manualPages(): Map<string, string> {
  const found = sources.flatMap((pattern) => byName(globSync(pattern, { cwd: packageRoot })));
  return new Map(found.map((path) => [nameOf(path), join(packageRoot, path)]));
}

/** Without extensions, "readme" comes before "readme.zh-cn". */
function byName(paths: readonly string[]): string[] {
  return paths.toSorted((one, other) => (nameOf(one) < nameOf(other) ? -1 : 1));
}

function nameOf(path: string): string {
  return basename(path, '.md').toLowerCase();
}

/** The folder of a page: "guides", or "" for one that is in none of the three. */
export function folderOf(path: string): string {
  return /^docs.(\w+)$/.exec(relative(packageRoot, dirname(path)))?.[1] ?? '';
}

/** The first heading of a page. */
export function titleOf(path: string): string {
  return /^# (.*)$/m.exec(readFileSync(path, 'utf8'))?.[1] ?? '';
}
