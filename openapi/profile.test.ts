import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import {
  gapValue,
  loadProfile,
  makeProfile,
  noProfile,
  ProfileError,
  parseProfile,
  statedValues,
} from './profile.ts';
import { gaps } from './registers.ts';

const kinds =
  'malformed-request, malformed-json, invalid-request, unauthenticated, token-expired, bad-credentials, foreign-site, unknown-site, unknown-subscription, unknown-resource, unknown-path, method-not-allowed, request-timeout, account-locked, key-quota, subscription-quota, publish-under-way, call-in-progress, body-too-large, unsupported-media-type, rate-limited, header-too-large, internal';
const anOperation = (found: string) =>
  `expected one of not-offered, unknown or a map with method and path; it is ${found}. How is an AI-assisted function called?`;
const aToken = (found: string) =>
  `expected a JSON Pointer into the response body such as /data/token; it is ${found}. Where in the login answer is the session token?`;
const aPath =
  'expected a path such as /tenant/sites, with its query if it has one, and without blanks, "#" and "*"';
const aMap = 'a profile is a map of gap id to value, such as "login.token: /data/token"';

test.for([
  // Ids
  [
    'login.tokn: /data/t',
    'a.yaml:1: unknown gap "login.tokn"; did you mean "login.token"? (`sitepub list gaps` shows all)',
  ],
  [
    'nothing.like.any.of.them: 1',
    'a.yaml:1: unknown gap "nothing.like.any.of.them" (`sitepub list gaps` shows all)',
  ],
  ['__proto__: 1', 'a.yaml:1: unknown gap "__proto__" (`sitepub list gaps` shows all)'],
  [
    'login:\n  token: /data/t',
    'a.yaml:1: "login" is no gap; a profile is flat: write "login.token: …" on a separate line',
  ],
  [
    '\noperation: { ai: not-offered }',
    'a.yaml:2: "operation" is no gap; a profile is flat: write "operation.ai: …" on a separate line',
  ],
  // Values
  [
    'webhook.timestamp-unit: second',
    'a.yaml:1: webhook.timestamp-unit: expected one of seconds, milliseconds; it is "second". Is X-Webhook-Timestamp in seconds or in milliseconds?',
  ],
  ['\n\nlogin.token: data.token', `a.yaml:3: login.token: ${aToken('"data.token"')}`],
  ['login.token:', `a.yaml:1: login.token: ${aToken('null')}`],
  ['login.token: absent', `a.yaml:1: login.token: ${aToken('"absent"')}`],
  [
    'login.expires-in: none',
    'a.yaml:1: login.expires-in: expected a JSON Pointer into the response body such as /data/token, or "absent"; it is "none". Where in the login answer is the token\'s remaining lifetime, in seconds?',
  ],
  [
    'login.status: 404',
    'a.yaml:1: login.status: expected a whole number from 200 to 299; it is 404. Which HTTP status does a successful login have?',
  ],
  [
    'token.lifetime: 1h',
    'a.yaml:1: token.lifetime: expected a whole number from 1 to 31536000; it is "1h". For how many seconds is a session token accepted?',
  ],
  [
    'subscription.request.url: ""',
    'a.yaml:1: subscription.request.url: expected a text of 1 to 100 characters; it is "". Which request field holds the receiving URL?',
  ],
  [
    'webhook.timestamp-offset: "+8"',
    'a.yaml:1: webhook.timestamp-offset: expected a text such as "+08:00" that matches ^(Z|[+-](0[0-9]|1[0-4]):[0-5][0-9])$; it is "+8". Which UTC offset does the timestamp of a push have?',
  ],
  [
    'refresh.request: "{token}"',
    'a.yaml:1: refresh.request: expected "none" or a map with at least one member; it is "{token}". Which JSON body does a refresh take ("{token}" stands for the token), if any?',
  ],
  [
    'event-data.content.publish: { a: { b: "no. {idd}" } }',
    'a.yaml:1: event-data.content.publish has the placeholder "{idd}"; did you mean "{id}"? (known: {id}, {title})',
  ],
  [
    'errors.codes: { internal: 0 }',
    'a.yaml:1: errors.codes.internal: expected a whole number other than 0; it is 0',
  ],
  [
    'errors.http-status: { rate-limted: 429 }',
    `a.yaml:1: errors.http-status: there is no member "rate-limted"; did you mean "rate-limited"? (known: ${kinds})`,
  ],
  // Operations
  ['operation.ai: no', `a.yaml:1: operation.ai: ${anOperation('"no"')}`],
  ['operation.ai:', `a.yaml:1: operation.ai: ${anOperation('null')}`],
  ['operation.ai: []', `a.yaml:1: operation.ai: ${anOperation('[]')}`],
  ['operation.ai: { method: POST }', `a.yaml:1: operation.ai.path: is missing; ${aPath}`],
  [
    'operation.ai: { path: /ai }',
    `a.yaml:1: operation.ai.method: is missing; expected one of GET, POST, PUT, PATCH, DELETE`,
  ],
  [
    'operation.ai: { method: POST, path: /ai, bdy: {} }',
    'a.yaml:1: operation.ai: there is no member "bdy"; did you mean "body"? (known: method, path, auth, body, query, status, text)',
  ],
  [
    'operation.ai: { method: post, path: /ai }',
    'a.yaml:1: operation.ai.method: expected one of GET, POST, PUT, PATCH, DELETE; it is "post"',
  ],
  ['operation.ai: { method: POST, path: "/ai#a" }', `a.yaml:1: operation.ai.path: ${aPath}; it is "/ai#a"`],
  ['operation.ai: { method: POST, path: "/ai?" }', `a.yaml:1: operation.ai.path: ${aPath}; it is "/ai?"`],
  [
    'operation.ai: { method: POST, path: "/ai?site={site}" }',
    'a.yaml:1: operation.ai.query has the placeholder "{site}"; did you mean "{siteID}"? (known: {siteID}, {prompt})',
  ],
  [
    'operation.ai: { method: POST, path: /ai, auth: cookie }',
    'a.yaml:1: operation.ai.auth: expected one of bearer, session, api-key, none; it is "cookie"',
  ],
  [
    'operation.ai: { method: POST, path: /ai, text: data.text }',
    'a.yaml:1: operation.ai.text: expected a JSON Pointer into the response body such as /data/token; it is "data.text"',
  ],
  [
    'operation.ai: { method: POST, path: /ai, body: "{prompt}" }',
    'a.yaml:1: operation.ai.body: expected a map; it is "{prompt}"',
  ],
  [
    'operation.ai: { method: POST, path: "/ai/{site}" }',
    'a.yaml:1: operation.ai has the placeholder "{site}"; did you mean "{siteID}"? (known: {siteID}, {prompt})',
  ],
  [
    'operation.list-keys: { method: GET, path: /k, query: { page: "{pag}" } }',
    'a.yaml:1: operation.list-keys.query has the placeholder "{pag}"; did you mean "{page}"? (known: {page}, {page_size}, {offset}, {limit}, {cursor})',
  ],
  [
    'operation.list-keys: { method: GET, path: "/k/{page}" }',
    'a.yaml:1: operation.list-keys has the placeholder "{page}" (known: none)',
  ],
  [
    '\noperation.list-keys: { method: GET, path: /k, query: { page: "p{page}" } }',
    'a.yaml:2: operation.list-keys.query.page: expected "{page}" and nothing else; it is "p{page}"',
  ],
  [
    'operation.list-keys: { method: GET, path: /k, query: { page: ["{page}"] } }',
    'a.yaml:1: operation.list-keys.query.page: expected a text or a number: a placeholder, or a constant; it is ["{page}"]',
  ],
  [
    'operation.list-keys: { method: GET, path: /k, query: {} }',
    'a.yaml:1: operation.list-keys.query: expected a map with at least one member; it is {}',
  ],
  [
    'operation.list-keys: { method: GET, path: /k, query: { "": "{page}" } }',
    'a.yaml:1: operation.list-keys.query: expected a text of 1 to 100 characters as the name of a member; it is ""',
  ],
  [
    'operation.publish-content: { by: create-contents }',
    'a.yaml:1: operation.publish-content.by: expected one of create-content; it is "create-contents"',
  ],
  [
    'operation.update-content: { by: create-content }',
    'a.yaml:1: operation.update-content: there is no member "by"; did you mean "body"? (known: method, path, auth, body, query, status, id)',
    `a.yaml:1: operation.update-content.method: is missing; expected one of GET, POST, PUT, PATCH, DELETE`,
    `a.yaml:1: operation.update-content.path: is missing; ${aPath}`,
  ],
  // YAML
  [
    'login.token: a: b: c\nx: 1',
    "a.yaml:1: the YAML can't be read: Nested mappings are not allowed in compact mappings",
  ],
  ['login.token: /a\n\tx: 1', "a.yaml:2: the YAML can't be read: Tabs are not allowed as indentation"],
  [
    'login.token: /data/a\n# twice\nlogin.token: /data/b',
    'a.yaml:3: login.token appears here a second time; keep one of the two',
  ],
  [
    'login.token: /data/a\n---\nlogin.token: /data/b',
    'a.yaml:2: a second YAML document begins here; only one is read, so remove the "---"',
  ],
  [
    'login.status: 201\nlogin.token: *token',
    "a.yaml:2: the YAML can't be read: Unresolved alias (the anchor must be set before the alias): token",
  ],
  [
    'login.status: 201\nrefresh.request: &a { a: *a }',
    "a.yaml:2: the YAML can't be read: an alias is inside the value that it refers to",
  ],
  ['login.token', `a.yaml:1: ${aMap}`],
] as const)('%j is refused', ([text, ...want]) => {
  expect(problemsOf(text)).toEqual(want);
});

