// @module-tag ci
// What was learnt is called once: what works keeps its line and says so, what does not is left to people, and nothing stays behind.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { loadProfile, makeProfile, type Profile, statedValues } from '../../openapi/profile.ts';
import { findGap } from '../../openapi/registers.ts';
import { createResources } from '../deployment/created-resources.ts';
import type { DiscoverOptions } from '../discover/options.ts';
import type { Learning, LearntOperation } from '../learn/learn-operations.ts';
import { readJournal } from '../run/clean-up-journal.ts';
import { discoverMock } from './discover-mock.ts';
import { jsonOf, refuse } from './tampering.ts';
import type { Message, Reply, Tamper } from './tampering-proxy.ts';

const spoken = loadProfile('default');

/** As a description teaches it that does not say what creating a site answers. */
function learningOf(profile: Profile): Learning {
  const stated = Object.entries(statedValues(profile)).filter(([id]) => id.startsWith('operation.'));
  const operations = stated.flatMap(([id, value]): LearntOperation[] => {
    const gap = findGap(id);
    const { id: pointer, ...others } = value as Record<string, unknown>;
    const told = id === 'operation.create-site' || !pointer ? others : { ...others, id: pointer };
    const said = { reasons: ['its path'], doubts: [], place: 'api.json', alternatives: [] };
    return gap ? [{ gap, value: told, isCertain: true, ...said }] : [];
  });
  return { operations, count: operations.length, notes: [] };
}

const learning = learningOf(spoken);

