import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { brotliDecompressSync } from 'node:zlib';

/** Scalar's script: the build stores it compressed beside this file; a checkout reads it from a dependency's bundle. */
export function readViewer(): Buffer {
  const copy = new URL('scalar.js.br', import.meta.url);
  return existsSync(copy) ? brotliDecompressSync(readFileSync(copy)) : Buffer.from(readBundled());
}

/** The licence of Scalar. The script itself contains the licences of its parts. */
export function readLicence(): Buffer {
  const copy = new URL('scalar-licence.txt', import.meta.url);
  return readFileSync(existsSync(copy) ? copy : new URL('../LICENSE', bundle()));
}

function readBundled(): string {
  const [, literal] = /^var standalone_default = (".*");$/m.exec(readFileSync(bundle(), 'utf8')) ?? [];
  if (literal === undefined)
    throw new Error('the bundle of @scalar/fastify-api-reference does not contain the script');
  // A JavaScript string may contain control characters, a JSON string may not.
  const write = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.parse(literal.replace(/\p{Cc}/gu, write)) as string;
}

function bundle(): URL {
  return new URL(`file://${createRequire(import.meta.url).resolve('@scalar/fastify-api-reference')}`);
}