test.for([
  // The same field twice
  [
    'subscription.request.url: a\nsubscription.request.channel: a',
    'a.yaml:2: subscription.request.url and subscription.request.channel both name the field "a"; a field holds one of them',
  ],
  [
    'subscription.request.url: events',
    'a.yaml:1: subscription.request.url and subscription.request.events both name the field "events"; a field holds one of them (subscription.request.events is not stated; its default is "events")',
  ],
  // Two values in one place
  [
    'login.token: /data/t\nlogin.expires-in: /data/t',
    'a.yaml:2: login.token (/data/t) and login.expires-in (/data/t) overlap; point at two different places',
  ],
  [
    'login.token: /data/t\n\nlogin.expires-in: /data/t/in',
    'a.yaml:3: login.token (/data/t) and login.expires-in (/data/t/in) overlap; point at two different places',
  ],
  [
    'subscription.response.url: /data/id',
    'a.yaml:1: subscription.response.id (/data/id) and subscription.response.url (/data/id) overlap; point at two different places (subscription.response.id is not stated; its default is "/data/id")',
  ],
  [
    'operation.get-site: { method: GET, path: "/s/{siteID}", id: /data/a, name: /data/a }',
    "a.yaml:1: operation.get-site's id (/data/a) and operation.get-site's name (/data/a) overlap; point at two different places",
  ],
  [
    'operation.list-sites: { method: GET, path: /s, item.id: /a, item.name: /a/b }',
    "a.yaml:1: operation.list-sites's item.id (/a) and operation.list-sites's item.name (/a/b) overlap; point at two different places",
  ],
  [
    'operation.list-sites: { method: GET, path: /s, list: /data/total }',
    "a.yaml:1: operation.list-sites's list (/data/total) and operation.list-sites's total (/data/total) overlap; point at two different places",
  ],
  // The envelope's own places; the length of a list, which is not stated, is no second mistake
  [
    'operation.list-sites: { method: GET, path: /s, list: /data }',
    "a.yaml:1: operation.list-sites's list is /data, which is a field of the envelope; point at something inside /data",
  ],
  [
    'login.token: /code',
    'a.yaml:1: login.token is /code, which is a field of the envelope; point at something inside /data',
  ],
  [
    'refresh.token: /trace_id/x',
    'a.yaml:1: refresh.token is /trace_id/x, which is a field of the envelope; point at something inside /data',
  ],
  [
    'login.token: /data',
    'a.yaml:1: login.token is /data, which is a field of the envelope; point at something inside /data',
  ],
  [
    'operation.ai: { method: POST, path: /ai, text: /message }',
    "a.yaml:1: operation.ai's text is /message, which is a field of the envelope; point at something inside /data",
  ],
  // A list where a map stands
  [
    'login.token: /data/0',
    "a.yaml:1: login.token (/data/0) expects a list at /data, which is a map; it can't have an index there",
  ],
  [
    'login.token: /0',
    "a.yaml:1: login.token (/0) expects a list at the top, which is a map; it can't have an index there",
  ],
  [
    'login.token: /data/a/0\nlogin.expires-in: /data/a/in',
    "a.yaml:2: login.token (/data/a/0) expects a list at /data/a, login.expires-in (/data/a/in) a map; it can't have an index there",
  ],
  // A value twice in a query
  [
    'operation.list-keys: { method: GET, path: /k, query: { page: "{page}", size: "{page_size}", p: "{page}" } }',
    'a.yaml:1: operation.list-keys\'s query has {page} as "page" and as "p"; a call sends it once',
  ],
  // The same call twice
  [
    'operation.ai: { method: POST, path: "/x/{siteID}" }\noperation.publish-content: { method: POST, path: "/x/{contentID}" }',
    'a.yaml:2: operation.ai and operation.publish-content are both called by POST /x/{contentID}, once as /x/{siteID}; write a path that is shared with the same placeholders',
  ],
  ...[
    ['{ note: "{note}" }', '{ note: "{note}" }'],
    ['{ note: "{note}", a: 1 }', '{ note: "{note}", a: 1 }'],
    ['{ note: "{note}", a: { b: [x] } }', '{ a: { b: [x] }, note: "no. {note}" }'],
    ['{ mode: "{note}" }', '{ mode: fail }'],
    ['{ a: { b: 1 } }', '{ a: "{note}" }'],
  ].map(
    ([one, other]) =>
      [
        `operation.publish-site: { method: POST, path: /x, body: ${one} }\noperation.fail-publish: { method: POST, path: /x, body: ${other} }`,
        'a.yaml:2: operation.publish-site and operation.fail-publish are both called by POST /x, and nothing in their requests tells them apart; give the body of one a member that the other has not, such as mode: fail-publish',
      ] as const,
  ),
  // Pages
  [
    'operation.list-keys: { method: GET, path: /k, query: { p: "{page}", o: "{offset}" } }',
    'a.yaml:1: operation.list-keys asks for pages by {page} and by {offset}; a list has one way, so keep one of them',
  ],
  [
    'operation.list-keys: { method: POST, path: /k, body: { s: "{page_size}", l: "{limit}" } }',
    'a.yaml:1: operation.list-keys asks for pages by {page_size} and by {limit}; a list has one way, so keep one of them',
  ],
  [
    'operation.list-keys: { method: GET, path: /k, query: { after: "{cursor}" } }',
    'a.yaml:1: operation.list-keys asks for pages by {cursor}, and does not say where an answer has the cursor of the next page; add next, such as next: /data/next_cursor',
  ],
  // A parameter twice
  [
    'operation.list-keys: { method: GET, path: "/k?type=a&type=b" }',
    'a.yaml:1: operation.list-keys\'s query has "type" more than once; state it in the path or in query, not in both',
  ],
  [
    'operation.get-site: { method: GET, path: "/s?site={siteID}", query: { site: "{siteID}" } }',
    'a.yaml:1: operation.get-site\'s query has "site" more than once; state it in the path or in query, not in both',
  ],
  // What another operation does, too
  [
    'operation.publish-content: { by: create-content }',
    'a.yaml:1: operation.publish-content is done by create-content, which the profile does not state; state operation.create-content (operation.create-content is not stated; its default is "unknown")',
  ],
  [
    'operation.publish-content: { by: create-content }\noperation.create-content: not-offered',
    'a.yaml:2: operation.publish-content is done by create-content, which the profile does not state; state operation.create-content',
  ],
  [
    'operation.ai: { method: POST, path: /auth/refresh }',
    'a.yaml:1: refresh and operation.ai are both called by POST /auth/refresh; a call does one of them',
  ],
  [
    'operation.ai: { method: POST, path: "/tenant/sites/{siteID}/webhooks" }',
    'a.yaml:1: the creation of subscriptions and operation.ai are both called by POST /tenant/sites/{siteID}/webhooks; a call does one of them',
  ],
  // Identifiers of one site alone
  [
    'subscription.id-scope: per-site\noperation.list-deliveries: { method: GET, path: "/log/{subscriptionID}" }',
    'a.yaml:2: subscription.id-scope counts identifiers per site, and operation.list-deliveries names a subscription without its site',
  ],
] as const)('%j contradicts itself', ([text, want]) => {
  expect(problemsOf(text)).toEqual([want]);
});

