// Reads an OpenAPI description from a file or a URL.
import { basename } from 'node:path';
import { isObject, type Json } from '../../../openapi/json.ts';
import { yaml } from '../../../openapi/libraries.ts';
import { Unreachable } from '../../core/outcomes.ts';
import type { Connection } from '../../core/suite-options.ts';
import { visible } from '../../core/visible-text.ts';
import { createClient } from '../../deployment/http-client.ts';
import type { DescribedOperation } from '../described-operation.ts';
import { LearnError, parseSource, readSource, SourceUnreachable } from '../learn-error.ts';
import { describeOperations } from './describe-operations.ts';

/** In bytes. */
const largestFile = 16_777_216;
/** In characters. Parsing YAML takes a hundred times longer than JSON. */
const largestYaml = 4_194_304;

interface Reading {
  /** Path of the deployment's base URL, such as /api/v1, if known. */
  basePath: string | undefined;
  connection: Connection | undefined;
  requestTimeoutMs: number;
}

/** `source`: path or http(s) URL. Throws LearnError or SourceUnreachable. */
export async function readDescription(source: string, reading: Reading): Promise<DescribedOperation[]> {
  const name = nameOfSource(source);
  const text = isHttp(source) ? await fetchText(source, reading) : readSource(source, largestFile, name);
  return describeOperations(parseDescription(text, name), { name, text, basePath: reading.basePath });
}

async function fetchText(url: string, { connection, requestTimeoutMs }: Reading): Promise<string> {
  const place = visible(nameOfSource(url));
  const headers = { Accept: 'application/json, application/yaml, text/yaml, */*', ...connection?.headers };
  const send = createClient({ baseUrl: url, ...(connection && { connection }) }, requestTimeoutMs);
  const { status, text } = await send({ method: 'GET', url, headers, body: undefined }).catch((error) => {
    if (!(error instanceof Unreachable)) throw error;
    const advice = /longer than|more than/.test(error.message) ? '; download it and pass the file' : '';
    throw new SourceUnreachable(`${place} can't be read: ${error.message}${advice}`);
  });
  if (status === 200) return text;
  throw new SourceUnreachable(`${place} answers with HTTP ${status}${adviceFor(status)}`);
}

function adviceFor(status: number): string {
  if (status === 401 || status === 403)
    return '; pass the header that its gateway needs with --header, or download it and pass the file';
  return status >= 300 && status < 400 ? '; sitepub follows no redirects, so pass the target URL' : '';
}

export const isHttp = (source: string) => /^https?:\/\//i.test(source);

/** Omits query and folders, which may be secret. */
export function nameOfSource(source: string): string {
  const url = isHttp(source) ? URL.parse(source) : null;
  return url ? `${url.host}${url.pathname}` : basename(source);
}

/** `name`: the source in messages. Throws LearnError. */
export function parseDescription(text: string, name: string): Json {
  if (/^\s*<(!doctype|html)/i.test(text))
    throw new LearnError(
      `${name} is a web page; pass the URL of the description behind it, such as /v3/api-docs, /openapi.json or /swagger.json`,
    );
  const value = parse(text.replace(/^\uFEFF/, ''), name);
  if (isObject(value)) return value;
  const what = value === null ? 'is empty' : 'is not an OpenAPI description: it is not a map';
  throw new LearnError(`${name} ${what}; pass a file in JSON or YAML`);
}

function parse(text: string, name: string): unknown {
  const isJson = /^\s*[{[]/.test(text);
  if (!isJson && text.length > largestYaml)
    throw new LearnError(`${name} is YAML of more than 4 MB; convert it to JSON first`);
  const options = { uniqueKeys: false, logLevel: 'error', maxAliasCount: 1_000 } as const;
  return parseSource(
    () => (isJson ? JSON.parse(text) : yaml().parse(text, options)),
    (place) => `${name} can't be read as JSON or YAML${place}`,
  );
}
