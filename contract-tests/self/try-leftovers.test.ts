// @module-tag ci
// Discovery finds and deletes its own resources after any answer, and nothing of others.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from '../../mock/testing/started-mock.ts';
import { createResources } from '../deployment/created-resources.ts';
import { readJournal } from '../run/clean-up-journal.ts';
import { changing, dataOf, isAbout, jsonOf, reading, refuse, succeed, withJson } from './tampering.ts';
import type { Message, Reply, Tamper } from './tampering-proxy.ts';
import { isCreatingSite, restated, tryWith, without } from './try-mock.ts';

const existedBefore = /^# .*the answer names a resource that existed before: HTTP 200/;
const hasNoProof = /^# .*no proof that the answer names the created resource/;

test.for<[what: string, end: RegExp, data: object, gap: string, other: string, line: RegExp]>([
  ['a site that existed before', /\/sites$/, { site_id: 102 }, 'create-site', '/sites/102', existedBefore],
  ['a site', /\/sites$/, { site_id: 57 }, 'create-site', '/sites/57', hasNoProof],
  ['content', /\/contents$/, { id: 3 }, 'create-content', '/contents/3', hasNoProof],
  ['a key', /\/keys$/, { id: 60, key: 'sp_0123456789abcdef' }, 'create-key', '/keys/60', hasNoProof],
])(
  'does not change the resource that an answer wrongly names: %s',
  async ([, end, data, gap, other, line]) => {
    const naming = changing(isAbout('POST', end), (body) => ({ ...body, data }));
    const { called, lineOf, sites, left } = await tryWith(naming);
    expect(called.filter((one) => !one.startsWith('GET') && one.includes(other))).toEqual([]);
    expect(lineOf(gap)).toMatch(line);
    // The clean-up finds the created resource by name.
    expect(sites).toHaveLength(2);
    expect(left('site', 'API key')).toEqual([]);
  },
);

test('reports no leftover for a site that was not created despite a success', async () => {
  const { left } = await tryWith(async (message, forward) => {
    if (!isCreatingSite(message)) return forward(message);
    const reply = await forward(reading(message));
    return withJson(reply, { ...jsonOf(reply.body), data: { job: 7 } });
  });
  expect(left('site')).toEqual([]);
});

/** Names a site of others with the requested name. */
const repeating = ({ body }: Message) => ({ site_id: 102, site_name: jsonOf(body).site_name });