test.for([
  'subscription.id-scope: per-site\nsubscription.id-type: uuid\noperation.list-deliveries: { method: GET, path: "/log/{subscriptionID}" }',
  'subscription.id-scope: per-site\noperation.list-deliveries: { method: GET, path: "/{siteID}/log/{subscriptionID}" }',
  'login.token: /data/list/0/token',
  'login.token: /token',
  'login.token: /data/code',
  'login.token: /codes',
  'login.token: /data/t\nlogin.expires-in: /data/token_in',
  'subscription.request.url: events\nsubscription.request.events: url',
  'operation.ai: { method: GET, path: "/tenant/sites/{siteID}/webhooks" }',
  'operation.ai: { method: PUT, path: /x }\noperation.create-site: { method: POST, path: /x }',
  'operation.ai: unknown',
  ...[
    ['body: { note: "{note}" }', 'body: { note: "{note}", fail: true }'],
    ['body: { mode: ok, note: "{note}" }', 'body: { mode: fail, note: "{note}" }'],
    ['body: { a: { b: [x, 1] } }', 'body: { a: { b: [x, 2] } }'],
    ['query: { n: "{note}" }', 'body: { note: "{note}" }'],
    ['query: { action: publish }', 'query: { action: fail }'],
    ['status: 200', 'body: { fail: true }'],
  ].map(
    ([one, other]) =>
      `operation.publish-site: { method: POST, path: "/x/{siteID}", ${one} }\noperation.fail-publish: { method: POST, path: "/x/{siteID}", ${other} }`,
  ),
  'operation.create-content: { method: PUT, path: /c, body: { t: "{title}" } }\noperation.update-content: { method: PUT, path: /c, body: { id: "{contentID}", t: "{title}" } }',
  'operation.create-content: { method: POST, path: /c }\noperation.publish-content: { by: create-content }',
  'operation.list-deliveries: { method: GET, path: "/push-log?webhookId={subscriptionID}&kind=site" }',
  'operation.list-deliveries: { method: GET, path: /push-log, query: { q: "hook:{subscriptionID}", n: 5, all: true } }',
  'operation.list-keys: { method: GET, path: /k, query: { o: "{offset}", l: "{limit}" } }',
  'operation.list-keys: { method: GET, path: /k, query: { after: "{cursor}" }, next: /data/next }',
  'operation.list-keys: { method: POST, path: /k, body: { pageNo: "{page}", pageSize: "{page_size}" } }',
  'operation.create-key: { method: POST, path: /k, auth: session }',
  'operation.create-key: { method: POST, path: /k, auth: api-key }',
  'operation.list-keys: { method: GET, path: /k, query: { pageNo: "{page}", pageSize: "{page_size}" } }',
  'event-data.publish.failed: { query: { text: "{message}" } }',
  'x: &x /data/x'.replace('x:', 'login.token:'),
])('%j is a profile', (text) => {
  expect(problemsOf(text)).toEqual([]);
});

