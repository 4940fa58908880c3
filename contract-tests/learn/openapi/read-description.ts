// Reads an OpenAPI description from a file or a URL, with the files that it refers to.
import { basename } from 'node:path';
import type { DescribedOperation } from '../described-operation.ts';
import { bundleDescription } from './bundle-description.ts';
import { describeOperations } from './describe-operations.ts';
import { type FetchText, isHttp, readDescriptionFile } from './description-source.ts';
import { parseDescription } from './parse-description.ts';

interface Reading {
  /** The path of the deployment's base address, such as /api/v1, where it is known. */
  basePath: string | undefined;
  fetchText: FetchText;
}

/** The operations of the description at a path or an http address. Throws LearnError. */
export async function readDescription(
  source: string,
  { basePath, fetchText }: Reading,
): Promise<DescribedOperation[]> {
  const text = isHttp(source) ? await fetchText(source) : readDescriptionFile(source);
  const name = nameOfSource(source);
  const root = await bundleDescription(parseDescription(text, name), { source, name, fetchText });
  return describeOperations(root, { name, text, basePath });
}

/** Without what may be secret: a query, or the folders of somebody. */
export function nameOfSource(source: string): string {
  const url = isHttp(source) ? URL.parse(source) : null;
  return url ? `${url.host}${url.pathname}` : basename(source);
}
