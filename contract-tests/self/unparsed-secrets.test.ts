// @module-tag ci
// Answers that issue a secret in an unexpected form: neither a run nor a discovery shows it.
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { isObject } from '../../openapi/json.ts';
import { loadProfile } from '../../openapi/profile.ts';
import { secretForms } from '../redaction/testing/secret-forms.ts';
import { discoverMock } from './discover-mock.ts';
import type { Reply, Tamper } from './tampering-proxy.ts';
import { textsOfRun } from './written-reports.ts';

type Write = (json: string, secret: string) => string | Buffer;

type Form = readonly [
  type: string,
  write: Write,
  headers?: ((secret: string) => Reply['headers']) | undefined,
  /** Replaces the secret of the mock by one with other characters. */
  other?: string | undefined,
];

const alone = (data: (secret: string) => unknown, other?: string): Form => {
  const write: Write = (_, secret) =>
    JSON.stringify({ code: 0, message: 'success', data: data(secret), trace_id: 't1' });
  return ['application/json', write, undefined, other];
};
const beside = (headers: (secret: string) => Reply['headers']): Form => {
  return ['application/json', () => '{"ok":true}', headers];
};

const forms: Readonly<Record<string, Form>> = {
  truncated: ['application/json', (json) => json.slice(0, -10)],
  xml: ['text/xml', (_, secret) => `<r><code>0</code><token>${secret}</token></r>`],
  form: ['application/x-www-form-urlencoded', (_, secret) => `code=0&token=${secret}&expires_in=7200`],
  jsonp: ['text/javascript', (json) => `cb(${json})`],
  html: ['text/html', (_, secret) => `<html><script>window.token="${secret}"</script></html>`],
  'single quotes': ['application/json', (json) => json.replaceAll('"', "'")],
  'a byte order mark': ['application/json', (json) => `\ufeff${json}`],
  NaN: ['application/json', (json) => json.replace(/^\{/, '{"left":NaN,')],
  'a prefix': ['application/json', (json) => `)]}',\n${json}`],
  yaml: ['application/yaml', (_, secret) => `code: 0\ndata:\n  token: ${secret}\n`],
  'two in a row': ['application/json', (json) => json + json],
  'UTF-16': ['application/json', (json) => Buffer.from(json, 'utf16le')],
  'base64 in text': ['text/plain', (_, secret) => `token ${Buffer.from(secret).toString('base64')}`],
  'escapes in text': ['text/plain', (_, secret) => `token ${escaped(secret)}`],
  'bytes that say that they are compressed': ['application/json', (json) => gzipSync(json).subarray(0, -9)],
  'another name': alone((secret) => ({ a: [{ b: secret }] })),
  'a sentence': [
    'application/json',
    (_, secret) => JSON.stringify({ code: 0, message: `welcome: ${secret}!`, data: {} }),
  ],
  'JSON in JSON': ['application/json', (json) => JSON.stringify({ code: 0, message: json, trace_id: 't' })],
  'only a text': ['application/json', (_, secret) => JSON.stringify(secret)],
  'a cookie': beside((secret) => ({ 'set-cookie': [`sid=${secret}; Path=/`] })),
  'a header': ['text/plain', () => 'welcome', (secret) => ({ 'x-renewed': secret })],
  'a redirect': ['text/plain', () => '', (secret) => ({ location: `/cb/${secret}?t=${secret}#${secret}` })],
  'bytes of another format': [
    'application/msgpack',
    (_, secret) => Buffer.from(`\x81\xa5token\xd9\x23${secret}`),
  ],
  'the name of a member': alone((secret) => ({ sessions: { [secret]: { ttl: 7200 } } })),
  'a user of an address': alone((secret) => ({ next: `https://u:${secret}@cb.example/` })),
  'a name twice': [
    'application/json',
    (json, secret) =>
      json
        .replace(/"data":\{/, `"data":{"token":"${secret}","key":"${secret}",`)
        .replace(/("(token|key)":")(?!.*"\2":)[^"]*/g, '$1none'),
  ],
  'only a number': ['text/plain', (_, secret) => secret, undefined, '48291038475610293847'],
  'a number': [
    'application/json',
    (_, secret) => `{"code":0,"message":"success","data":{"token":${secret}},"trace_id":"t1"}`,
    undefined,
    '48291038475610293',
  ],
  'a long number': [
    'application/json',
    (_, secret) => `{"code":0,"message":"success","data":{"x":${secret}},"trace_id":"t1"}`,
    undefined,
    '48291038475610293847560192',
  ],
  'only digits': alone((secret) => ({ x: secret }), '48291038475610293847560192'),
  'only letters': alone((secret) => ({ x: secret }), 'kQzRtVbNmLpWsXcDfGhJkYuTqAzEoPiR'),
  'a short one with a name': alone((secret) => ({ sid: secret }), 'a1b2c3d4e5f6'),
  'letters of another alphabet': alone((secret) => ({ access_token: secret }), 'ключ-подпись-доступ-секрет'),
  'signs between short parts': alone(
    (secret) => ({ access_token: secret }),
    '$2b$10$ab12$cd34$ef56$gh78$ij90',
  ),
  'colons between short parts, unnamed': alone(
    (secret) => ({ x: secret }),
    'AE:1F:09:BB:7C:33:D2:4E:90:11:AF:6C',
  ),
  'slashes in JSON in JSON': alone(
    (secret) => JSON.stringify({ token: secret }).replaceAll('/', '\\/'),
    'aB3/xY9k/Qw7e/Rt5y/Ui1o/Pa2s/Df4g',
  ),
  'JSON in base64 in JSON': alone((secret) => ({
    blob: Buffer.from(JSON.stringify({ token: secret })).toString('base64'),
  })),
  'a form in JSON': alone(
    (secret) => `a=1&token=${encodeURIComponent(secret)}`,
    'aB3/xY9k+Qw7e=Rt5y/Ui1o+Pa2s=Df4g',
  ),
  'where the content is': beside((secret) => ({ 'content-location': `/sessions/${secret}` })),
  'a challenge': beside((secret) => ({ 'www-authenticate': `Bearer realm="x", session="${secret}"` })),
};

const places: Readonly<Record<string, RegExp>> = {
  login: /^POST \/api\/v1\/auth\/tenant\/login$/,
  refresh: /^POST \/api\/v1\/auth\/refresh$/,
  createKey: /^POST \/api\/v1\/tenant\/keys$/,
};

function escaped(text: string): string {
  return [...text].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join('');
}

/** Rewrites successful answers of an operation, and collects the issued secrets. */
function rewriting(operation: string, [type, write, more, other]: Form, given: Set<string>): Tamper {
  return async (message, forward) => {
    const reply = await forward(message);
    if (!places[operation]?.test(`${message.method} ${message.path}`)) return reply;
    const json = reply.body.toString();
    const secret = secretIn(json) && (other ?? secretIn(json));
    if (secret === undefined) return reply;
    given.add(secret);
    const body = Buffer.from(write(json, secret));
    const isCompressed = body[0] === 0x1f;
    const coding = isCompressed && { 'content-encoding': 'gzip' };
    const headers = { ...reply.headers, 'content-type': type, ...coding, ...more?.(secret) };
    return { status: headers.location === undefined ? reply.status : 302, headers, body };
  };
}

function secretIn(json: string): string | undefined {
  const { data } = JSON.parse(json) as { data?: unknown };
  const secret = isObject(data) ? (data.token ?? data.key) : undefined;
  return typeof secret === 'string' ? secret : undefined;
}

/** Parts of a secret that a text contains, plain or encoded. */
function shownIn(text: string, given: ReadonlySet<string>): string[] {
  const parts = [...given].flatMap((secret) => [
    ...secretForms.map(([, form]) => form(secret)),
    escaped(secret),
    ...Array.from({ length: secret.length - 11 }, (_, at) => secret.slice(at, at + 12)),
  ]);
  const views = [text, text.replace(/\0|\\u0000/g, '')];
  return parts.filter((part) => views.some((view) => view.includes(part)));
}

const cases = Object.keys(places).flatMap((operation) =>
  Object.entries(forms).map(([name, form]) => ({ operation, name, form })),
);

test.for(cases)('a run shows no secret from an answer to $operation: $name', async ({ operation, form }) => {
  const given = new Set<string>();
  const texts = await textsOfRun({
    tamper: () => rewriting(operation, form, given),
    options: { only: ['ENV-1', 'ENV-7', 'LOGIN-1', 'REFRESH-1', 'KEY-1'] },
  });
  expect(given.size).toBeGreaterThan(0);
  expect(texts.flatMap((text) => shownIn(text, given))).toEqual([]);
});

/** A selection, because each discovery takes seconds. A discovery creates no key. */
const discovered = cases.filter(
  ({ operation, name }) =>
    operation === 'login' ||
    (operation === 'refresh' && ['truncated', 'xml', 'base64 in text', 'a sentence'].includes(name)),
);

test.for(discovered)('a discovery shows no secret from an answer to $operation: $name', async (one) => {
  const given = new Set<string>();
  const said: string[] = [];
  const discovery = await discoverMock({
    spoken: loadProfile('default'),
    knows: 'paths',
    controls: true,
    tamper: rewriting(one.operation, one.form, given),
    options: { onProgress: (text) => said.push(text) },
  });
  expect(given.size).toBeGreaterThan(0);
  expect(shownIn(`${discovery.profile} ${JSON.stringify(discovery)} ${said.join()}`, given)).toEqual([]);
});
