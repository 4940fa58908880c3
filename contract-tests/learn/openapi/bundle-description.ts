// Brings into a description what it refers to in other files, by swagger-parser; only there is that loaded.
import { existsSync, realpathSync } from 'node:fs';
import { dirname, relative, resolve, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { isObject, type Json } from '../../../openapi/json.ts';
import { LearnError } from '../learn-error.ts';
import { type FetchText, isHttp, readDescriptionFile } from './description-source.ts';
import { parseDescription } from './parse-description.ts';
import { referenceOf } from './references.ts';

interface Origin {
  /** The path or address of the description, and what messages call it. */
  source: string;
  name: string;
  fetchText: FetchText;
}

const mostFiles = 200;
/** Of all files together, in characters. */
const mostText = 33_554_432;
const longestMs = 60_000;

/** The description as it is, or with its files in it. Throws LearnError. */
export async function bundleDescription(root: Json, origin: Origin): Promise<Json> {
  if (!hasOutsideReference(root)) return root;
  const SwaggerParser = await loadParser(origin.name);
  const address = isHttp(origin.source) ? origin.source : pathToFileURL(resolve(origin.source)).href;
  // Its own check of versions refuses what differs in a number from what it knows.
  const known = typeof root.swagger === 'string' ? { swagger: '2.0' } : { openapi: '3.1.0' };
  const api = { ...root, ...known, info: { title: '', version: '' } };
  const options = {
    timeoutMs: longestMs,
    resolve: { file: false, http: false, own: createResolver(address, origin) },
    parse: { json: false, yaml: false, text: false, binary: false, own: createReader() },
  };
  try {
    const bundled: unknown = await new SwaggerParser().bundle(address, api as never, options as never);
    return isObject(bundled) ? bundled : root;
  } catch (error) {
    throw explain(error, origin.name);
  }
}

function hasOutsideReference(root: Json): boolean {
  const seen = new Set<object>();
  const waiting: unknown[] = [root];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (typeof next !== 'object' || next === null || seen.has(next)) continue;
    seen.add(next);
    const reference = isObject(next) ? referenceOf(next) : undefined;
    if (reference !== undefined && !reference.startsWith('#')) return true;
    waiting.push(...Object.values(next).filter((part) => typeof part === 'object' && part !== null));
  }
  return false;
}

async function loadParser(name: string) {
  try {
    return (await import('@apidevtools/swagger-parser')).default;
  } catch {
    throw new LearnError(
      `${name} refers to other files, which swagger-parser brings together, and that is not installed: ` +
        'npm install --save-dev @apidevtools/swagger-parser, or give a description in one file',
    );
  }
}

interface FileInfo {
  url: string;
}

/** Reads what is referred to: files beside the description or below it, and addresses on its own host. */
function createResolver(address: string, { fetchText }: Origin) {
  let files = 0;
  let length = 0;
  return {
    order: 1,
    canRead: true,
    read: async ({ url }: FileInfo): Promise<string> => {
      files += 1;
      if (files > mostFiles) throw new LearnError(`it refers to more than ${mostFiles} files`);
      requireNear(url, address);
      const text = isHttp(url) ? await fetchText(url) : readDescriptionFile(pathOf(url));
      length += text.length;
      if (length > mostText)
        throw new LearnError(`it refers to files of more than ${mostText / 1_048_576} MB`);
      return text;
    },
  };
}

function createReader() {
  return {
    order: 1,
    canParse: true,
    parse: ({ data, url }: FileInfo & { data: unknown }) => parseDescription(String(data), url),
  };
}

function requireNear(url: string, address: string): void {
  if (isHttp(address)) {
    const [to, from] = [new URL(url, address), new URL(address)];
    if (from.protocol === 'https:' && to.protocol === 'http:')
      throw new LearnError(
        `it was fetched over https and refers to ${url}, which anybody on the way can change; bundle it into one file first`,
      );
    if (isHttp(url) && to.host === from.host) return;
    throw new LearnError(`it refers to ${url}, which is not on its own host; bundle it into one file first`);
  }
  const folder = dirname(fileURLToPath(address));
  const path = isHttp(url) ? undefined : pathOf(url);
  if (path !== undefined && isInside(path, folder)) return;
  throw new LearnError(`it refers to ${url}, which is not in its folder; bundle it into one file first`);
}

function pathOf(url: string): string {
  return url.startsWith('file:') ? fileURLToPath(url) : decodeURI(url);
}

/** Where a link leads counts, not where it stands. */
function isInside(path: string, folder: string): boolean {
  const [target, home] = [path, folder].map((one) => (existsSync(one) ? realpathSync(one) : resolve(one)));
  const way = relative(home ?? '', target ?? '');
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`);
}

function explain(error: unknown, name: string): LearnError {
  const { message } = error as Error;
  const inside =
    /(it (?:was fetched over https and )?refers to .*|.* can't be read.*)/.exec(message)?.[0] ??
    message.split('\n')[0];
  return new LearnError(`${name}: ${inside}`);
}
