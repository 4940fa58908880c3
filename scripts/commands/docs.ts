import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { didYouMean } from '../../openapi/nearest.ts';
import { UsageError } from '../options/usage-error.ts';
import { manualPages, packageRoot, titleOf } from './manual-pages.ts';

const usage = `sitepub docs [TOPIC]

Prints a page of the manual as Markdown; without a topic, lists all pages.`;

/** `sitepub docs`: the manual, as it belongs to this version. */
export async function docs(args: readonly string[]): Promise<number> {
  const [topic, ...others] = args;
  if (args.includes('--help') || args.includes('-h')) return print(usage);
  const flag = args.find((one) => one.startsWith('-'));
  if (flag !== undefined) throw new UsageError(`unknown flag ${flag}; docs takes a topic and no flags`);
  if (others.length > 0)
    throw new UsageError(`docs prints one page at a time; "${others[0]}" is one too many`);
  const pages = manualPages();
  return print(topic === undefined ? listPages(pages) : readPage(pages, topic));
}

function listPages(pages: ReadonlyMap<string, string>): string {
  const width = Math.max(...[...pages.keys()].map((topic) => topic.length));
  const rows = [...pages].map(([topic, path]) => `  ${topic.padEnd(width)}  ${titleOf(path)}`);
  return `${usage}\n\n${rows.join('\n')}\n\nThe pages are in ${join(packageRoot, 'docs')}, examples in ${join(packageRoot, 'examples')}.`;
}

/** A page by its topic; the name of its file will do as well. */
function readPage(pages: ReadonlyMap<string, string>, topic: string): string {
  const path = pages.get(topic.toLowerCase().replace(/^(.*\/)?(.*?)(\.md)?$/, '$2'));
  if (path !== undefined) return readFileSync(path, 'utf8').trimEnd();
  const hint = didYouMean(topic, [...pages.keys()], '; `sitepub docs` lists all');
  throw new UsageError(`there is no page "${topic}"${hint}`);
}

function print(text: string): number {
  console.log(text);
  return 0;
}
