import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { didYouMean } from '../../openapi/nearest.ts';
import type { Given } from '../options/flags.ts';
import { UsageError } from '../options/usage-error.ts';
import { manualPages, packageRoot, titleOf } from './manual-pages.ts';

/** `sitepub docs`: the manual, as it belongs to this version. */
export async function docs({ words: [topic] }: Given): Promise<number> {
  const pages = manualPages();
  console.log(topic === undefined ? listPages(pages) : readPage(pages, topic));
  return 0;
}

function listPages(pages: ReadonlyMap<string, string>): string {
  const width = Math.max(...[...pages.keys()].map((topic) => topic.length));
  const rows = [...pages].map(([topic, path]) => `  ${topic.padEnd(width)}  ${titleOf(path)}`);
  return `sitepub docs PAGE prints one of these:\n\n${rows.join('\n')}\n\nThe pages are in ${join(packageRoot, 'docs')}, examples in ${join(packageRoot, 'examples')}.`;
}

/** A page by its topic; the name of its file will do as well. */
function readPage(pages: ReadonlyMap<string, string>, topic: string): string {
  const path = pages.get(topic.toLowerCase().replace(/^(.*\/)?(.*?)(\.md)?$/, '$2'));
  if (path !== undefined) return readFileSync(path, 'utf8').trimEnd();
  const hint = didYouMean(topic, [...pages.keys()], '; `sitepub docs` lists all');
  throw new UsageError(`there is no page "${topic}"${hint}`);
}