test('believes an answer with the requested name only if no read contradicts it', async () => {
  // The list hides the sites that existed before.
  const shownTo = (message: Message) =>
    message.method === 'GET' ? { list: [], total: 0 } : { ...repeating(message), state: 'queued' };
  const isOfSites = ({ path }: Message) => /\/sites(\?|$)/.test(path);
  const { called, lineOf, sites } = await tryWith(
    changing(isOfSites, (body, message) => ({ ...body, data: shownTo(message) })),
  );
  expect(called.filter((one) => !one.startsWith('GET') && one.includes('/sites/102'))).toEqual([]);
  expect(lineOf('create-site')).toMatch(/^# .*no proof that the answer names/);
  expect(sites).toContainEqual([102, expect.any(Number)]);
});

test('creates no site if no learnt operation can read it', async () => {
  const tamper = changing(isCreatingSite, (body, message) => ({ ...body, data: repeating(message) }));
  const { called, sites } = await tryWith(tamper, without(/(list|get)-sites?$/));
  expect(called.filter((one) => /^(POST|PUT|PATCH|DELETE) .*\/sites(\/102.*)?$/.test(one))).toEqual([]);
  expect(sites).toHaveLength(2);
});

const numbered = (name: string) => (hook: object) => {
  const { id: hook_no, ...others } = hook as { id?: unknown };
  return { [name]: 500, hook_no, ...others };
};
const within = (hook: object) => ({ tenant_id: 7_001, creator_id: 7_002, hook });

test.for<[what: string, change: (hook: object) => object, others: RegExp, id: string]>([
  ['max_retries, equal in two answers,', numbered('max_retries'), / .*\/webhooks\/500/, '/data/hook_no'],
  ['id, equal in two answers,', numbered('id'), / .*\/webhooks\/500/, '/data/hook_no'],
  ['the number of its tenant', within, /^DELETE .*\/webhooks\/700[12]$/, '/data/hook/id'],
])('does not take %s for the id of a subscription', async ([, change, others, id]) => {
  const { called, values, left } = await tryWith(
    changing(isAbout('POST', /\/webhooks$/), (body) => ({ ...body, data: change(dataOf(body)) })),
  );
  expect(called.filter((one) => others.test(one))).toEqual([]);
  expect(called.filter((one) => /^DELETE .*\/webhooks\/\d+/.test(one)).length).toBeGreaterThan(0);
  expect(values['subscription.response.id']).toBe(id);
  expect(left('subscription')).toEqual([]);
});

const keyOf = (id: unknown) => `0123456789abcdefghij-${id}`;

test.for<[what: string, data: (key: string) => object]>([
  ['as its id', (key) => ({ id: key, key })],
  ['only as its id', (key) => ({ id: key })],
])('neither shows nor records an API key that the answer has %s', async ([, keyData]) => {
  const journal = join(makeFolder(), 'journal');
  const noted: string[] = [];
  const creating = changing(isAbout('POST', /\/keys$/), (body, message) => ({
    ...body,
    data: { ...keyData(keyOf(dataOf(body).id)), name: jsonOf(message.body).name },
  }));
  const listing = changing(isAbout('GET', /\/keys/), (body) => {
    const { list } = dataOf(body) as { list: { id: unknown }[] };
    return { ...body, data: { list: list.map((one) => ({ ...one, id: keyOf(one.id) })) } };
  });
  const { left, profile } = await tryWith(
    async (message, forward) => {
      if (existsSync(journal)) noted.push(readFileSync(journal, 'utf8'));
      if (isAbout('DELETE', /\/keys\//)(message)) return refuse(409, 40_900);
      return creating(message, (one) => listing(one, forward) as Promise<Reply>);
    },
    { journal },
  );
  expect(left('API key').length).toBeGreaterThan(0);
  expect(noted.at(-1)).toContain('API key');
  const shown = [profile, ...left('API key').map(({ id }) => String(id)), ...noted];
  expect(shown.join()).not.toContain(keyOf(''));
});

test.for<[what: string, answer: (reply: Reply) => Reply]>([
  ['with an error of the service', () => refuse(500, 50_000)],
  ['with 200 outside the envelope', (reply) => withJson(reply, { job: 7 })],
  ['with 303', (reply) => ({ ...reply, status: 303, body: Buffer.from('') })],
])('finds and deletes resources whose creation was answered %s', async ([, answer]) => {
  const { sites, left, called } = await tryWith(async (message, forward) => {
    const reply = await forward(message);
    return isAbout('POST', /\/(sites|keys)$/)(message) ? answer(reply) : reply;
  });
  expect(called).toContain('POST /tenant/sites');
  expect(sites).toHaveLength(2);
  expect(left('site', 'API key')).toEqual([]);
});

test('suggests a deletion that succeeds without effect, and leaves its site to a later clean-up', async () => {
  const journal = join(makeFolder(), 'journal');
  const isDeletion = isAbout('DELETE', /\/sites\/\d+$/);
  const { lineOf, left, sites } = await tryWith(
    (message, forward) => forward(isDeletion(message) ? reading(message) : message),
    { journal },
  );
  expect(lineOf('delete-site')).toMatch(/^# .*the deleted resource can still be read: HTTP 200/);
  const ids = left('site').map(({ id }) => id);
  expect(sites).toHaveLength(2 + ids.length);
  const noted = createResources(readJournal(journal)).remaining();
  expect(noted.filter(({ what }) => what === 'site').map(({ id }) => id)).toEqual(ids);
});

test.for<[what: string, status: number, shown: object]>([
  ['leaves a site marked as deleted', 200, { state: 'deleted' }],
  ['leaves an answer without data', 200, {}],
  ['is only accepted', 202, {}],
])('confirms a deletion that %s', async ([, status, shown]) => {
  let name: unknown;
  const { lineOf, left } = await tryWith(async (message, forward) => {
    const reply = await forward(message);
    if (isCreatingSite(message)) name ??= jsonOf(message.body).site_name;
    if (isAbout('DELETE', /\/sites\/\d+$/)(message)) return { ...reply, status };
    if (!isAbout('GET', /\/sites\/\d{4}$/)(message) || reply.status !== 404) return reply;
    return succeed(200, status === 202 ? { site_id: 1001, site_name: name } : shown);
  });
  expect(lineOf('delete-site')).toMatch(/^operation/);
  expect(left('site')).toEqual([]);
});

const webhooks = '/api/v1/tenant/sites/101/webhooks';

/** Lists subscriptions in pages of five, newest first. Deletions have no effect. */
const showingFive = (isTotalShown: boolean): Tamper => {
  const isDeletion = isAbout('DELETE', /\/webhooks\/\d+$/);
  const isList = isAbout('GET', /\/webhooks(\?|$)/);
  return async (message, forward) => {
    if (isDeletion(message)) return forward(reading(message, webhooks));
    const [path = '', query] = message.path.split('?');
    const page = Number(new URLSearchParams(query).get('page') ?? 1);
    const paging = changing(isList, (body) => {
      const { list, total } = dataOf(body) as { list: unknown[]; total: number };
      const shown = list.toReversed().slice(5 * page - 5, 5 * page);
      return { ...body, data: { list: shown, ...(isTotalShown && { total }) } };
    });
    return paging(isList(message) ? { ...message, path } : message, forward);
  };
};

test('searches all pages of a list after a deletion', async () => {
  const paged = restated('list-subscriptions', (value) => ({ ...value, query: { page: '{page}' } }));
  const { lineOf, left } = await tryWith(showingFive(true), paged);
  expect(lineOf('delete-subscription')).toMatch(/^# .*the deleted resource can still be read: HTTP 200/);
  expect(left('subscription').length).toBeGreaterThan(5);
});

test('notes a missing proof of a deletion if the list may be incomplete', async () => {
  const { lineOf } = await tryWith(showingFive(false));
  expect(lineOf('delete-subscription')).toMatch(/^operation.*; no proof that it deleted anything; /);
});

test.for<[what: string, isRight: boolean, state: object]>([
  ['lists the key as revoked', true, { state: 'revoked' }],
  ['lists the key as disabled', true, { status: 'disabled' }],
  ['lists the key as not active', true, { is_active: false }],
  ['lists the key with a deletion time of null', false, { deleted_at: null }],
])('judges a deletion that %s', async ([, isRight, state]) => {
  const named = new Map<unknown, unknown>();
  const isOfKeys = ({ path }: Message) => /\/keys$/.test(path);
  const keys = changing(isOfKeys, (body, message) => {
    const { id, list } = dataOf(body) as { id?: unknown; list?: { id: unknown }[] };
    if (message.method === 'POST') named.set(id, jsonOf(message.body).name);
    if (!list) return body;
    const gone = [...named].filter(([key]) => !list.some((one) => one.id === key));
    const shown = [...list, ...gone.map(([key, name]) => ({ id: key, name, ...state }))];
    return { ...body, data: { list: shown, total: shown.length } };
  });
  const { lineOf, left } = await tryWith(keys);
  expect(lineOf('delete-key')).toMatch(
    isRight ? /^operation/ : /^# .*the deleted resource can still be read/,
  );
  expect(left('API key').length > 0).toBe(!isRight);
});

test('deletes created resources after an interruption', async () => {
  const ending = new AbortController();
  const { stopped, left, sites } = await tryWith(
    async (message, forward) => {
      const reply = await forward(message);
      if (/\/contents$/.test(message.path)) ending.abort();
      return reply;
    },
    { signal: ending.signal },
  );
  expect(stopped?.kind).toBe('interrupted');
  expect(left('site', 'content')).toEqual([]);
  expect(sites).toHaveLength(2);
});
