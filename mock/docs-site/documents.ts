// All documents are part of the package; nothing is loaded from another host.
import { randomBytes } from 'node:crypto';
import { noSuchFile, type PageFile, pageHeaders } from '../http/serve-page.ts';
import { describe, type Subject, samplesOf, showMarks } from './describe.ts';
import { page, script, style } from './page.ts';
import { readLicence, readViewer } from './viewer.ts';

export function findDocument(name: string, subject: Subject): PageFile {
  const find = documents[name.replace(/\/$/, '')];
  return (
    find?.(subject) ??
    noSuchFile(
      'This page does not exist. The API reference is at /docs, the description at /docs/openapi.json.\n',
    )
  );
}

const text = 'text/plain; charset=utf-8';
const code = 'text/javascript; charset=utf-8';

const documents: Readonly<Record<string, (subject: Subject) => PageFile>> = {
  '': ({ profile: { name: profile }, prefix }) => {
    const nonce = randomBytes(16).toString('base64');
    return found('text/html; charset=utf-8', page({ profile, nonce, prefix }), `'nonce-${nonce}'`);
  },
  '/openapi.json': (subject) => found('application/json', JSON.stringify(describe(subject))),
  '/shown.json': (subject) => found('application/json', JSON.stringify(showMarks(describe(subject)))),
  '/start.js': (subject) => found(code, script(samplesOf(subject).apiKey, subject.prefix)),
  '/style.css': () => found('text/css; charset=utf-8', style),
  '/scalar.js': () => found(code, readViewer()),
  '/scalar-licence.txt': () => found(text, readLicence()),
};

/** The CSP allows styles from `styleSource` besides the own origin. */
function found(type: string, body: string | Buffer, styleSource?: string): PageFile {
  return { status: 200, headers: pageHeaders(type, styleSource), body };
}
