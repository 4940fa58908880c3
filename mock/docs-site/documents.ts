// The documents under /docs: a page, its scripts and styles, and the description that it shows. All are part of this package.
import { describe, type Subject } from './describe.ts';
import { page, script, style } from './page.ts';
import { readViewer } from './viewer.ts';

interface Document {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: string | Buffer;
}

export function findDocument(path: string, subject: Subject): Document {
  return documents[path.length > 1 ? path.replace(/\/$/, '') : path]?.(subject) ?? notFound;
}

const documents: Readonly<Record<string, (subject: Subject) => Document>> = {
  '/docs': ({ profile, prefix }) => found('text/html; charset=utf-8', page(profile, prefix)),
  '/docs/openapi.json': (subject) => found('application/json', JSON.stringify(describe(subject))),
  '/docs/start.js': ({ prefix }) => found('text/javascript; charset=utf-8', script(prefix)),
  '/docs/style.css': () => found('text/css; charset=utf-8', style),
  '/docs/redoc.js': () => found('text/javascript; charset=utf-8', readViewer('redoc.standalone.js')),
  '/docs/redoc-licences.txt': () =>
    found('text/plain; charset=utf-8', readViewer('redoc.standalone.js.LICENSE.txt')),
};

const notFound: Document = {
  status: 404,
  headers: { 'content-type': 'text/plain; charset=utf-8' },
  body: 'There is nothing here; the API reference is at /docs, the description at /docs/openapi.json.\n',
};

/** The browser may neither load from other hosts nor send to them. Redoc needs inline styles, and a worker from a blob for its search. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  'worker-src blob:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

function found(type: string, body: string | Buffer): Document {
  const headers = {
    'content-type': type,
    'content-security-policy': policy,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-cache',
  };
  return { status: 200, headers, body };
}
