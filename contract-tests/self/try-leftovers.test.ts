// @module-tag ci
// What the tries create is found again and deleted, whatever is answered, and nothing of others is.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from '../../mock/testing/started-mock.ts';
import { createResources } from '../deployment/created-resources.ts';
import { readJournal } from '../run/clean-up-journal.ts';
import { changing, dataOf, isAbout, jsonOf, reading, refuse, succeed, withJson } from './tampering.ts';
import type { Message, Reply, Tamper } from './tampering-proxy.ts';
import { isCreatingSite, restated, tryWith, without } from './try-mock.ts';

const wasThere = /^# .*what its answer names was there before: HTTP 200/;
const isNotShown = /^# .*nothing shows that what its answer names is what it creates/;

test.for<[what: string, end: RegExp, data: object, gap: string, other: string, line: RegExp]>([
  ['a site, which was there before,', /\/sites$/, { site_id: 102 }, 'create-site', '/sites/102', wasThere],
  ['a site', /\/sites$/, { site_id: 57 }, 'create-site', '/sites/57', isNotShown],
  ['content', /\/contents$/, { id: 3 }, 'create-content', '/contents/3', isNotShown],
  ['a key', /\/keys$/, { id: 60, key: 'sp_0123456789abcdef' }, 'create-key', '/keys/60', isNotShown],
])('what an answer names in the place of %s is not changed', async ([, end, data, gap, other, line]) => {
  const naming = changing(isAbout('POST', end), (body) => ({ ...body, data }));
  const { called, lineOf, sites, left } = await tryWith(naming);
  expect(called.filter((one) => !one.startsWith('GET') && one.includes(other))).toEqual([]);
  expect(lineOf(gap)).toMatch(line);
  // What was created is found by its name, and deleted.
  expect(sites).toHaveLength(2);
  expect(left('site', 'API key')).toEqual([]);
});

test('a site that was not created, whatever its answer says, is not said to be left', async () => {
  const { left } = await tryWith(async (message, forward) => {
    if (!isCreatingSite(message)) return forward(message);
    const reply = await forward(reading(message));
    return withJson(reply, { ...jsonOf(reply.body), data: { job: 7 } });
  });
  expect(left('site')).toEqual([]);
});

/** An answer that names a site of others, with the name that was asked for. */
const repeating = ({ body }: Message) => ({ site_id: 102, site_name: jsonOf(body).site_name });

test('an answer that repeats the name is believed only where reading shows nothing else', async () => {
  // The list shows none of those that were there before.
  const shownTo = (message: Message) =>
    message.method === 'GET' ? { list: [], total: 0 } : { ...repeating(message), state: 'queued' };
  const isOfSites = ({ path }: Message) => /\/sites(\?|$)/.test(path);
  const { called, lineOf, sites } = await tryWith(
    changing(isOfSites, (body, message) => ({ ...body, data: shownTo(message) })),
  );
  expect(called.filter((one) => !one.startsWith('GET') && one.includes('/sites/102'))).toEqual([]);
  expect(lineOf('create-site')).toMatch(/^# .*nothing shows that what its answer names/);
  expect(sites).toContainEqual([102, expect.any(Number)]);
});

test('no site is created where nothing learnt could read whose site an answer names', async () => {
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
  ['max_retries, the same in two answers', numbered('max_retries'), / .*\/webhooks\/500/, '/data/hook_no'],
  ['id, the same in two answers', numbered('id'), / .*\/webhooks\/500/, '/data/hook_no'],
  ['the number of its tenant', within, /^DELETE .*\/webhooks\/700[12]$/, '/data/hook/id'],
])('%s, identifies no subscription', async ([, change, others, id]) => {
  const { called, values, left } = await tryWith(
    changing(isAbout('POST', /\/webhooks$/), (body) => ({ ...body, data: change(dataOf(body)) })),
  );
  expect(called.filter((one) => others.test(one))).toEqual([]);
  expect(called.filter((one) => /^DELETE .*\/webhooks\/\d+/.test(one)).length).toBeGreaterThan(0);
  expect(values['subscription.response.id']).toBe(id);
  expect(left('subscription')).toEqual([]);
});

/** The key that was created last. */
const keyOf = (id: unknown) => `0123456789abcdefghij-${id}`;

test.for<[what: string, data: (key: string) => object]>([
  ['beside it', (key) => ({ id: key, key })],
  ['as its identifier alone', (key) => ({ id: key })],
])('a key that has itself %s is neither shown nor noted', async ([, keyData]) => {
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
  ['with 200, and not in the envelope', (reply) => withJson(reply, { job: 7 })],
  ['with 303, and where it is', (reply) => ({ ...reply, status: 303, body: Buffer.from('') })],
])('what is created, and answered %s, is found by its name and deleted', async ([, answer]) => {
  const { sites, left, called } = await tryWith(async (message, forward) => {
    const reply = await forward(message);
    return isAbout('POST', /\/(sites|keys)$/)(message) ? answer(reply) : reply;
  });
  expect(called).toContain('POST /tenant/sites');
  expect(sites).toHaveLength(2);
  expect(left('site', 'API key')).toEqual([]);
});

test('a deletion that is answered with success and deletes nothing is left to people, and its site to a later clean-up', async () => {
  const journal = join(makeFolder(), 'journal');
  const isDeletion = isAbout('DELETE', /\/sites\/\d+$/);
  const { lineOf, left, sites } = await tryWith(
    (message, forward) => forward(isDeletion(message) ? reading(message) : message),
    { journal },
  );
  expect(lineOf('delete-site')).toMatch(/^# .*what it deletes can still be read: HTTP 200/);
  const ids = left('site').map(({ id }) => id);
  expect(sites).toHaveLength(2 + ids.length);
  const noted = createResources(readJournal(journal)).remaining();
  expect(noted.filter(({ what }) => what === 'site').map(({ id }) => id)).toEqual(ids);
});

test.for<[what: string, status: number, shown: object]>([
  ['leaves a site that is said to be deleted', 200, { state: 'deleted' }],
  ['leaves an answer without data', 200, {}],
  ['is only accepted', 202, {}],
])('a deletion that %s is right', async ([, status, shown]) => {
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

/** The list of subscriptions shows the newest five first. A deletion of one of them deletes nothing. */
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

test('what a deletion leaves is looked for on each page of a list', async () => {
  const paged = restated('list-subscriptions', (value) => ({ ...value, query: { page: '{page}' } }));
  const { lineOf, left } = await tryWith(showingFive(true), paged);
  expect(lineOf('delete-subscription')).toMatch(/^# .*what it deletes can still be read: HTTP 200/);
  expect(left('subscription').length).toBeGreaterThan(5);
});

test('a deletion is said to show nothing where the list of what it deletes may be cut', async () => {
  const { lineOf } = await tryWith(showingFive(false));
  expect(lineOf('delete-subscription')).toMatch(/^operation.*; nothing shows whether it deleted anything; /);
});

test.for<[what: string, isRight: boolean, state: object]>([
  ['keeps a key in the list as revoked', true, { state: 'revoked' }],
  ['keeps a key in the list as disabled', true, { status: 'disabled' }],
  ['keeps a key in the list as one that is not active', true, { is_active: false }],
  ['deletes none, and the list has a time of deletion that is null', false, { deleted_at: null }],
])('of a deletion that %s, it is known whether it is right', async ([, isRight, state]) => {
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
  expect(lineOf('delete-key')).toMatch(isRight ? /^operation/ : /^# .*what it deletes can still be read/);
  expect(left('API key').length > 0).toBe(!isRight);
});

test('an interruption deletes what was created', async () => {
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
