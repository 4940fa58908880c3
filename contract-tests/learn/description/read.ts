// Reads an OpenAPI description from a file or an address, with the files that it refers to.
import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, resolve, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { readLimitedText, sayReadError } from '../../../openapi/read-limited-text.ts';
import type { DescribedOperation } from '../described-operation.ts';
import { LearnError } from '../learn-error.ts';
import { describeOperations } from './describe-operations.ts';
import { largestDescription, parseDescription } from './parse.ts';
import { followIn, loadDocuments } from './references.ts';

interface Reading {
  /** The path of the deployment's base address, such as /api/v1, if it is known. */
  basePath: string | undefined;
  fetchText: FetchText;
}

/** Fetches the text at an address. Throws LearnError. */
export type FetchText = (url: string) => Promise<string>;

/** For all files together; `text` in characters. */
const most = { files: 5_000, text: 33_554_432, ms: 60_000 };

/** Returns the operations of the description at a path or an http address. Throws LearnError. */
export async function readDescription(
  source: string,
  { basePath, fetchText }: Reading,
): Promise<DescribedOperation[]> {
  const name = nameOfSource(source);
  const address = isHttp(source) ? source : pathToFileURL(resolve(source)).href;
  const startedAt = Date.now();
  let [files, length] = [0, 0];
  const load = async (url: string): Promise<string> => {
    if (files > most.files || length > most.text || Date.now() - startedAt > most.ms)
      throw new LearnError(`${name} refers to too many files; bundle it into one file first`);
    const text = isHttp(url) ? await fetchText(url) : readFile(url);
    [files, length] = [files + 1, length + text.length];
    return text;
  };
  const text = await load(address);
  const root = parseDescription(text, name);
  const documents = await loadDocuments(root, address, async (url) => {
    if (!isNear(url, address))
      throw new LearnError(
        `${name} refers to ${nameOfSource(url)}, which is no file in its folder or origin; bundle it into one file first`,
      );
    return parseDescription(await load(url), nameOfSource(url));
  });
  return describeOperations(root, { name, text, basePath, follow: followIn(documents) });
}

export function isHttp(source: string): boolean {
  return /^https?:\/\//i.test(source);
}

/** Returns a name without what may be secret: a query, or the folders of somebody. */
export function nameOfSource(source: string): string {
  if (/^(data|javascript):/i.test(source)) return 'what is no file';
  const url = isHttp(source) ? URL.parse(source) : null;
  return url ? `${url.host}${url.pathname}` : basename(source);
}

function readFile(url: string): string {
  try {
    return readLimitedText(fileURLToPath(url), largestDescription);
  } catch (error) {
    throw new LearnError(`${basename(url)} can't be read (${sayReadError(error, largestDescription)})`);
  }
}

/** Another address may be a call of the deployment. */
function isNameOfFile(url: string): boolean {
  return isHttp(url) && /\.(json|ya?ml)$/i.test(new URL(url).pathname);
}

/** Whether an address is of a file of the same origin, or a file in the same folder or below it. Where a link leads to counts. */
function isNear(url: string, address: string): boolean {
  if (isHttp(address)) return new URL(url).origin === new URL(address).origin && isNameOfFile(url);
  try {
    const path = fileURLToPath(url);
    const target = existsSync(path) ? realpathSync(path) : path;
    return target.startsWith(realpathSync(dirname(fileURLToPath(address))) + sep);
  } catch {
    return false;
  }
}
