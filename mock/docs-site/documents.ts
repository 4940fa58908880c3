// The documents under /docs: a page, its scripts and styles, and the description that it shows. All are part of this package.
import { randomBytes } from 'node:crypto';
import { pageHeaders } from '../http/page-headers.ts';
import { describe, type Subject } from './describe.ts';
import { showMarks } from './marks.ts';
import { page, script, style } from './page.ts';
import { samplesOf } from './samples.ts';
import { readLicence, readViewer } from './viewer.ts';

interface Document {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: string | Buffer;
}

export function findDocument(path: string, subject: Subject): Document {
  return documents[path.length > 1 ? path.replace(/\/$/, '') : path]?.(subject) ?? notFound;
}

const text = 'text/plain; charset=utf-8';
const code = 'text/javascript; charset=utf-8';

const documents: Readonly<Record<string, (subject: Subject) => Document>> = {
  '/docs': ({ profile: { name: profile }, prefix }) => {
    const nonce = randomBytes(16).toString('base64');
    return found('text/html; charset=utf-8', page({ profile, nonce, prefix }), `'nonce-${nonce}'`);
  },
  '/docs/openapi.json': (subject) => found('application/json', JSON.stringify(describe(subject))),
  '/docs/shown.json': (subject) => found('application/json', JSON.stringify(showMarks(describe(subject)))),
  '/docs/start.js': (subject) => found(code, script(samplesOf(subject).apiKey, subject.prefix)),
  '/docs/style.css': () => found('text/css; charset=utf-8', style),
  '/docs/scalar.js': () => found(code, readViewer()),
  '/docs/scalar-licence.txt': () => found(text, readLicence()),
};

const notFound: Document = {
  status: 404,
  headers: { 'content-type': text },
  body: 'There is nothing here; the API reference is at /docs, the description at /docs/openapi.json.\n',
};

/** Of styles in the page, those with the nonce count. */
function found(type: string, body: string | Buffer, style?: string): Document {
  return { status: 200, headers: pageHeaders(type, style), body };
}