test('reports every problem of a file, by its line', () => {
  const text =
    'limits.window: 5\nlogin.tokn: /a\n\nerrors.codes: { internal: 0, interna: 1 }\nlogin.status: 99';
  const lines = problemsOf(text).map((problem) =>
    /^a\.yaml:(\d+): ([\w.-]+( gap)?)/.exec(problem)?.slice(1, 3),
  );
  expect(lines).toEqual([
    ['1', 'limits.window'],
    ['2', 'unknown gap'],
    ['4', 'errors.codes'],
    ['4', 'errors.codes.internal'],
    ['5', 'login.status'],
  ]);
});

test('reports every contradiction of a file', () => {
  const text =
    'login.token: /code\nsubscription.request.url: a\nsubscription.request.events: a\noperation.ai: { method: POST, path: /auth/refresh }';
  expect(problemsOf(text).map((problem) => problem.slice(0, 9))).toEqual([
    'a.yaml:3:',
    'a.yaml:1:',
    'a.yaml:4:',
  ]);
});

test('reports every syntax error of a file', () => {
  expect(problemsOf('login.token: /data/a\nlogin.token: /data/b\nlogin.status: [\n').length).toBeGreaterThan(
    1,
  );
});

test('says all problems in its message', () => {
  const error = new ProfileError(['a.yaml:1: one', 'a.yaml:2: two']);
  expect(error.message).toBe('a.yaml:1: one\na.yaml:2: two');
});

