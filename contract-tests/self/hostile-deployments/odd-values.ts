// Deployments with hostile values for paths, headers, clocks, terminals and JavaScript.
import type { ServerResponse } from 'node:http';
import { request } from 'node:http';
import {
  type Asked,
  byAnswers,
  type Deployment,
  plentyOf,
  sendJson,
  sentBy,
  success,
  yesMan,
} from './serve.ts';

const idsOf = (id: unknown) => ({ id, list: [{ id, name: 'a site', url: id }], total: 1 });

const ids: Readonly<Record<string, readonly [string, unknown]>> = {
  'dot-ids': ['uses `..` for each identifier', '..'],
  'slash-ids': ['uses `a/../../b` for each identifier', 'a/../../b'],
  'empty-ids': ['uses an empty text for each identifier', ''],
  'object-ids': ['uses objects with data for toString as identifiers', { toString: 1, valueOf: 2 }],
  'long-ids': ['uses identifiers of a million characters', 'i'.repeat(1_000_000)],
  'broken-ids': ['uses identifiers with NUL and half a character', 'a\u0000\ud800'],
  'nested-ids': ['uses lists as identifiers', [[[1]]]],
};

const commands = '\r\n::error::x\r\n::add-mask::a\n##[add-mask]b\u001b[2J\u001b]0;t\u0007\u009b31m\u202e';

/** `after`: the Retry-After header. */
const limited = (after: string) => (_asked: Asked, response: ServerResponse) =>
  void response
    .writeHead(429, { 'Content-Type': 'application/json', 'Retry-After': after })
    .end('{"code":42900,"message":"slow down","data":null,"trace_id":"t"}');

export const oddValues: readonly Deployment[] = [
  ...Object.entries(ids).map(([id, [does, value]]) => yesMan(id, does, () => idsOf(value))),
  yesMan('endless-pages', 'has an endless number of pages', ({ count }) => ({
    next: `page-${count}`,
    has_more: true,
    total: 1e15,
  })),
  yesMan('odd-tokens', 'issues tokens that contain line breaks and headers', () => ({
    token: 'a-token-1234567890\r\nX-Admin: yes',
  })),
  yesMan('odd-times', 'sends impossible lifetimes and times', () => ({
    ...{ expires_in: 1e308, expires_at: '+275760-09-13T00:00:00Z', created_at: '9999-99-99T99:99:99Z' },
    ...{ total: -1e308, version: Number.MAX_VALUE, lifetime: -0 },
  })),
  byAnswers('prototypes', 'names members __proto__ and constructor, and some twice', (asked, response) =>
    sendJson(
      response,
      `{"__proto__":{"code":0},"code":0,"code":0,"message":"success","data":{"__proto__":{"id":1,"token":"x"},"constructor":{"prototype":{"id":1}},"hasOwnProperty":1,"toString":{},${JSON.stringify(plentyOf(asked)).slice(1)},"trace_id":"${asked.count}"}`,
    ),
  ),
  byAnswers('commands', 'sends commands to terminals and CI in its texts', (asked, response) =>
    sendJson(response, {
      code: 40_000,
      message: commands,
      data: { ...idsOf(commands), commands },
      trace_id: `${commands}${asked.count}`,
    }),
  ),
  byAnswers('come-again', 'refuses all calls for 10^9 seconds', limited('1000000000')),
  byAnswers('come-before', 'refuses all calls with a negative Retry-After', limited('-1')),
  byAnswers('no-such-time', 'refuses all calls with an invalid Retry-After', limited('NaN, 1e400')),
  byAnswers('jumping-clock', 'sends another year in each Date header', (asked, response) =>
    sendJson(response, success(plentyOf(asked)), {
      Date: new Date((asked.count % 2 === 0 ? 1 : 250_000) * 31_556_952_000).toUTCString(),
    }),
  ),
  byAnswers(
    'redirects',
    'redirects to itself and to files',
    ({ path, count }, response) =>
      void response.writeHead(302, { Location: count % 2 === 0 ? path : 'file:///etc/passwd' }).end(),
  ),
  byAnswers('cookies', 'sets 200 cookies with each answer', (asked, response) => {
    response.setHeader(
      'Set-Cookie',
      Array.from({ length: 200 }, (_, index) => `c${index}=${asked.count}`),
    );
    sendJson(response, success(plentyOf(asked)));
  }),
  byAnswers(
    'no-json',
    'answers with bytes that are not text',
    (_asked, response) =>
      void response.writeHead(200, { 'Content-Type': 'application/json' }).end(Buffer.alloc(100_000, 0xff)),
  ),
  byAnswers('nulls', 'answers null', (_asked, response) => sendJson(response, 'null')),
  {
    ...byAnswers('echo', 'returns each request, with the password in many forms', (asked, response) =>
      sendJson(response, success({ ...plentyOf(asked), echo: echoOf(asked), headers: asked.headers })),
    ),
    environment: { SITEPUB_PASSWORD: `corp\\mei${'\\'.repeat(30)}((((a+)+)+)+)$` },
  },
  {
    ...byAnswers(
      'pushes',
      'floods the receiver of each subscription with invalid pushes',
      (asked, response) => {
        const { url } = sentBy(asked);
        if (typeof url === 'string') for (let count = 0; count < 100; count++) push(url, count);
        sendJson(response, success(plentyOf(asked)));
      },
    ),
    isNear: true,
  },
];

function echoOf(asked: Asked): unknown {
  const { password = 'none' } = sentBy(asked);
  const text = String(password);
  const forms = [
    text,
    encodeURIComponent(text),
    Buffer.from(text).toString('base64'),
    Buffer.from(text).toString('hex'),
  ];
  return [...forms, text.slice(0, -1), text.repeat(50), '\\'.repeat(20_000)];
}

const bodies: readonly string[] = [
  '',
  '{',
  '['.repeat(100_000),
  'null',
  '{"event":{"toString":1}}',
  'x'.repeat(1_000_000),
];

/** Sends an invalid push and ignores the outcome. */
function push(url: string, count: number): void {
  const body = bodies[count % bodies.length] ?? '';
  const target = URL.parse(url);
  if (target?.hostname !== '127.0.0.1') return;
  const headers = {
    'X-Webhook-Timestamp': '9'.repeat(400),
    'X-Webhook-Signature': `sha256=${commands.length}`,
  };
  request(target, { method: 'POST', headers, timeout: 5_000 })
    .on('error', () => {})
    .on('response', (answer) => answer.resume())
    .end(count % 10 === 0 ? undefined : body);
}