async function tryWith(tamper?: Tamper, options: Partial<DiscoverOptions> = {}, profile = spoken) {
  const called: string[] = [];
  const seen: Tamper = async (message, forward) => {
    const { method, path } = message;
    called.push(`${method} ${path.replace('/api/v1', '').replace(/\?.*/, '')}`);
    return tamper ? tamper(message, forward) : forward(message);
  };
  let sites: unknown;
  const outcome = await discoverMock({
    spoken: profile,
    knows: 'nothing',
    controls: true,
    tamper: seen,
    options: { learning, ...options },
    afterwards: async (mock) => {
      sites = mock.control.sites({ tenant: 1 }).sites.map(({ id, version }) => [id, version]);
    },
  });
  const lines = outcome.profile.split('\n').filter((line) => /^(# (to confirm: )?)?operation\./.test(line));
  const lineOf = (name: string) => lines.find((line) => line.includes(`operation.${name}:`));
  /** The calls before the discovery looks at its own site. */
  const first = called.slice(0, called.indexOf('POST /tenant/sites/101/webhooks'));
  return { ...outcome, called, first, sites, lineOf };
}

const isAbout = (method: string, end: RegExp) => (message: Message) =>
  message.method === method && end.test(message.path);

const answering =
  (when: (message: Message) => boolean, status: number, code = status * 100): Tamper =>
  async (message, forward) =>
    when(message) ? refuse(status, code) : forward(message);

/** Changes the bodies of the answers to some calls. */
const changing =
  (when: (message: Message) => boolean, change: (body: object, message: Message) => object): Tamper =>
  async (message, forward) => {
    const reply = await forward(message);
    if (!when(message) || reply.status >= 300) return reply;
    return { ...reply, body: Buffer.from(JSON.stringify(change(jsonOf(reply.body), message))) };
  };

/** The answer of a creation names something else, such as a job, or what somebody else has. */
const naming = (end: RegExp, data: object): Tamper =>
  changing(isAbout('POST', end), (body) => ({ ...body, data }));

test('each operation is called once, on a site of its own, and nothing is left', async () => {
  const { profile, values, called, sites, leftovers, stopped } = await tryWith();
  expect(stopped).toBeUndefined();
  // Where no answer is described, pointers are those of the answer.
  expect(values['operation.create-site']).toMatchObject({ id: '/data/site_id' });
  expect(profile).toContain('called, and answered 200; id: as its answer shows; api.json: ');
  expect(profile.match(/^operation\.[\w-]+: {2}# called, and answered 200;/gm)).toHaveLength(25);
  const writes = called.filter((one) => /^(POST|PUT|DELETE) .*\/sites\/\d+\//.test(one));
  const ofSites = writes.filter((one) => !one.includes('/webhooks'));
  // A second publish is needed to see whether an unchanged site gets a new version.
  const publish = 'POST /tenant/sites/1001/publish';
  expect(ofSites.filter((one) => one === publish)).toHaveLength(2);
  const once = ofSites.filter((one) => one !== publish);
  expect(once.length).toBeGreaterThan(7);
  expect(new Set(once).size).toBe(once.length);
  expect(once.filter((one) => !one.includes('/sites/1001/'))).toEqual([]);
  const countOf = (end: RegExp) => called.filter((one) => one.startsWith('POST') && end.test(one)).length;
  expect(countOf(/\/publish(-failing)?$/)).toBeLessThanOrEqual(6);
  expect(countOf(/\/sites(\/import)?$/)).toBeLessThanOrEqual(6);
  expect(countOf(/\/contents$/)).toBe(1);
  expect(leftovers.filter(({ what }) => ['site', 'content', 'API key'].includes(what))).toEqual([]);
  expect(sites).toEqual([
    [101, expect.any(Number)],
    [102, expect.any(Number)],
  ]);
});

const wrong = (status: number) => new RegExp(`^# .*answered HTTP ${status}`);
const refused = (status: number) => new RegExp(`^operation.*refused with ${status}, which may be no fault`);

test.for<[name: string, method: string, end: RegExp, status: number, gap: string, line: RegExp]>([
  ['a path that is not there', 'POST', /\/contents$/, 404, 'create-content', wrong(404)],
  ['a method that is not taken', 'DELETE', /\/keys\/\d+$/, 405, 'delete-key', wrong(405)],
  ['another body than it takes', 'POST', /\/sites$/, 400, 'create-site', wrong(400)],
  ['no right to do so', 'POST', /\/ai$/, 403, 'ai', refused(403)],
  ['a limit that is reached', 'POST', /\/publish$/, 429, 'publish-site', refused(429)],
  ['a form that no site has', 'POST', /\/forms\//, 404, 'submit-form', refused(404)],
])('%s', async ([, method, end, status, gap, line]) => {
  const { lineOf, leftovers } = await tryWith(answering(isAbout(method, end), status));
  expect(lineOf(gap)).toMatch(line);
  expect(leftovers.filter(({ what }) => what === 'site')).toEqual([]);
});

test('another status than the described one is stated', async () => {
  const { values, lineOf } = await tryWith(async (message, forward) => {
    const reply = await forward(message);
    return isAbout('POST', /\/sites$/)(message) ? { ...reply, status: 202 } : reply;
  });
  expect(values['operation.create-site']).toMatchObject({ status: 202 });
  expect(lineOf('create-site')).toContain('called, and answered 202;');
});

test('what is new is known a little later', async () => {
  const first = new Set<string>();
  const { lineOf } = await tryWith(async (message, forward) => {
    const isNew = /\/sites\/(?!10[12]\b)\d+$/.test(message.path) && !first.has(message.method);
    if (isNew) first.add(message.method);
    return isNew ? refuse(404, 40400) : forward(message);
  });
  expect(lineOf('get-site')).toMatch(/^operation.*called, and answered 200/);
  expect(lineOf('delete-site')).toMatch(/^operation.*called, and answered 200/);
});

test('a line that another one does at once goes with it', async () => {
  const operations = learning.operations.map((one) =>
    one.gap.id === 'operation.publish-content' ? { ...one, value: { by: 'create-content' } } : one,
  );
  const { stopped, profile } = await tryWith(answering(isAbout('POST', /\/contents$/), 404), {
    learning: { ...learning, operations },
  });
  expect(stopped).toBeUndefined();
  expect(profile).toMatch(/^# not found: operation\.publish-content; .*contradicts another value/m);
});

test('where no site can be created, nothing is changed, and lists are read', async () => {
  const { first, lineOf } = await tryWith(answering(isAbout('POST', /\/sites$/), 403));
  const writes = first.filter((one) => !one.startsWith('GET') && /\/sites\/10[12]\b/.test(one));
  expect(writes).toEqual([]);
  expect(lineOf('list-contents')).toMatch(/^operation.*called, and answered 200/);
  expect(lineOf('publish-content')).toMatch(/^operation.*called, and answered 200/);
});

const wasThere = /^# .*what its answer names was there before: HTTP 200/;
const isNotShown = /^# .*nothing shows that what its answer names is what it creates/;

test.for<[what: string, end: RegExp, data: object, gap: string, other: string, line: RegExp]>([
  ['a site, which was there before,', /\/sites$/, { site_id: 102 }, 'create-site', '/sites/102', wasThere],
  ['a site', /\/sites$/, { site_id: 57 }, 'create-site', '/sites/57', isNotShown],
  ['content', /\/contents$/, { id: 3 }, 'create-content', '/contents/3', isNotShown],
  ['a key', /\/keys$/, { id: 60, key: 'sp_0123456789abcdef' }, 'create-key', '/keys/60', isNotShown],
])('what an answer names in the place of %s is not changed', async ([, end, data, gap, other, line]) => {
  const { called, lineOf, sites, leftovers } = await tryWith(naming(end, data));
  expect(called.filter((one) => !one.startsWith('GET') && one.includes(other))).toEqual([]);
  expect(lineOf(gap)).toMatch(line);
  // What was created is found by its name, and deleted.
  expect(sites).toHaveLength(2);
  expect(leftovers.filter(({ what }) => what === 'site' || what === 'API key')).toEqual([]);
});

test('a site that was not created, whatever its answer says, is not said to be left', async () => {
  const { leftovers } = await tryWith(async (message, forward) => {
    if (!isAbout('POST', /\/sites$/)(message)) return forward(message);
    const reply = await forward({ ...message, method: 'GET', body: Buffer.from('') });
    return { ...reply, body: Buffer.from(JSON.stringify({ ...jsonOf(reply.body), data: { job: 7 } })) };
  });
  expect(leftovers.filter(({ what }) => what === 'site')).toEqual([]);
});

test('an answer that repeats the name is believed only where reading shows nothing else', async () => {
  // The list shows none of those that were there before.
  const dataOf = ({ method, body }: Message) =>
    method === 'GET'
      ? { list: [], total: 0 }
      : { site_id: 102, site_name: jsonOf(body).site_name, state: 'queued' };
  const isOfSites = ({ path }: Message) => /\/sites(\?|$)/.test(path);
  const { called, lineOf, sites } = await tryWith(
    changing(isOfSites, (body, message) => ({ ...body, data: dataOf(message) })),
  );
  expect(called.filter((one) => !one.startsWith('GET') && one.includes('/sites/102'))).toEqual([]);
  expect(lineOf('create-site')).toMatch(/^# .*nothing shows that what its answer names/);
  expect(sites).toContainEqual([102, expect.any(Number)]);
});

test('no site is created where nothing learnt could read whose site an answer names', async () => {
  const operations = learning.operations.filter(({ gap }) => !/(list|get)-sites?$/.test(gap.id));
  const tamper = changing(isAbout('POST', /\/sites$/), (body, message) => ({
    ...body,
    data: { site_id: 102, site_name: jsonOf(message.body).site_name },
  }));
  const { called, sites } = await tryWith(tamper, { learning: { ...learning, operations } });
  expect(called.filter((one) => /^(POST|PUT|PATCH|DELETE) .*\/sites(\/102.*)?$/.test(one))).toEqual([]);
  expect(sites).toHaveLength(2);
});

test.for(['max_retries', 'id'])('%s, the same in two answers, identifies no subscription', async (name) => {
  const { called, values, leftovers } = await tryWith(
    changing(isAbout('POST', /\/webhooks$/), (body) => {
      const { id: hook_no, ...others } = (body as { data: { id: unknown } }).data;
      return { ...body, data: { [name]: 500, hook_no, ...others } };
    }),
  );
  expect(called.filter((one) => one.includes('/webhooks/500'))).toEqual([]);
  expect(values['subscription.response.id']).toBe('/data/hook_no');
  expect(leftovers.filter(({ what }) => what === 'subscription')).toEqual([]);
});

test('a subscription is deleted by no identifier but its own', async () => {
  const { called, leftovers } = await tryWith(
    changing(isAbout('POST', /\/webhooks$/), (body) => {
      const { data } = body as { data: object };
      return { ...body, data: { tenant_id: 7_001, creator_id: 7_002, hook: data } };
    }),
  );
  expect(called.filter((one) => /^DELETE .*\/webhooks\/700[12]$/.test(one))).toEqual([]);
  expect(called.filter((one) => /^DELETE .*\/webhooks\/\d+/.test(one)).length).toBeGreaterThan(0);
  expect(leftovers.filter(({ what }) => what === 'subscription')).toEqual([]);
});

test.for<[gap: string, value: object, call: string]>([
  ['delete-site', { method: 'DELETE', path: '/tenant/sites/current' }, 'DELETE /tenant/sites/current'],
  ['publish-site', { method: 'POST', path: '/tenant/publish', version: '/data/v' }, 'POST /tenant/publish'],
])('a %s that does not name its site is not called: it may be about any', async ([name, value, call]) => {
  const operations = learning.operations.map((one) =>
    one.gap.id === `operation.${name}` ? { ...one, value: { ...value } } : one,
  );
  const { called, stopped } = await tryWith(undefined, { learning: { ...learning, operations } });
  expect(stopped).toBeUndefined();
  expect(called).not.toContain(call);
});

/** The key that was created last. */
const keyOf = (id: unknown) => `0123456789abcdefghij-${id}`;

test.for<[what: string, data: (key: string) => object]>([
  ['beside it', (key) => ({ id: key, key })],
  ['as its identifier alone', (key) => ({ id: key })],
])('a key that has itself %s is neither shown nor noted', async ([, dataOf]) => {
  const folder = mkdtempSync(join(tmpdir(), 'sitepub-try-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const journal = join(folder, 'journal');
  const noted: string[] = [];
  const creating = changing(isAbout('POST', /\/keys$/), (body, message) => {
    const { id } = (body as { data: { id: unknown } }).data;
    return { ...body, data: { ...dataOf(keyOf(id)), name: jsonOf(message.body).name } };
  });
  const listing = changing(isAbout('GET', /\/keys/), (body) => {
    const { list } = (body as { data: { list: { id: unknown }[] } }).data;
    return { ...body, data: { list: list.map((one) => ({ ...one, id: keyOf(one.id) })) } };
  });
  const { leftovers, profile } = await tryWith(
    async (message, forward) => {
      if (existsSync(journal)) noted.push(readFileSync(journal, 'utf8'));
      if (isAbout('DELETE', /\/keys\//)(message)) return refuse(409, 40_900);
      return creating(message, (one) => listing(one, forward) as Promise<Reply>);
    },
    { journal },
  );
  const left = leftovers.filter(({ what }) => what === 'API key');
  expect(left.length).toBeGreaterThan(0);
  expect(noted.at(-1)).toContain('API key');
  expect([profile, ...left.map(({ id }) => String(id)), ...noted].join()).not.toContain(keyOf(''));
});

test('what nothing deletes is created only to see what repeats a creation', async () => {
  const operations = learning.operations.filter(({ gap }) => !/delete-(site|key)|publish-site/.test(gap.id));
  const { called, first, lineOf, values } = await tryWith(undefined, {
    learning: { ...learning, operations },
  });
  expect(first.filter((one) => /^POST .*(\/sites|\/import|\/keys)$/.test(one))).toEqual([]);
  expect(values['idempotency.repetition']).toBe('identical-request');
  expect(called.filter((one) => /^POST .*(\/sites|\/import|\/keys)$/.test(one))).toHaveLength(3);
  expect(lineOf('create-site')).toMatch(/^operation/);
  expect(lineOf('list-keys')).toMatch(/^operation.*called, and answered 200/);
});

test('what is going to be done is said before, with its site and what stays', async () => {
  const operations = learning.operations.filter(({ gap }) => !/delete-site|submit-form/.test(gap.id));
  let plan: readonly string[] = [];
  const { called } = await tryWith(undefined, {
    learning: { ...learning, operations },
    mayCreate: async (lines) => {
      plan = lines;
      return false;
    },
  });
  expect(plan).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^up to 30 webhook subscriptions on site 101 \(deleted at the end\)/),
      'up to 7 sites (left behind, since nothing says how they are deleted)',
      'up to 7 publishes on site 101: what is changed there is public then',
      'up to 7 content items on site 101 (deleted at the end)',
      'up to 7 comments on site 101',
    ]),
  );
  expect(plan.filter((line) => line.includes('form'))).toEqual([]);
  expect(
    called.filter((one) => /^(POST|PUT|PATCH) .*\/(sites|publish|contents|comments)$/.test(one)),
  ).toEqual([]);
});

test('a wrong API key is said, where no user logs in', async () => {
  const withoutUser: object = { account: undefined, apiKey: 'sp_wrong' };
  const { stopped } = await tryWith(undefined, withoutUser);
  const reason = 'each call was refused with 401; check SITEPUB_API_KEY';
  expect(stopped).toEqual({ kind: 'credentials', reason });
});

test('a lost answer costs one try alone', async () => {
  const { lineOf, leftovers } = await tryWith(async (message, forward) => {
    const reply = await forward(message);
    if (isAbout('POST', /\/contents$/)(message)) throw Object.assign(new Error('lost'), { code: 'LOST' });
    return reply;
  });
  expect(lineOf('create-content')).toMatch(/^operation.*called, and no answer said anything of it; api/);
  expect(lineOf('publish-site')).toMatch(/^operation.*called, and answered 200/);
  expect(leftovers.filter(({ what }) => what === 'site' || what === 'content')).toEqual([]);
});

test.for<[what: string, answer: { status: number; text?: string }]>([
  ['with an error of the service', { status: 500 }],
  ['with 200, and not in the envelope', { status: 200, text: '{"job":7}' }],
  ['with 303, and where it is', { status: 303, text: '' }],
])('what is created, and answered %s, is found by its name and deleted', async ([, { status, text }]) => {
  const { sites, leftovers, called } = await tryWith(async (message, forward) => {
    const reply = await forward(message);
    if (!isAbout('POST', /\/(sites|keys)$/)(message)) return reply;
    return text === undefined ? refuse(status, 50_000) : { ...reply, status, body: Buffer.from(text) };
  });
  expect(called.filter((one) => one === 'POST /tenant/sites').length).toBeGreaterThan(0);
  expect(sites).toHaveLength(2);
  expect(leftovers.filter(({ what }) => what === 'site' || what === 'API key')).toEqual([]);
});

const creatingSites = /\/sites(\/import)?$/;
const publishing = /\/publish$/;

test.for<[what: string, end: RegExp, status: number]>([
  ['sites whose answers fail', creatingSites, 503],
  ['sites whose answers are lost', creatingSites, 0],
  ['publishes whose answers fail', publishing, 503],
  ['publishes whose answers are lost', publishing, 0],
])('no more than was announced is made of %s', async ([, end, status]) => {
  let carriedOut = 0;
  const { sites } = await tryWith(async (message, forward) => {
    const reply = await forward(message);
    if (!isAbout('POST', end)(message)) return reply;
    if (reply.status === 200) carriedOut++;
    // Each second answer is lost, so that steps are begun again and go on.
    if (carriedOut % 2 === 0) return reply;
    if (status === 0) throw Object.assign(new Error('lost'), { code: 'LOST' });
    return refuse(status, status * 100);
  });
  expect(carriedOut).toBeGreaterThan(2);
  expect(carriedOut).toBeLessThanOrEqual(7);
  expect(sites).toHaveLength(2);
});

test('a publish that is answered as an earlier one counts among those that were announced', async () => {
  const stated = { ...statedValues(spoken), 'idempotency.repetition': 'key-header' };
  const operations = learning.operations.filter(({ gap }) => !/(create|import)-site$/.test(gap.id));
  let carriedOut = 0;
  await tryWith(
    async (message, forward) => {
      const reply = await forward(message);
      if (!isAbout('POST', /\/sites\/101\/publish(-failing)?$/)(message) || reply.status !== 200)
        return reply;
      carriedOut++;
      // The step is begun again each time that it has nearly found the header.
      const keys = Object.keys(message.headers).filter((name) => /-(key|id)$/.test(name));
      if (keys.length === 1) throw Object.assign(new Error('lost'), { code: 'LOST' });
      return reply;
    },
    { learning: { ...learning, operations } },
    makeProfile(stated, { name: 'keyed', source: 'keyed.yaml' }),
  );
  expect(carriedOut).toBeGreaterThan(5);
  expect(carriedOut).toBeLessThanOrEqual(7);
});

test('a deletion that is answered with success and deletes nothing is left to people, and its site to a later clean-up', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sitepub-try-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const journal = join(folder, 'journal');
  const { lineOf, leftovers, sites } = await tryWith(
    async (message, forward) =>
      isAbout('DELETE', /\/sites\/\d+$/)(message)
        ? forward({ ...message, method: 'GET', body: Buffer.from('') })
        : forward(message),
    { journal },
  );
  expect(lineOf('delete-site')).toMatch(/^# .*what it deletes can still be read: HTTP 200/);
  const left = leftovers.filter(({ what }) => what === 'site');
  expect(sites).toHaveLength(2 + left.length);
  const noted = createResources(readJournal(journal)).remaining();
  expect(noted.filter(({ what }) => what === 'site').map(({ id }) => id)).toEqual(left.map(({ id }) => id));
});

test.for<[what: string, status: number, left: object]>([
  ['leaves a site that is said to be deleted', 200, { state: 'deleted' }],
  ['leaves an answer without data', 200, {}],
  ['is only accepted', 202, {}],
])('a deletion that %s is right', async ([, status, left]) => {
  let name: unknown;
  const { lineOf, leftovers } = await tryWith(async (message, forward) => {
    const reply = await forward(message);
    if (isAbout('POST', /\/sites$/)(message)) name ??= jsonOf(message.body).site_name;
    if (isAbout('DELETE', /\/sites\/\d+$/)(message)) return { ...reply, status };
    if (!isAbout('GET', /\/sites\/\d{4}$/)(message) || reply.status !== 404) return reply;
    const data = status === 202 ? { site_id: 1001, site_name: name } : left;
    return { ...reply, status: 200, body: Buffer.from(JSON.stringify({ code: 0, data, trace_id: 't' })) };
  });
  expect(lineOf('delete-site')).toMatch(/^operation/);
  expect(leftovers.filter(({ what }) => what === 'site')).toEqual([]);
});

/** The list of subscriptions shows the newest five first. A deletion of one of them deletes nothing. */
const showingFive = (isTotalShown: boolean): Tamper => {
  const isList = isAbout('GET', /\/webhooks(\?|$)/);
  return async (message, forward) => {
    const path = message.path.replace(/\?.*/, '');
    if (isAbout('DELETE', /\/webhooks\/\d+$/)(message))
      return forward({ ...message, method: 'GET', path: webhooks });
    if (!isList(message)) return forward(message);
    const page = Number(new URLSearchParams(message.path.split('?')[1]).get('page') ?? 1);
    const reply = await forward({ ...message, path });
    if (reply.status >= 300) return reply;
    const { data, ...body } = jsonOf(reply.body) as { data: { list: unknown[]; total: number } };
    const list = data.list.toReversed().slice(5 * page - 5, 5 * page);
    const shown = { ...body, data: { list, ...(isTotalShown && { total: data.total }) } };
    return { ...reply, body: Buffer.from(JSON.stringify(shown)) };
  };
};
const webhooks = '/api/v1/tenant/sites/101/webhooks';

test('what a deletion leaves is looked for on each page of a list', async () => {
  const operations = learning.operations.map((one) =>
    one.gap.id === 'operation.list-subscriptions'
      ? { ...one, value: { ...one.value, query: { page: '{page}' } } }
      : one,
  );
  const { lineOf, leftovers } = await tryWith(showingFive(true), { learning: { ...learning, operations } });
  expect(lineOf('delete-subscription')).toMatch(/^# .*what it deletes can still be read: HTTP 200/);
  expect(leftovers.filter(({ what }) => what === 'subscription').length).toBeGreaterThan(5);
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
  const named = new Map<string, unknown>();
  const { lineOf, leftovers } = await tryWith(async (message, forward) => {
    const reply = await forward(message);
    if (reply.status >= 300) return reply;
    const body = jsonOf(reply.body) as { data: { id: unknown; list: object[]; total: number } };
    if (isAbout('POST', /\/keys$/)(message)) named.set(String(body.data.id), jsonOf(message.body).name);
    if (!isAbout('GET', /\/keys$/)(message)) return reply;
    const there = body.data.list.map((one) => String((one as { id: unknown }).id));
    const gone = [...named]
      .filter(([id]) => !there.includes(id))
      .map(([id, name]) => ({ id: Number(id), name, ...state }));
    const list = [...body.data.list, ...gone];
    return { ...reply, body: Buffer.from(JSON.stringify({ ...body, data: { list, total: list.length } })) };
  });
  expect(lineOf('delete-key')).toMatch(isRight ? /^operation/ : /^# .*what it deletes can still be read/);
  expect(leftovers.filter(({ what }) => what === 'API key').length > 0).toBe(!isRight);
});

test('what always fails to be created costs no other event', async () => {
  const { lineOf } = await tryWith(answering(isAbout('POST', /\/(contents|publish-failing)$/), 500));
  expect(lineOf('create-comment')).toMatch(/^operation.*called, and answered 200/);
  expect(lineOf('publish-site')).toMatch(/^operation.*called, and answered 200/);
});

test('where a deletion that was known beforehand is refused, no further site is created', async () => {
  const { called } = await tryWith(answering(isAbout('DELETE', /\/sites\/\d+$/), 403));
  expect(called.filter((one) => creatingSites.test(one) && one.startsWith('POST'))).toHaveLength(2);
});

test('where sites can be deleted and not created, a publish is repeated at one place only', async () => {
  const operations = learning.operations.filter(({ gap }) => !/(create|import)-site$/.test(gap.id));
  const { called, values } = await tryWith(undefined, { learning: { ...learning, operations } });
  expect(values['publish.unchanged']).toBe('new-version');
  expect(called.filter((one) => publishing.test(one))).toHaveLength(5);
});

test('an interruption deletes what was created', async () => {
  const ending = new AbortController();
  const { stopped, leftovers, sites } = await tryWith(
    async (message, forward) => {
      const reply = await forward(message);
      if (/\/contents$/.test(message.path)) ending.abort();
      return reply;
    },
    { signal: ending.signal },
  );
  expect(stopped?.kind).toBe('interrupted');
  expect(leftovers.filter(({ what }) => what === 'site' || what === 'content')).toEqual([]);
  expect(sites).toHaveLength(2);
});