test.for(['', '# nothing but a comment\n', '{}', '---\n'])('%j is a profile of defaults', (text) => {
  const profile = parseProfile(text, 'folder/acme.yaml');
  expect(profile).toEqual({ ...noProfile, name: 'acme' });
  expect(profile.values).toEqual(Object.fromEntries(gaps.map((gap) => [gap.id, gap.default])));
});

test('tells what a profile states from what it leaves to the defaults', () => {
  const profile = parseProfile('login.status: 201\nlogin.token: /data/token', 'acme.yml');
  expect(profile.name).toBe('acme');
  expect(profile.stated).toEqual(new Set(['login.status', 'login.token']));
  expect(statedValues(profile)).toEqual({ 'login.status': 201, 'login.token': '/data/token' });
  expect(gapValue(profile, 'login.status')).toBe(201);
  expect(gapValue(profile, 'refresh.status')).toBe(200);
});

test('takes what a profile states from elsewhere', () => {
  const origin = { name: 'acme', source: 'http://127.0.0.1:4010' };
  expect(makeProfile({ 'login.status': 201 }, origin)).toEqual(
    parseProfile('login.status: 201', 'acme.yaml'),
  );
  expect(() => makeProfile({ 'login.status': 404 }, origin)).toThrow(
    /^http:\/\/127\.0\.0\.1:4010:1: login\.status: expected a whole number from 200 to 299; it is 404/,
  );
});

