// @module-tag ci
// Secrets in answers that should contain none: URLs, error pages, lists of keys, headers.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from '../../mock/testing/started-mock.ts';
import { runAgainstMock } from './run-against-mock.ts';
import { changing, dataOf, htmlPage, isAbout, jsonOf } from './tampering.ts';
import type { Reply, Tamper } from './tampering-proxy.ts';
import { textsOfRun } from './written-reports.ts';

const secret = 'qZ7xW9vB3nM5kL1j';

type Json = Record<string, unknown>;
type Change = (reply: Reply) => Partial<Reply>;

const [keys, sites, hooks] = [/^GET .*\/keys/, /^GET .*\/sites(\?|$)/, /webhooks(\?|$)/];

const json = (change: (body: Json) => object): Change => {
  return ({ body }) => ({ body: Buffer.from(JSON.stringify(change(jsonOf(body)))) });
};
const items = (more: Json) =>
  json((body) => {
    const { list = [] } = Object(body.data) as { list?: Json[] };
    return { ...body, data: { list: list.map((item) => ({ ...item, ...more })) } };
  });
const headers = (more: Reply['headers'], status = 200): Change => {
  return (reply) => ({ status, headers: { ...reply.headers, ...more } });
};

const cases: readonly [what: string, calls: RegExp, change: Change][] = [
  ['whole keys in a list', keys, items({ key: `sk_${secret}`, name: 7 })],
  [
    'a user and a password in a URL',
    sites,
    items({ site_id: null, repo: `https://bot:${secret}@git.example/x` }),
  ],
  ['a user in an address', sites, items({ site_id: null, repo: `https://${secret}@git.example/x` })],
  [
    'the key of a subscription',
    hooks,
    json((body) => ({ ...body, code: '0', data: { id: null, hmac: { key: secret } } })),
  ],
  [
    'signs in a signing secret',
    hooks,
    json((body) => ({ ...body, code: '0', data: { signing_secret: `p@ss!${secret}#` } })),
  ],
  [
    'a URL within a URL',
    sites,
    headers({ location: `/login?next=${encodeURIComponent(`/cb?token=${secret}`)}` }, 302),
  ],
  ['the path of a redirect', sites, headers({ location: `/magic/${secret}` }, 302)],
  [
    'the path of other headers',
    sites,
    headers({
      'content-location': `/s/${secret}`,
      refresh: `0; url=/s/${secret}`,
      link: `</s/${secret}>; rel="next"`,
    }),
  ],
  [
    'an invalid challenge',
    sites,
    headers({ 'proxy-authenticate': `Negotiate ${secret}`, 'www-authenticate': `NTLM ${secret}` }),
  ],
  [
    'a page with a short password',
    sites,
    () =>
      htmlPage(500, `<pre>postgres://u:${secret.slice(0, 12)}@db/x PASSWORD=${secret.slice(0, 12)} </pre>`),
  ],
  [
    'an error with its environment',
    sites,
    json(() => ({ error: 1, env: { PASSWORD: secret, URL: `redis://u:${secret}@x` }, cookie: secret })),
  ],
  [
    'a parameter in a sentence',
    sites,
    json((body) => ({ ...body, message: `see https://x.example/?access_token=${secret}&x=1` })),
  ],
];

const only = ['ENV-1', 'ENV-2', 'ENV-6', 'ENV-7', 'AUTH-1', 'KEY-1', 'KEY-4', 'HOOK-1', 'HOOK-2'];

test.for(cases)('a run shows no secret from %s', async ([, calls, change]) => {
  let times = 0;
  const tamper: Tamper = async (message, forward) => {
    const reply = await forward(message);
    if (!calls.test(`${message.method} ${message.path}`)) return reply;
    times += 1;
    return { ...reply, ...change(reply) };
  };
  const texts = await textsOfRun({ tamper: () => tamper, options: { only } });
  expect(times).toBeGreaterThan(0);
  expect(texts.map((text) => text.indexOf(secret.slice(0, 12)))).toEqual(texts.map(() => -1));
});

test('the journal contains no key that is its own id', async () => {
  const given: string[] = [];
  const journal = join(makeFolder(), 'run.jsonl');
  let text = '';
  const creating = changing(isAbout('POST', /\/keys$/), (body) => {
    const { key } = dataOf(body);
    if (typeof key !== 'string') return body;
    given.push(key);
    return { ...body, data: { ...dataOf(body), id: key } };
  });
  await runAgainstMock({
    tamper: () => (message, forward) => {
      if (existsSync(journal)) text += readFileSync(journal, 'utf8');
      return creating(message, forward);
    },
    options: { only: ['KEY-1', 'KEY-4'], journal },
  });
  expect(given.length).toBeGreaterThan(1);
  expect(given.filter((key) => text.includes(key))).toEqual([]);
});
