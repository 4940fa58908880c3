// The files of the console, ready to be sent: compressed, with the policy of the page.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { pagePolicy } from '../http/page-policy.ts';

interface Answer {
  status: number;
  headers: Record<string, string>;
  body: Buffer | undefined;
}

type Coding = 'br' | 'gzip' | 'identity';

interface Asset {
  type: string;
  tag: string;
  bytes: Record<Coding, Buffer>;
}

/** By the name in the address; the page itself has none. */
const files = new Map([
  ['', { file: 'index.html', type: 'text/html; charset=utf-8' }],
  ['console.css', { file: 'console.css', type: 'text/css; charset=utf-8' }],
  ['console.js', { file: 'console.js', type: 'text/javascript; charset=utf-8' }],
]);

/** They do not change while the process runs. */
const assets = new Map<string, Promise<Asset>>();

/** The answer to a request for the file of this name. */
export async function findAsset(
  name: string,
  { 'accept-encoding': accepted = '', 'if-none-match': tags }: IncomingHttpHeaders,
): Promise<Answer> {
  const known = files.get(name);
  if (!known) return notFound;
  const reading = assets.get(name) ?? readAsset(known);
  assets.set(name, reading);
  reading.catch(() => assets.delete(name));
  const { type, tag, bytes } = await reading;
  const headers = {
    'content-type': type,
    'content-security-policy': pagePolicy(),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-resource-policy': 'same-origin',
    'cache-control': 'no-cache',
    etag: tag,
    vary: 'accept-encoding',
  };
  if (tags?.includes(tag)) return { status: 304, headers, body: undefined };
  const coding = codingOf(String(accepted));
  const encoded = coding === 'identity' ? headers : { ...headers, 'content-encoding': coding };
  return { status: 200, headers: encoded, body: bytes[coding] };
}

const notFound: Answer = {
  status: 404,
  headers: { 'content-type': 'text/plain; charset=utf-8' },
  body: Buffer.from('There is nothing here; the console is at /_mock/console.\n'),
};

function codingOf(accepted: string): Coding {
  if (/\bbr\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/.test(accepted)) return 'br';
  return /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/.test(accepted) ? 'gzip' : 'identity';
}

async function readAsset({ file, type }: { file: string; type: string }): Promise<Asset> {
  const path = new URL(`page/${file}`, import.meta.url);
  const bytes = Buffer.from(existsSync(path) ? readFileSync(path) : await bundleScript());
  const tag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;
  const br = brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } });
  return { type, tag, bytes: { br, gzip: gzipSync(bytes, { level: 9 }), identity: bytes } };
}

/** The package has the script as a file; a checkout bundles it. */
async function bundleScript(): Promise<string> {
  const module = new URL('bundle-page.ts', import.meta.url).href;
  const { bundlePage } = (await import(module)) as typeof import('./bundle-page.ts');
  return (await bundlePage()).output[0].code;
}
