import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { didYouMean } from '../../openapi/nearest.ts';
import type { Given } from '../options/flags.ts';
import { UsageError } from '../options/usage-error.ts';
import { folderOf, manualPages, packageRoot, titleOf } from './manual-pages.ts';

/** `sitepub docs`: the manual of this version. */
export async function docs({ words: [topic] }: Given): Promise<number> {
  const pages = manualPages();
  console.log(topic === undefined ? listPages(pages) : readPage(pages, topic));
  return 0;
}

function listPages(pages: ReadonlyMap<string, string>): string {
  const width = Math.max(...[...pages.keys()].map((name) => name.length));
  const folders = Map.groupBy(pages, ([, path]) => folderOf(path));
  const lists = [...folders].map(([folder, inside]) => {
    const rows = inside.map(([name, path]) => `  ${name.padEnd(width)}  ${titleOf(path)}`);
    return [...(folder === '' ? [] : [`${folder}:`]), ...rows].join('\n');
  });
  return [
    '`sitepub docs PAGE` prints one of these pages:',
    ...lists,
    `The files are in ${join(packageRoot, 'docs')}, examples in ${join(packageRoot, 'examples')}.`,
  ].join('\n\n');
}

/** Accepts "ci", "guides/ci" and "docs/guides/ci.md". */
function readPage(pages: ReadonlyMap<string, string>, topic: string): string {
  const [, folder, name = ''] = /^(?:docs\/)?(?:(\w+)\/)?([^/]*?)(?:\.md)?$/.exec(topic.toLowerCase()) ?? [];
  const path = pages.get(name);
  if (path !== undefined && (folder === undefined || folder === folderOf(path)))
    return readFileSync(path, 'utf8').trimEnd();
  const hint = didYouMean(topic, [...pages.keys()], '; `sitepub docs` lists all');
  throw new UsageError(`there is no page "${topic}"${hint}`);
}
