// @module-tag ci
// Discovery calls each learnt operation once, and confirms or revokes it.
import { expect, test } from 'vitest';
import { profileWith } from '../../mock/testing/open-mock.ts';
import { changing, isAbout, lose, refuse, refusing } from './tampering.ts';
import type { Message, Tamper } from './tampering-proxy.ts';
import { isCreatingSite, restated, tryWith, without } from './try-mock.ts';

/** The calls before the first creation of a subscription. */
function firstOf(called: readonly string[]): string[] {
  return called.slice(0, called.indexOf('POST /tenant/sites/101/webhooks'));
}

test('calls each operation once on its own site, and leaves nothing', async () => {
  const { profile, values, called, sites, left, stopped } = await tryWith();
  expect(stopped).toBeUndefined();
  // The description has no answer, so the pointer comes from the actual one.
  expect(values['operation.create-site']).toMatchObject({ id: '/data/site_id' });
  expect(profile).toContain('called, answered 200; id read from its answer; api.json: ');
  expect(profile.match(/^operation\.[\w-]+: {2}# called, answered 200;/gm)).toHaveLength(25);
  const writes = called.filter((one) => /^(POST|PUT|DELETE) .*\/sites\/\d+\//.test(one));
  const ofSites = writes.filter((one) => !one.includes('/webhooks'));
  // A second publish shows whether an unchanged site gets a new version.
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
  expect(left('site', 'content', 'API key')).toEqual([]);
  expect(sites).toEqual([
    [101, expect.any(Number)],
    [102, expect.any(Number)],
  ]);
});

const right = /^operation.*called, answered 200/;
const unanswered = /^operation.*called, no usable answer; api/;
const wrong = (status: number) => new RegExp(`^# .*answered HTTP ${status}`);
const refused = (status: number) =>
  new RegExp(`^operation.*refused with ${status}, possibly for another reason`);

/** Refuses the first call of each method for a new site. */
function knownLater(): Tamper {
  const first = new Set<string>();
  const isNew = ({ method, path }: Message) => /\/sites\/(?!10[12]\b)\d+$/.test(path) && !first.has(method);
  return async (message, forward) => {
    if (!isNew(message)) return forward(message);
    first.add(message.method);
    return refuse(404, 40400);
  };
}

const creatingContent = isAbout('POST', /\/contents$/);
const failing = isAbout('POST', /\/(contents|publish-failing)$/);

const losing: Tamper = async (message, forward) => {
  const reply = await forward(message);
  return creatingContent(message) ? lose() : reply;
};

test.for<[what: string, tamper: Tamper, lines: Record<string, RegExp>]>([
  ['a path that does not exist', refusing(creatingContent, 404), { 'create-content': wrong(404) }],
  [
    'a method that is not accepted',
    refusing(isAbout('DELETE', /\/keys\/\d+$/), 405),
    { 'delete-key': wrong(405) },
  ],
  ['a wrong body', refusing(isCreatingSite, 400), { 'create-site': wrong(400) }],
  ['a missing permission', refusing(isAbout('POST', /\/ai$/), 403), { ai: refused(403) }],
  ['a reached limit', refusing(isAbout('POST', /\/publish$/), 429), { 'publish-site': refused(429) }],
  ['a form that no site has', refusing(isAbout('POST', /\/forms\//), 404), { 'submit-form': refused(404) }],
  ['a site that is visible a little later', knownLater(), { 'get-site': right, 'delete-site': right }],
  ['a lost answer', losing, { 'create-content': unanswered, 'publish-site': right }],
  ['events that fail', refusing(failing, 500), { 'create-comment': right, 'publish-site': right }],
])('writes the outcome of a call into the profile: %s', async ([, tamper, lines]) => {
  const { lineOf, left } = await tryWith(tamper);
  for (const [name, line] of Object.entries(lines)) expect(lineOf(name)).toMatch(line);
  expect(left('site', 'content')).toEqual([]);
});

test('states the actual status instead of the described one', async () => {
  const { values, lineOf } = await tryWith(changing(isCreatingSite, (body) => body, 202));
  expect(values['operation.create-site']).toMatchObject({ status: 202 });
  expect(lineOf('create-site')).toContain('called, answered 202;');
});

test('revokes an operation together with the one that includes it', async () => {
  const joined = restated('publish-content', () => ({ by: 'create-content' }));
  const { stopped, profile } = await tryWith(refusing(creatingContent, 404), joined);
  expect(stopped).toBeUndefined();
  expect(profile).toMatch(/^# not found: operation\.publish-content; .*contradicts another value/m);
});

test('changes nothing and reads lists if it can create no site', async () => {
  const { called, lineOf } = await tryWith(refusing(isCreatingSite, 403));
  const writes = firstOf(called).filter((one) => !one.startsWith('GET') && /\/sites\/10[12]\b/.test(one));
  expect(writes).toEqual([]);
  expect(lineOf('list-contents')).toMatch(right);
  expect(lineOf('publish-content')).toMatch(right);
});

test.for<[gap: string, value: object, call: string]>([
  ['delete-site', { method: 'DELETE', path: '/tenant/sites/current' }, 'DELETE /tenant/sites/current'],
  ['publish-site', { method: 'POST', path: '/tenant/publish', version: '/data/v' }, 'POST /tenant/publish'],
])('does not call a %s without a site in its path', async ([name, value, call]) => {
  const { called, stopped } = await tryWith(
    undefined,
    restated(name, () => value),
  );
  expect(stopped).toBeUndefined();
  expect(called).not.toContain(call);
});

test('creates undeletable resources only to find the repetition rule', async () => {
  const { called, lineOf, values } = await tryWith(undefined, without(/delete-(site|key)|publish-site/));
  const creationsIn = (calls: readonly string[]) =>
    calls.filter((one) => /^POST .*(\/sites|\/import|\/keys)$/.test(one));
  expect(creationsIn(firstOf(called))).toEqual([]);
  expect(values['idempotency.repetition']).toBe('identical-request');
  expect(creationsIn(called)).toHaveLength(3);
  expect(lineOf('create-site')).toMatch(/^operation/);
  expect(lineOf('list-keys')).toMatch(right);
});

test('asks with the site and leftovers of each planned creation', async () => {
  let plan: readonly string[] = [];
  const { called } = await tryWith(undefined, {
    ...without(/delete-site|submit-form/),
    mayCreate: async (lines) => {
      plan = lines;
      return false;
    },
  });
  expect(plan).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^up to 30 webhook subscriptions on site 101 \(deleted at the end\)/),
      'up to 7 sites (left behind, because no known operation deletes them)',
      'up to 6 publishes on site 101; unpublished changes there go live',
      'up to 7 content items on site 101 (deleted at the end)',
      'up to 7 comments on site 101',
    ]),
  );
  expect(plan.filter((line) => line.includes('form'))).toEqual([]);
  const creations = /^(POST|PUT|PATCH) .*\/(sites|publish|contents|comments)$/;
  expect(called.filter((one) => creations.test(one))).toEqual([]);
});

test('reports a wrong API key if no user logs in', async () => {
  const withoutUser: object = { account: undefined, apiKey: 'sp_wrong' };
  const { stopped } = await tryWith(undefined, withoutUser);
  const reason = 'the deployment refused each call with 401; check SITEPUB_API_KEY';
  expect(stopped).toEqual({ kind: 'credentials', reason });
});

const creatingSites = /\/sites(\/import)?$/;
const publishing = /\/publish$/;

test.for<[what: string, end: RegExp, failure: () => ReturnType<typeof refuse>]>([
  ['sites whose answers fail', creatingSites, () => refuse(503, 50_300)],
  ['sites whose answers are lost', creatingSites, lose],
  ['publishes whose answers fail', publishing, () => refuse(503, 50_300)],
  ['publishes whose answers are lost', publishing, lose],
])('creates no more than announced: %s', async ([, end, failure]) => {
  let carriedOut = 0;
  const { sites } = await tryWith(async (message, forward) => {
    const reply = await forward(message);
    if (!isAbout('POST', end)(message)) return reply;
    if (reply.status === 200) carriedOut++;
    // Only each second answer fails, so that the steps continue.
    return carriedOut % 2 === 0 ? reply : failure();
  });
  expect(carriedOut).toBeGreaterThan(2);
  expect(carriedOut).toBeLessThanOrEqual(7);
  expect(sites).toHaveLength(2);
});

test('counts a repeated publish among the announced ones', async () => {
  const isPublish = isAbout('POST', /\/sites\/101\/publish(-failing)?$/);
  let carriedOut = 0;
  const tamper: Tamper = async (message, forward) => {
    const reply = await forward(message);
    if (!isPublish(message) || reply.status !== 200) return reply;
    carriedOut++;
    // The step restarts each time it has nearly found the header.
    const keys = Object.keys(message.headers).filter((name) => /-(key|id)$/.test(name));
    return keys.length === 1 ? lose() : reply;
  };
  const keyed = profileWith({ 'idempotency.repetition': 'key-header' });
  await tryWith(tamper, without(/(create|import)-site$/), keyed);
  expect(carriedOut).toBe(6);
});

test('creates no more sites after a refused deletion', async () => {
  const { called } = await tryWith(refusing(isAbout('DELETE', /\/sites\/\d+$/), 403));
  expect(called.filter((one) => creatingSites.test(one) && one.startsWith('POST'))).toHaveLength(2);
});

test('repeats a publish in only one step if it can delete but not create sites', async () => {
  const { called, values } = await tryWith(undefined, without(/(create|import)-site$/));
  expect(values['publish.unchanged']).toBe('new-version');
  expect(called.filter((one) => publishing.test(one))).toHaveLength(5);
});