test('a file stands before the packaged profile of the same name', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sitepub-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'mine.yaml');
  writeFileSync(file, 'login.status: 201');
  expect(loadProfile(file)).toMatchObject({ name: 'mine', stated: new Set(['login.status']) });
});

test.for([
  ['no-such-profile', `there is no file ${resolve('no-such-profile')}`],
  ['no/such.yaml', `there is no file ${resolve('no/such.yaml')}`],
  [tmpdir(), 'it is a folder'],
  ['defualt', `there is no file ${resolve('defualt')}`, 'did you mean "default"? Give'],
  [
    'profiles/defualt.yaml',
    `there is no file ${resolve('profiles/defualt.yaml')}`,
    'did you mean "default"? Give',
  ],
] as const)('says that %s is unreadable and which profiles there are', ([path, reason, give = 'give']) => {
  const advice = `${give} the path of a YAML file, or the name of a profile that comes with sitepub (always-200-camel-case, default, documented-only, flags-and-cursors, nested-201-uuid)`;
  expect(() => loadProfile(path)).toThrow(
    new ProfileError([`profile ${path} can't be read (${reason}); ${advice}`]),
  );
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

test('refuses a profile whose aliases would fill the memory', () => {
  const lines = Array.from({ length: 1000 }, (_, index) => `gap.${index}: [${Array(50).fill('*a')}]`);
  const text = [`login.token: &a [${Array(2000).fill('x')}]`, ...lines].join('\n');
  expect(() => parseProfile(text, 'a.yaml')).toThrow(
    /^a\.yaml:1: it holds too much data, its aliases written out; leave out what is not needed$/,
  );
});

test('refuses a file that never ends', () => {
  expect(() => loadProfile('/dev/zero')).toThrow(
    "profile /dev/zero can't be read (it is longer than 1000000 bytes); leave out what is not needed",
  );
});

test('a file of nothing but unknown gaps is refused in linear time', () => {
  const msFor = (count: number) => {
    const text = Array.from({ length: count }, (_, index) => `k${index}: 1\n`).join('');
    const from = performance.now();
    expect(() => parseProfile(text, 'a.yaml')).toThrow(`a.yaml:${count}: unknown gap "k${count - 1}"`);
    return performance.now() - from;
  };
  expect(quickest(msFor, 4_000) / quickest(msFor, 400)).toBeLessThan(40);
});

function quickest(msFor: (count: number) => number, count: number): number {
  return Math.min(...[1, 2, 3, 4, 5].map(() => msFor(count)));
}
