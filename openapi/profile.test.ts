import { readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { codesOf } from './error-codes.ts';
import {
  gapValue,
  loadProfile,
  makeProfile,
  noProfile,
  ProfileError,
  parseProfile,
  statedValues,
} from './profile.ts';
import { findGap, gaps } from './registers.ts';
import { profileNames } from './testing/profile-names.ts';

const aPlace = 'expected a JSON Pointer into the response body, for example /data/token';
const anOffset = 'expected Z, or a UTC offset such as +08:00';
const aCall = 'expected one of not-offered, unknown or a map with method and path';

test.for([
  ['webhook.timestamp-unit', 'second', 'expected one of seconds, milliseconds; it is "second"'],
  ['login.token', 'data.token', `${aPlace}; it is "data.token"`],
  ['login.token', 'absent', `${aPlace}; it is "absent"`],
  ['login.expires-in', 'none', `${aPlace}, or "absent"; it is "none"`],
  ['login.status', '404', 'expected a whole number from 200 to 299; it is 404'],
  ['token.lifetime', '1h', 'expected a whole number from 1 to 31536000; it is "1h"'],
  ['subscription.request.url', '""', 'expected a text of 1 to 100 characters; it is ""'],
  ['webhook.timestamp-offset', '"+8"', `${anOffset}; it is "+8"`],
  ['refresh.request', '"{token}"', 'expected "none" or a map with at least one member; it is "{token}"'],
  ['operation.ai', 'no', `${aCall}; it is "no"`],
] as const)('refuses for the gap %s the value "%s"', ([id, value, problem]) => {
  expect(problemsOf(`\n${id}: ${value}`)).toEqual([`a.yaml:2: ${id}: ${problem}. ${findGap(id)?.question}`]);
});

const kinds = codesOf(noProfile).map(([kind]) => kind);
const seeAll = '(`sitepub list gaps` shows all)';
const isFlat = 'is not a gap; a profile is flat: write';

test.for([
  ['login.tokn: /data/t', `unknown gap "login.tokn"; did you mean "login.token"? ${seeAll}`],
  ['LOGIN.TOKEN: 1', `unknown gap "LOGIN.TOKEN"; did you mean "login.token"? ${seeAll}`],
  ['__proto__: 1', `unknown gap "__proto__" ${seeAll}`],
  ['login:\n  token: /data/t', `"login" ${isFlat} "login.token: …" on a separate line`],
  [
    'event-data.content.publish: { a: { b: "no. {idd}" } }',
    'event-data.content.publish has the placeholder "{idd}"; did you mean "{id}"? (known: {id}, {title})',
  ],
  ['errors.codes: { internal: 0 }', 'errors.codes.internal: expected a whole number other than 0; it is 0'],
  [
    'errors.http-status: { rate-limted: 429 }',
    `errors.http-status: there is no member "rate-limted"; did you mean "rate-limited"? (known: ${kinds.join(', ')})`,
  ],
] as const)('refuses %j', ([text, problem]) => {
  expect(problemsOf(`\n${text}`)).toEqual([`a.yaml:2: ${problem}`]);
});

const call = (more: string) => `{ method: POST, path: /x, ${more} }`;
const at = (path: string) => `{ method: POST, path: "${path}" }`;

const aPath =
  'expected a path, for example /tenant/sites, with its query if it has one, without spaces, "#" or "*"';
const aMethod = 'expected one of GET, POST, PUT, PATCH, DELETE';
const ofCall = 'method, path, auth, body, query, status';
const ofAi = '{siteID}, {prompt}';
const ofPages = '{page}, {page_size}, {offset}, {limit}, {cursor}';
const name = 'expected a text of 1 to 100 characters as the name of a member';
const pageAlone = 'expected "{page}" and nothing else';
const constant = 'expected a text or a number: a placeholder or a constant';

test.for([
  ['ai', '{ method: post, path: /ai }', `.method: ${aMethod}; it is "post"`],
  ['ai', call('bdy: {}'), `: there is no member "bdy"; did you mean "body"? (known: ${ofCall}, text)`],
  ['ai', call('s3cret: null'), `: there is a member with an unknown name (known: ${ofCall}, text)`],
  ['ai', at('/ai#a'), `.path: ${aPath}; it is "/ai#a"`],
  ['ai', at('/ai?'), `.path: ${aPath}; it is "/ai?"`],
  ['ai', at('/?a={site}'), `.query has the placeholder "{site}"; did you mean "{siteID}"? (known: ${ofAi})`],
  ['ai', at('/ai/{site}'), ` has the placeholder "{site}"; did you mean "{siteID}"? (known: ${ofAi})`],
  ['ai', call('auth: cookie'), '.auth: expected one of bearer, session, api-key, none; it is "cookie"'],
  ['ai', call('text: data.text'), `.text: ${aPlace}; it is "data.text"`],
  ['ai', call('body: "{prompt}"'), '.body: expected a map; it is "{prompt}"'],
  ['list-keys', call('query: { p: "{x}" }'), `.query has the placeholder "{x}" (known: ${ofPages})`],
  ['list-keys', at('/k/{page}'), ' has the placeholder "{page}" (known: none)'],
  ['list-keys', call('query: { p: "p{page}" }'), `.query.p: ${pageAlone}; it is "p{page}"`],
  ['list-keys', call('query: { page: ["{page}"] }'), `.query.page: ${constant}; it is ["{page}"]`],
  ['list-keys', call('query: {}'), '.query: expected a map with at least one member; it is {}'],
  ['list-keys', call('query: { "": "{page}" }'), `.query: ${name}; it is ""`],
  ['publish-content', '{ by: a }', '.by: expected one of create-content; it is "a"'],
  [
    'update-content',
    '{ by: create-content }',
    `: there is no member "by"; did you mean "body"? (known: ${ofCall}, id)`,
    `.method: is missing; ${aMethod}`,
    `.path: is missing; ${aPath}`,
  ],
] as const)('refuses the call of operation.%s by %s', ([id, value, ...problems]) => {
  const wanted = problems.map((problem) => `a.yaml:2: operation.${id}${problem}`);
  expect(problemsOf(`\noperation.${id}: ${value}`)).toEqual(wanted);
});

const unreadable = "the YAML can't be read";

test.for([
  ['login.token: a: b: c\nx: 1', `1: ${unreadable}: Nested mappings are not allowed in compact mappings`],
  ['login.token: /a\n\tx: 1', `2: ${unreadable}: Tabs are not allowed as indentation`],
  ['login.token: /a\n#\nlogin.token: /b', '3: login.token appears here a second time; remove one of the two'],
  ['{}\n---\n{}', '2: a second YAML document begins here; sitepub reads only one, so remove the "---"'],
  ['# a\nlogin.token: *t', `2: ${unreadable}: Unresolved alias (the anchor must be set before the alias): t`],
  ['refresh.request: &a { a: *a }', `1: ${unreadable}: an alias is inside the value that it refers to`],
  ['login.token', '1: a profile is a map of gap id to value, such as "login.token: /data/token"'],
] as const)('refuses %j as YAML', ([text, problem]) => {
  expect(problemsOf(text)).toEqual([`a.yaml:${problem}`]);
});

const publish = (more: string) => `operation.publish-site: ${call(more)}`;
const fail = (more: string) => `operation.fail-publish: ${call(more)}`;
const ai = (value: string) => `operation.ai: ${value}`;
const keys = (more: string) => `operation.list-keys: ${call(more)}`;
const sites = (more: string) => `operation.list-sites: ${call(more)}`;
const log = (path: string, more = '') => `operation.list-deliveries: { method: GET, path: "${path}"${more} }`;
const perSite = 'subscription.id-scope: per-site\n';
const byCreation = 'operation.publish-content: { by: create-content }';
const ofSites = "operation.list-sites's";
const pagesBy = 'operation.list-keys asks for pages by';
const inQuery = "operation.list-keys's query has";
const unstated =
  'operation.publish-content is done by create-content, which the profile does not state; state operation.create-content';

type Row = readonly [text: string, problem: string];
const endingIn = (end: string, rows: readonly Row[]) => rows.map(([text, start]): Row => [text, start + end]);

const contradictions: readonly Row[] = [
  ...endingIn(' overlap; point at two different places', [
    ['login.token: /d/t\n\nlogin.expires-in: /d/t/i', 'login.token (/d/t) and login.expires-in (/d/t/i)'],
    [sites('item.id: /a, item.name: /a/b'), `${ofSites} item.id (/a) and ${ofSites} item.name (/a/b)`],
    [sites('list: /data/total'), `${ofSites} list (/data/total) and ${ofSites} total (/data/total)`],
  ]),
  ...endingIn(', which is a field of the envelope; point at something inside /data', [
    [sites('list: /data'), `${ofSites} list is /data`],
    ['login.token: /code', 'login.token is /code'],
    ['refresh.token: /trace_id/x', 'refresh.token is /trace_id/x'],
    [ai(call('text: /message')), "operation.ai's text is /message"],
  ]),
  ...endingIn(' a map; do not use an index there', [
    ['login.token: /data/0', 'login.token (/data/0) expects a list at /data, which is'],
    ['login.token: /0', 'login.token (/0) expects a list at the top, which is'],
    [
      'login.token: /data/a/0\nlogin.expires-in: /data/a/in',
      'login.token (/data/a/0) expects a list at /data/a, but login.expires-in (/data/a/in) expects',
    ],
  ]),
  // tell-apart.test.ts tries all differences between operations.
  [
    `${publish('body: { mode: "{note}" }')}\n${fail('body: { mode: fail }')}`,
    'operation.publish-site and operation.fail-publish are both called by POST /x, and their requests do not differ; give the body of one an additional member, for example mode: fail-publish',
  ],
  ...endingIn('; state only one of them', [
    [keys('query: { p: "{page}", o: "{offset}" }'), `${pagesBy} {page} and by {offset}`],
    [keys('body: { s: "{page_size}", l: "{limit}" }'), `${pagesBy} {page_size} and by {limit}`],
  ]),
  [
    keys('query: { after: "{cursor}" }'),
    `${pagesBy} {cursor}, but does not state where an answer contains the cursor of the next page; add next, for example next: /data/next_cursor`,
  ],
  [
    keys('query: { page: "{page}", size: "{page_size}", p: "{page}" }'),
    `${inQuery} {page} as "page" and as "p"; state it only once`,
  ],
  ...endingIn(' more than once; state it in the path or in query, not in both', [
    [`operation.list-keys: ${at('/k?p=a&p=b')}`, `${inQuery} "p"`],
    ['operation.list-keys: { method: GET, path: "/k?s=a", query: { s: b } }', `${inQuery} "s"`],
  ]),
  [
    ai(at('/tenant/sites/{siteID}/webhooks')),
    'the creation of subscriptions and operation.ai are both called by POST /tenant/sites/{siteID}/webhooks; state another call',
  ],
  [
    `${ai(at('/x/{siteID}'))}\noperation.publish-content: ${at('/x/{contentID}')}`,
    'operation.ai and operation.publish-content are both called by POST /x/{contentID}, once as /x/{siteID}; use the same placeholders in both paths',
  ],
  [
    `${perSite}${log('/log/{subscriptionID}')}`,
    'subscription.id-scope is per-site, but operation.list-deliveries names a subscription without its site',
  ],
  [`${byCreation}\noperation.create-content: not-offered`, unstated],
  // The message names defaults that the profile does not state.
  [byCreation, `${unstated} (operation.create-content is not stated; its default is "unknown")`],
  [
    'subscription.request.url: events',
    'subscription.request.url and subscription.request.events both name the field "events"; give each its own field (subscription.request.events is not stated; its default is "events")',
  ],
];

test.for(contradictions)('finds the contradiction in %j', ([text, problem]) => {
  expect(problemsOf(text)).toEqual([`a.yaml:${text.split('\n').length}: ${problem}`]);
});

test.for([
  `${perSite}subscription.id-type: uuid\n${log('/log/{subscriptionID}')}`,
  `${perSite}${log('/{siteID}/log/{subscriptionID}')}`,
  'login.token: /data/list/0/token',
  'login.token: /token',
  'login.token: /data/code',
  'login.token: /codes',
  'login.token: /data/t\nlogin.expires-in: /data/token_in',
  'operation.ai: { method: GET, path: "/tenant/sites/{siteID}/webhooks" }',
  'operation.ai: { method: PUT, path: /x }\noperation.create-site: { method: POST, path: /x }',
  'operation.ai: unknown',
  `${publish('query: { action: publish }')}\n${fail('query: { action: fail }')}`,
  `${publish('status: 200')}\n${fail('body: { fail: true }')}`,
  `operation.create-content: { method: POST, path: /c }\n${byCreation}`,
  log('/push-log?webhookId={subscriptionID}&kind=site'),
  log('/push-log', ', query: { q: "hook:{subscriptionID}", n: 5, all: true }'),
  keys('query: { o: "{offset}", l: "{limit}" }'),
  keys('query: { after: "{cursor}" }, next: /data/next'),
  keys('body: { pageNo: "{page}", pageSize: "{page_size}" }'),
  'event-data.publish.failed: { query: { text: "{message}" } }',
  'login.token: &x /data/x',
])('accepts the profile %j', (text) => {
  expect(problemsOf(text)).toEqual([]);
});

test.for([
  [
    'problem',
    'limits.window: 5\nlogin.tokn: /a\n\nerrors.codes: { internal: 0, interna: 1 }\nlogin.status: 99',
    ['1: limits.window', '2: unknown', '4: errors.codes', '4: errors.codes.internal', '5: login.status'],
  ],
  [
    'contradiction',
    `login.token: /code\nsubscription.request.url: a\nsubscription.request.events: a\n${ai(at('/auth/refresh'))}`,
    ['3: subscription.request.url', '1: login.token', '4: refresh'],
  ],
  ['syntax error', 'login.token: /a\nlogin.token: /b\nlogin.status: [', ['2: login.token', '3: the']],
] as const)('reports every %s of a file with its line', ([, text, want]) => {
  expect(problemsOf(text).map((problem) => /^a\.yaml:(\d+: [\w.-]+)/.exec(problem)?.[1])).toEqual(want);
});

test.for(['', '# nothing but a comment\n', '{}', '---\n'])('reads %j as a profile of defaults', (text) => {
  const profile = parseProfile(text, 'folder/acme.yaml');
  expect(profile).toEqual({ ...noProfile, name: 'acme' });
  expect(profile.values).toEqual(Object.fromEntries(gaps.map((gap) => [gap.id, gap.default])));
});

test('distinguishes stated values from defaults', () => {
  const profile = parseProfile('login.status: 201\nlogin.token: /data/token', 'acme.yml');
  expect(profile.name).toBe('acme');
  expect(profile.stated).toEqual(new Set(['login.status', 'login.token']));
  expect(statedValues(profile)).toEqual({ 'login.status': 201, 'login.token': '/data/token' });
  expect([gapValue(profile, 'login.status'), gapValue(profile, 'refresh.status')]).toEqual([201, 200]);
});

test('accepts stated values from elsewhere', () => {
  const origin = { name: 'acme', source: 'http://127.0.0.1:4010' };
  expect(makeProfile({ 'login.status': 201 }, origin)).toEqual(
    parseProfile('login.status: 201', 'acme.yaml'),
  );
  expect(() => makeProfile({ 'login.status': 404 }, origin)).toThrow(
    /^http:\/\/127\.0\.0\.1:4010:1: login\.status: expected a whole number from 200 to 299; it is 404/,
  );
});

test.for([
  ['no-such-profile', 'give'],
  ['profiles/defualt.yaml', 'did you mean "default"? Give'],
] as const)('says that there is no %s, and lists the profiles', ([path, give]) => {
  expect(() => loadProfile(path)).toThrow(
    `profile ${path} can't be read (there is no file ${resolve(path)}); ${give} the path of a YAML file, or the name of a profile that comes with sitepub (always-200-camel-case, default, documented-only, flags-and-cursors, nested-201-uuid)`,
  );
});

test('refuses a file that never ends', () => {
  expect(() => loadProfile('/dev/zero')).toThrow(
    "profile /dev/zero can't be read (it is longer than 1000000 bytes); leave out what is not needed",
  );
});

test('refuses a profile whose aliases would fill the memory', () => {
  const lines = Array.from({ length: 1000 }, (_, index) => `gap.${index}: [${Array(50).fill('*a')}]`);
  const text = [`login.token: &a [${Array(2000).fill('x')}]`, ...lines].join('\n');
  expect(problemsOf(text)).toEqual([
    'a.yaml:1: it contains too much data with its aliases expanded; leave out what is not needed',
  ]);
});

test('refuses a file of unknown gaps in linear time', () => {
  const msFor = (count: number) => {
    const text = Array.from({ length: count }, (_, index) => `k${index}: 1\n`).join('');
    const from = performance.now();
    expect(problemsOf(text).at(-1)).toMatch(`a.yaml:${count}: unknown gap "k${count - 1}"`);
    return performance.now() - from;
  };
  const quickest = (count: number) => Math.min(...[1, 2, 3, 4, 5].map(() => msFor(count)));
  expect(quickest(4_000) / quickest(400)).toBeLessThan(40);
});

test('the profiles that tests name exist', () => {
  const files = readdirSync(new URL('../profiles/', import.meta.url));
  expect(files.toSorted()).toEqual(profileNames.map((name) => `${name}.yaml`).toSorted());
});

test.for(profileNames)('%s equals its YAML', (name) => {
  const file = fileURLToPath(new URL(`../profiles/${name}.yaml`, import.meta.url));
  expect(loadProfile(file)).toEqual(loadProfile(name));
  expect(loadProfile(name).stated.size).toBeGreaterThan(0);
});

const byDefault = loadProfile('default');

test('the default profile states every gap in order, and the defaults of all except operations', () => {
  expect([...byDefault.stated]).toEqual(gaps.map(({ id }) => id));
  const guesses = gaps.filter(({ kind }) => kind !== 'operation');
  expect(guesses.map(({ id }) => gapValue(byDefault, id))).toEqual(guesses.map((gap) => gap.default));
});

test('the default profile states the call and all pointers of every operation', () => {
  const incomplete = gaps.filter(({ id, kind, reads = [] }) => {
    const call = gapValue(byDefault, id) as object;
    // Its pages have numbers, so no answer names the next one.
    const isLacking = (read: string) => read !== 'next' && !Object.hasOwn(call, read);
    return kind === 'operation' && ['method', ...reads].some(isLacking);
  });
  expect(incomplete).toEqual([]);
});

test('the profile of the documented calls withdraws every other operation', () => {
  const withdrawn = gaps.filter(({ kind }) => kind === 'operation').map(({ id }) => [id, 'not-offered']);
  expect(statedValues(loadProfile('documented-only'))).toEqual(Object.fromEntries(withdrawn));
});

function problemsOf(text: string): readonly string[] {
  try {
    parseProfile(text, 'a.yaml');
    return [];
  } catch (error) {
    if (error instanceof ProfileError) return error.problems;
    throw error;
  }
}
