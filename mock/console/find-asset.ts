// The files of the console, ready to be sent: types removed where it runs from its sources, compressed, with the policy of the page.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { createRequire, stripTypeScriptTypes } from 'node:module';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { pagePolicy } from '../http/page-policy.ts';
import { renderPage } from './render-page.ts';

interface Asset {
  status: number;
  headers: Record<string, string>;
  body: Buffer | undefined;
}

type Coding = 'br' | 'gzip' | 'identity';

interface Kept {
  type: string;
  tag: string;
  policy: string;
  bytes: Record<Coding, Buffer>;
}

const folder = new URL('page/', import.meta.url);
/** `.js` once it is built. */
const extension = import.meta.url.slice(import.meta.url.lastIndexOf('.'));
const script = 'text/javascript; charset=utf-8';

/** The libraries of the page, by the name of their import. The build copies their files to a folder beside this one. */
const libraries: Readonly<Record<string, string>> = {
  preact: 'preact/dist/preact.mjs',
  'preact/hooks': 'preact/hooks/dist/hooks.mjs',
  htm: 'htm/dist/htm.module.js',
  'htm/preact': 'htm/preact/index.module.js',
  'openapi-fetch': 'openapi-fetch/dist/index.mjs',
};

/** They do not change while the process runs. */
const kept = new Map<string, Kept>();

/** The file of this name; the page itself has none. */
export function findAsset(
  name: string,
  { 'accept-encoding': accepted = '', 'if-none-match': tags }: IncomingHttpHeaders,
): Asset {
  const asset = kept.get(name) ?? keep(name);
  if (!asset) return notFound;
  const coding = codingOf(String(accepted));
  const headers = {
    'content-type': asset.type,
    'content-security-policy': asset.policy,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-resource-policy': 'same-origin',
    'cache-control': 'no-cache',
    etag: asset.tag,
    vary: 'accept-encoding',
  };
  if (tags?.includes(asset.tag)) return { status: 304, headers, body: undefined };
  const encoded = coding === 'identity' ? headers : { ...headers, 'content-encoding': coding };
  return { status: 200, headers: encoded, body: asset.bytes[coding] };
}

const notFound: Asset = {
  status: 404,
  headers: { 'content-type': 'text/plain; charset=utf-8' },
  body: Buffer.from('There is nothing here; the console is at /_mock/console.\n'),
};

function codingOf(accepted: string): Coding {
  if (/\bbr\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/.test(accepted)) return 'br';
  return /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/.test(accepted) ? 'gzip' : 'identity';
}

function keep(name: string): Kept | undefined {
  const source = readSource(name);
  if (!source) return undefined;
  const bytes = Buffer.from(source.text);
  const tag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;
  const br = brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } });
  const asset = {
    type: source.type,
    tag,
    policy: source.policy ?? pagePolicy(),
    bytes: { br, gzip: gzipSync(bytes, { level: 9 }), identity: bytes },
  };
  kept.set(name, asset);
  return asset;
}

function readSource(name: string): { type: string; text: string; policy?: string } | undefined {
  if (name === '') return { type: 'text/html; charset=utf-8', ...renderPage(pageParts()) };
  if (name === 'console.css') return { type: 'text/css; charset=utf-8', text: readText(name) };
  const library = Object.values(libraries).find((file) => fileNameOf(file) === name);
  if (library !== undefined) return { type: script, text: readLibrary(library) };
  return modules().includes(name) ? { type: script, text: readModule(name) } : undefined;
}

function pageParts() {
  const imports = Object.entries(libraries).map(([name, file]) => [name, `./console/${fileNameOf(file)}`]);
  return {
    entry: `app${extension}`,
    modules: modules(),
    imports: Object.fromEntries(imports) as Record<string, string>,
  };
}

function modules(): string[] {
  return readdirSync(folder).filter(
    (name) => /^[\w-]+$/.test(name.slice(0, -extension.length)) && name.endsWith(extension),
  );
}

function readModule(name: string): string {
  const text = readText(name);
  return extension === '.ts' ? withoutTypes(text) : text;
}

/** Node warns on standard error that this is experimental; it is used in a checkout alone. */
function withoutTypes(text: string): string {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    return stripTypeScriptTypes(text);
  } finally {
    process.emitWarning = emitWarning;
  }
}

function readText(name: string): string {
  return readFileSync(new URL(name, folder), 'utf8');
}

function readLibrary(file: string): string {
  const copy = new URL(`libraries/${file}`, import.meta.url);
  const [name = ''] = file.split('/');
  const path = existsSync(copy) ? copy : new URL(file, parentOf(name));
  return readFileSync(path, 'utf8').replace(/\n\/\/# sourceMappingURL=.*\s*$/, '\n');
}

/** The folder that a package is installed in. */
function parentOf(name: string): string {
  const main = new URL(`file://${createRequire(import.meta.url).resolve(name)}`).href;
  return main.slice(0, main.lastIndexOf(`/node_modules/${name}/`) + '/node_modules/'.length);
}

/** Two of them are named `index`. */
function fileNameOf(file: string): string {
  return file
    .replace('/dist', '')
    .replaceAll('/', '-')
    .replace(/\.mjs$/, '.js');
}
