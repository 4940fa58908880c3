// The first request imports this module, which reads and compresses the files once per process.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { noSuchFile, type PageFile, pageHeaders } from '../http/serve-page.ts';

const assets = new Map([
  ['', assetOf('text/html; charset=utf-8', readFileSync(placeOf('index.html')))],
  ['/console.css', assetOf('text/css; charset=utf-8', readFileSync(placeOf('console.css')))],
  ['/console.js', assetOf('text/javascript; charset=utf-8', await readScript())],
]);

export function findAsset(
  name: string,
  { 'accept-encoding': accepted = '', 'if-none-match': tags }: IncomingHttpHeaders,
): PageFile {
  const asset = assets.get(name);
  if (!asset) return noSuchFile('This page does not exist. The console is at /_mock/console.\n');
  const { headers, bytes } = asset;
  if (tags?.includes(headers.etag)) return { status: 304, headers };
  const coding = (['br', 'gzip'] as const).find((one) => accepts(String(accepted), one));
  if (!coding) return { status: 200, headers, body: bytes.identity };
  return { status: 200, headers: { ...headers, 'content-encoding': coding }, body: bytes[coding] };
}

function accepts(accepted: string, coding: string): boolean {
  return new RegExp(`\\b${coding}\\b(?!\\s*;\\s*q=0(\\.0*)?\\s*(,|$))`).test(accepted);
}

function assetOf(type: string, identity: Buffer) {
  const tag = createHash('sha256').update(identity).digest('base64url').slice(0, 22);
  const headers = {
    ...pageHeaders(type),
    'cross-origin-resource-policy': 'same-origin',
    etag: `"${tag}"`,
    vary: 'accept-encoding',
  };
  const br = brotliCompressSync(identity, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } });
  return { headers, bytes: { br, gzip: gzipSync(identity, { level: 9 }), identity } };
}

function placeOf(file: string): URL {
  return new URL(`page/${file}`, import.meta.url);
}

/** The published package has the bundle as a file; a checkout builds it. */
async function readScript(): Promise<Buffer> {
  const path = placeOf('console.js');
  if (existsSync(path)) return readFileSync(path);
  const module = new URL('bundle-page.ts', import.meta.url).href;
  const { bundlePage } = (await import(module)) as typeof import('./bundle-page.ts');
  return Buffer.from((await bundlePage()).output[0].code);
}
