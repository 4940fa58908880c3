// What the matcher makes of what recordings alone know: constants, links, and that a call was made at all.
import { expect, test } from 'vitest';
import { learnOperations } from './learn-operations.ts';
import { learnRecording } from './recording/learn-recording.ts';
import { api, harOf, readText, type WrittenCall } from './recording/testing/write-har.ts';
import { sketchOperations } from './testing/sketch-description.ts';

const create: WrittenCall = {
  method: 'POST',
  path: '/tenant/sites',
  body: { name: 'Café' },
  data: { id: 1001 },
};

function learn(calls: readonly WrittenCall[], description = '') {
  const recorded = learnRecording(readText(harOf(calls)).exchanges).operations;
  const described = description === '' ? [] : sketchOperations(description);
  const { operations } = learnOperations([...described, ...recorded], { given: {} });
  return (name: string) => operations.find(({ gap }) => gap.id === `operation.${name}`);
}

test.for<[string, Record<string, unknown>, Record<string, unknown>, string[]]>([
  ['a choice', { kind: 'standard' }, { kind: 'standard' }, []],
  ['a flag', { is_public: false }, { is_public: false }, []],
  ['nothing', { logo: null, tags: [], seo: {}, alias: '' }, { logo: null, tags: [], seo: {}, alias: '' }, []],
  [
    'a number',
    { quota: 7 },
    { quota: 7 },
    ['/quota is required, and whether its number says what it is about is not known'],
  ],
  ['what somebody typed', { alias: 'corner' }, {}, ['nothing is known for /alias, which its body requires']],
])('%s that a call sends is stated with it, as far as it may be shown', ([, more, want, doubts]) => {
  const found = learn([{ ...create, body: { name: 'Café', ...more } }])('create-site');
  expect([found?.value?.body, found?.doubts]).toEqual([{ name: '{name}', ...want }, doubts]);
});

const site = '/tenant/sites/1001';
const made = { ...create, data: { id: 1001 } };
const publish = { method: 'POST', path: `${site}/publish`, data: { version: 3 } };
const read = { path: site, data: { name: 'Café' } };

test.for<[string, WrittenCall[], RegExp | undefined]>([
  [
    'another optional member each time',
    [
      { ...publish, body: { note: 'a', harbour: 'x' } },
      { ...publish, body: { note: 'b', at: 'y' } },
    ],
    /^each of its calls sent more than is stated here/,
  ],
  [
    'another optional parameter each time',
    [
      { ...publish, path: `${publish.path}?confirmText=abc` },
      { ...publish, path: `${publish.path}?reference=def` },
    ],
    /^each of its calls sent more/,
  ],
  [
    'an optional member at times',
    [
      { ...publish, body: { note: 'a' } },
      { ...publish, body: { note: 'b', harbour: 'y' } },
    ],
    undefined,
  ],
  [
    'a header that other calls do not have',
    [{ ...publish, headers: { Authorization: 'Bearer st_0123456789', 'X-Dry-Run': '1' } }],
    /^its calls carried the header x-dry-run/,
  ],
  [
    'a header against forged requests',
    [
      {
        ...publish,
        headers: { Authorization: 'Bearer st_0123456789', 'X-CSRF-Token': 'abc', 'Idempotency-Key': '1' },
      },
    ],
    undefined,
  ],
  [
    'a form',
    [{ ...publish, entry: requestOf(publish.path, 'application/x-www-form-urlencoded', 'note=a') }],
    /^its body was a form/,
  ],
  ['XML', [{ ...publish, entry: requestOf(publish.path, 'text/xml', '<a/>') }], /^its body was no JSON/],
])('a publish with %s is as certain as its calls', ([, calls, want]) => {
  const found = learn([made, read, read, ...calls])('publish-site');
  expect(found?.doubts).toEqual(want ? [expect.stringMatching(want)] : []);
});

function requestOf(path: string, mimeType: string, text: string) {
  const headers = [{ name: 'Authorization', value: 'Bearer st_0123456789' }];
  return { request: { method: 'POST', url: `${api}${path}`, headers, postData: { mimeType, text } } };
}

const remove = { method: 'DELETE', path: site, data: {} };
const content = {
  method: 'POST',
  path: `${site}/contents`,
  body: { title: 'a', text: 'b' },
  data: { id: 7 },
};
const update = {
  method: 'PUT',
  path: `${site}/contents/7`,
  body: { title: 'a', text: 'b' },
  data: { id: 7 },
};
const listOf = (item: object) => ({ list: [item], total: 1 });

test.for<[string, string, WrittenCall[]]>([
  ...[
    { rehearsal: true },
    { commit: false },
    { apply: false },
    { confirm: false },
    { goLive: false },
    { shiyunxing: true },
    { status: 'off' },
    { mode: 'canary' },
    { type: 2 },
  ].map((body): [string, string, WrittenCall[]] => [
    `a publish with ${JSON.stringify(body)}`,
    'publish-site',
    [{ ...publish, body }],
  ]),
  ['a publish with a bare parameter', 'publish-site', [{ ...publish, path: `${publish.path}?undo` }]],
  [
    'a publish that waits for a confirmation',
    'publish-site',
    [{ ...publish, data: { version: 3, state: 'awaiting_approval' } }],
  ],
  ['a deletion that is not confirmed', 'delete-site', [{ ...remove, path: `${site}?confirm=false` }]],
  ['a deletion that spares no trash', 'delete-site', [{ ...remove, body: { trash: false } }]],
  ['a deletion that asks to confirm', 'delete-site', [{ ...remove, data: { confirm_token: 'a8f3c2d1' } }]],
  ['leaving a site', 'delete-site', [{ method: 'POST', path: `${site}/remove-me`, data: {} }]],
  [
    'a translation that is deleted',
    'delete-content',
    [content, { ...remove, path: `${site}/contents/7?locale=de` }],
  ],
  [
    'an import of people',
    'import-site',
    [{ method: 'POST', path: '/tenant/users/import', body: { url: 'https://a.example' }, data: { id: 8 } }],
  ],
  [
    'an import that answers with its own identifier',
    'import-site',
    [
      {
        method: 'POST',
        path: '/tenant/sites/import',
        body: { url: 'https://a.example' },
        data: { id: 880_231 },
      },
      { path: '/tenant/imports/880231', data: { state: 'running' } },
    ],
  ],
  [
    'what a text generator has written before',
    'ai',
    [{ method: 'POST', path: `${site}/ai/history`, body: { prompt: 'a' }, data: { text: 'b' } }],
  ],
  [
    'a draft that is saved by itself',
    'update-content',
    [content, { ...update, body: { ...update.body, autosave: true } }],
  ],
  [
    'the log of parcels',
    'list-deliveries',
    [{ path: `${site}/deliveries`, data: listOf({ id: 1, carrier: 'a', state: 'shipped' }) }],
  ],
  [
    'the log of commits',
    'list-deliveries',
    [{ path: `${site}/push-log`, data: listOf({ id: 1, commit: 'a' }) }],
  ],
  [
    'keys of translations',
    'list-keys',
    [{ path: '/tenant/keys', data: listOf({ id: 1, name: 'greeting' }) }],
  ],
  [
    'a key that is no API key',
    'create-key',
    [{ method: 'POST', path: '/tenant/api-keys', body: { name: 'a' }, data: { id: 1, key: 'greeting' } }],
  ],
  [
    'sites that anybody sees',
    'list-sites',
    [{ path: '/public/sites', data: listOf({ id: 1001, name: 'a' }) }],
  ],
  [
    'a version of a draft',
    'get-publish',
    [{ path: `${site}/versions/3`, data: { version: 3, state: 'draft' } }],
  ],
])('%s is not certain', ([, name, calls]) => {
  expect(learn([made, read, ...calls])(name)?.isCertain ?? false).toBe(false);
});

test.for<[string, string, WrittenCall]>([
  ['delete-site', 'a token of a site', { method: 'DELETE', path: `${site}/token` }],
  ['delete-site', 'a token to delete', { method: 'POST', path: `${site}/delete-token` }],
  ['delete-site', 'a code to delete', { method: 'POST', path: `${site}/delete/code` }],
  ['delete-content', 'a slug', { method: 'DELETE', path: `${site}/contents/7/slug` }],
  ['publish-site', 'a token to publish', { ...publish, path: `${site}/publish/token` }],
  ['create-content', 'a slug for an item', { ...content, path: `${site}/contents/slug` }],
  [
    'list-contents',
    'views of items',
    { path: `${site}/contents/views`, data: listOf({ id: 7, title: 'a' }) },
  ],
  [
    'submit-form',
    'a subscription to submissions',
    { method: 'POST', path: `${site}/submissions/subscribe`, body: { fields: { a: 'b' } }, data: { id: 5 } },
  ],
  ['get-publish', 'a publish that is marked', { path: `${site}/publishes/3/read`, data: { state: 'done' } }],
])('%s is not learnt for certain from %s', ([name, , call]) => {
  expect(learn([made, read, content, publish, call])(name)?.isCertain ?? false).toBe(
    name === 'create-content' || name === 'publish-site',
  );
  expect(learn([made, read, call])(name)?.isCertain ?? false).toBe(false);
});

test.for(['api-tokens', 'access_tokens', 'access-token'])('keys may be called %s', (name) => {
  const path = `/tenant/${name}`;
  const learnt = learn([
    made,
    { method: 'POST', path, body: { name: 'a' }, data: { id: 5, token: 'sp_0123456789ab' } },
    { path, data: listOf({ id: 5, name: 'a' }) },
    { ...remove, path: `${path}/5` },
  ]);
  for (const one of ['create-key', 'list-keys', 'delete-key']) expect(learnt(one)?.doubts).toEqual([]);
});

test('a site for others is not the ordinary one', () => {
  const calls = [read, { ...create, body: { name: 'Café', is_template: true } }];
  expect(learn(calls)('create-site')?.isCertain).toBe(false);
  expect(learn([made, ...calls])('create-site')).toMatchObject({
    isCertain: true,
    value: { body: { name: '{name}' } },
  });
});

test('keys are those of the API where one of them begins as such', () => {
  const path = '/tenant/keys';
  const body = { name: 'a' };
  const data = { id: 5, key: 'pk_0123456789ab', secret: 'sp_0123456789ab' };
  const learnt = learn([made, { method: 'POST', path, body, data }, { ...remove, path: `${path}/5` }]);
  expect(learnt('create-key')).toMatchObject({ isCertain: true, value: { key: '/data/secret' } });
  expect(learnt('delete-key')?.isCertain).toBe(true);
});

test('a version is what the publish answered and is asked for by', () => {
  const data = { version: 2, publication: { number: 31 } };
  const asked = { path: `${site}/publishes/31`, data: { state: 'complete' } };
  const found = learn([made, read, { ...publish, data }, asked])('publish-site');
  expect(found?.value?.version).toBe('/data/publication/number');
});

test('a call that means another method by a header is doubtful', () => {
  const headers = { Authorization: 'Bearer st_0123456789', 'X-HTTP-Method-Override': 'DELETE' };
  const found = learn([made, read, { method: 'POST', path: site, headers }])('delete-site');
  expect(found?.isCertain ?? false).toBe(false);
});

test('what is left out for its name makes a call doubtful', () => {
  const found = learn([{ ...create, body: { name: 'Café', 'Wilhelmina & Co': 1 } }])('create-site');
  expect(found?.doubts).toEqual(['it sends more, which is left out since its name might tell something']);
});

test('the identifier is the one that a later call sends', () => {
  const data = { id: 77, site: { uid: 'st-1' } };
  const learnt = learn([
    { ...create, data },
    { path: '/tenant/sites/st-1', data: { name: 'Café' } },
  ]);
  expect(learnt('create-site')?.value?.id).toBe('/data/site/uid');
});

test('the identifier is what most paths have, whatever it is called; a path that has another one is doubtful', () => {
  const named = { id: 48_213, handle: 'brombeerecke', name: 'Café' };
  const path = '/tenant/sites/brombeerecke';
  const learnt = learn([
    { ...create, data: named },
    { path: '/tenant/sites', data: listOf(named) },
    { path, data: named },
    { ...publish, path: `${path}/publish` },
    { path: '/tenant/sites/48213/webhooks', data: listOf({ id: 7, url: 'https://a.example', events: [] }) },
  ]);
  expect(learnt('create-site')).toMatchObject({ isCertain: true, value: { id: '/data/handle' } });
  expect(learnt('list-sites')).toMatchObject({ isCertain: true, value: { 'item.id': '/handle' } });
  expect(learnt('get-site')).toMatchObject({ isCertain: true, value: { id: '/data/handle' } });
  expect(learnt('publish-site')?.isCertain).toBe(true);
  expect(learnt('list-subscriptions')?.doubts).toEqual([
    'its path has another value than the identifier that is stated',
  ]);
});

test.for<[string, string]>([
  ['prefix', 'sp_6Fd2ax'],
  ['name', 'kelterpumpe'],
])('keys that are deleted by their %s have that as their identifier', ([name, value]) => {
  const path = '/tenant/api-keys';
  const key = { id: 91, [name]: value };
  const learnt = learn([
    { method: 'POST', path, body: { name: 'kelterpumpe' }, data: { ...key, key: 'sp_6Fd2ax0123456789' } },
    { path, data: listOf({ ...key, created_at: '2026-03-03T09:00:00Z' }) },
    { ...remove, path: `${path}/${value}` },
  ]);
  expect(learnt('create-key')?.value?.id).toBe(`/data/${name}`);
  expect(learnt('list-keys')?.value?.['item.id']).toBe(`/${name}`);
});

test.for(['articles', 'pages'])('of %s, one is called by what the path of its own call has', (name) => {
  const item = { id: 70_555, slug: 'dornen-entfernen' };
  const path = `${site}/${name}`;
  const learnt = learn([
    made,
    { ...content, path, data: item },
    { method: 'POST', path: `${path}/dornen-entfernen/publish`, data: item },
  ]);
  expect(learnt('publish-content')?.value?.id).toBe('/data/slug');
});

test('an answer that says nothing of an identifier speaks against none', () => {
  const learnt = learn([made, { ...read, data: { id: 1001, name: 'Café' } }, { path: site, data: {} }]);
  expect(learnt('get-site')).toMatchObject({ isCertain: true, value: { id: '/data/id' } });
});

test('a content type in a path is no content item', () => {
  const path = `${site}/contents/rezepturen`;
  const item = { id: 70_555, title: 'a' };
  const learnt = learn([
    made,
    {
      method: 'POST',
      path: '/tenant/content-types',
      body: { name: 'Rezepturen' },
      data: { slug: 'rezepturen' },
    },
    { ...content, path, data: item },
    { path, data: listOf(item) },
    { path: `${path}/70555`, data: item },
  ]);
  for (const name of ['get-content', 'update-content', 'create-content'])
    expect(learnt(name)?.isCertain ?? false).toBe(false);
});

test('an address that is sent again is no identifier of what has it', () => {
  const url = 'https://hooks.example.com/in/Kx92mQpL7';
  const path = '/tenant/sites/1001/webhooks';
  const list = { path, data: { list: [{ hook_id: 7, endpoint: url }], total: 1 } };
  const learnt = learn([
    create,
    list,
    { method: 'POST', path, body: { endpoint: url }, data: { hook_id: 8 } },
  ]);
  expect(learnt('list-subscriptions')?.value?.['item.id']).toBe('/hook_id');
});

test.for([
  ['limit', '{limit}'],
  ['size', '{page_size}'],
] as const)('a page of a %s without a start is asked for with %s', ([name, want]) => {
  const data = { list: [{ id: 1001, name: 'Café' }], total: 1 };
  const found = learn([{ path: `/tenant/sites?${name}=20`, data }])('list-sites');
  expect([found?.value?.query, found?.isCertain]).toEqual([{ [name]: want }, true]);
});

test.for<[string, string[], Record<string, unknown> | undefined]>([
  ['a state', ['?state=pending'], undefined],
  ['a state, at times', ['?status=pending', '', '?status=shown'], undefined],
  ['what somebody searches', ['?keyword=&page=1', '?keyword=tulips&page=1'], { page: '{page}' }],
  ['an order', ['?sort=-updated&page=1'], { page: '{page}' }],
  ['a kind', ['?type=comment'], { type: 'comment' }],
])('of the query of a list, %s is kept where it is no filter', ([, queries, want]) => {
  const data = { list: [{ id: 7, author: 'Kim', text: 'Hello', status: 'pending' }], total: 1 };
  const calls = queries.map((query) => ({ path: `/tenant/sites/1001/comments${query}`, data }));
  const found = learn([create, ...calls])('list-comments');
  expect(found?.doubts).toEqual([]);
  expect(found?.value?.query).toEqual(want);
});

test('a search in the body of a list is no part of it', () => {
  const data = { list: [{ id: 1001, name: 'Café' }], total: 1 };
  const search = (keyword: string) => ({
    method: 'POST',
    path: '/tenant/site/query',
    body: { page: 1, keyword },
    data,
  });
  expect(learn([search(''), search('tulips')])('list-sites')).toMatchObject({
    isCertain: true,
    value: { body: { page: '{page}' } },
  });
});

test('a filter that a description requires is sent', () => {
  const data = { list: [{ id: 7, text: 'Hello' }], total: 1 };
  const calls = [create, { path: '/tenant/sites/1001/comments?status=pending', data }];
  const description = 'GET /tenant/sites/{id}/comments says List comments query status* answer list[id,text]';
  expect(learn(calls, description)('list-comments')?.value?.query).toEqual({ status: 'pending' });
});

test('a deletion with a flag that spares the trash is not the ordinary one', () => {
  const remove = { method: 'DELETE', path: '/tenant/sites/1001', data: {} };
  const calls = [create, remove, { ...remove, path: `${remove.path}?force=true` }];
  const found = learn(calls)('delete-site');
  expect([found?.isCertain, found?.value?.query]).toEqual([true, undefined]);
  const alone = learn([create, { ...remove, path: `${remove.path}?force=true` }])('delete-site');
  expect([alone?.isCertain, alone?.value?.query]).toEqual([true, { force: true }]);
});

test('a list that was empty is one, but for its items', () => {
  const empty = learn([create, { path: '/tenant/sites/1001/submissions', data: { list: [], total: 0 } }]);
  expect(empty('list-submissions')).toMatchObject({
    isCertain: true,
    value: { list: '/data/list', total: '/data/total' },
  });
});

const described = `POST /tenant/sites says Create a site body name* alias kind* answer id:integer
  GET /tenant/sites says List sites answer list[id:integer,name] total:integer
  DELETE /websites/{id} says Delete a site
  DELETE /sites/{id} says Delete a site`;

test('what is described and recorded is one operation, with the words of the one and the values of the other', () => {
  const found = learn([{ ...create, body: { name: 'Café', kind: 'standard', alias: 'corner' } }], described);
  expect(found('create-site')).toMatchObject({
    isCertain: true,
    value: { body: { name: '{name}', kind: 'standard' }, auth: 'session' },
    alternatives: [],
  });
  expect(found('create-site')?.place).toBe('sketch.json and entry 1 of console.har');
  expect(found('list-sites')?.isCertain).toBe(true);
});

test('of twins the one that was called is meant, whatever the description has at the end of its path', () => {
  const calls = [create, { method: 'DELETE', path: '/websites/1001', data: {} }];
  expect(learn([create], described)('delete-site')?.isCertain).toBe(false);
  const found = learn(calls, described.replace('/websites/{id}', '/websites/{id}/'));
  expect(found('delete-site')).toMatchObject({ isCertain: true, value: { path: '/websites/{siteID}' } });
});

test('a word in a recorded path is no parameter of a described one', () => {
  const templates = { path: '/tenant/sites/templates', data: { id: 4, name: 'Bakery' } };
  const description = 'GET /tenant/sites/{id} says Get a site answer id:integer name version:integer';
  expect(learn([create, templates], description)('get-site')).toMatchObject({
    isCertain: true,
    place: 'sketch.json',
    value: { path: '/tenant/sites/{siteID}', version: '/data/version' },
  });
});

test('calls of one path that differ by a flag stay two, where one description is of both', () => {
  const publish = { method: 'POST', path: '/tenant/sites/1001/publish', data: { version: 3 } };
  const description =
    'POST /tenant/sites/{id}/publish says Publish body note simulate_failure:boolean answer version:integer';
  const calls = [create, { ...publish, body: {} }, { ...publish, body: { simulate_failure: true } }];
  const learnt = learn(calls, description);
  expect(learnt('publish-site')).toMatchObject({ isCertain: true, value: { body: { note: '{note}' } } });
  expect(learnt('fail-publish')).toMatchObject({
    isCertain: true,
    value: { body: { note: '{note}', simulate_failure: true } },
  });
});

test.for(['fail_on_warnings', 'failFast', 'notifyOnFailure'])(
  'a publish with %s is an ordinary one, whatever was sent',
  (name) => {
    const publish = { method: 'POST', path: '/tenant/sites/1001/publish', data: { version: 3 } };
    for (const value of [true, false]) {
      const learnt = learn([create, { ...publish, body: { note: 'spring', [name]: value } }]);
      expect(learnt('publish-site')).toMatchObject({ isCertain: true, value: { body: { [name]: value } } });
      expect(learnt('fail-publish')?.value).toBeUndefined();
    }
  },
);

test.for<[string, WrittenCall, Record<string, unknown>]>([
  ['a mode', { ...publish, body: { mode: 'fail' } }, { body: { mode: 'fail' } }],
  [
    'a flag in the query',
    { ...publish, path: `${publish.path}?simulate_failure=true` },
    { query: { simulate_failure: true } },
  ],
])('a publish that %s lets fail is no ordinary one', ([, call, want]) => {
  const learnt = learn([create, call]);
  expect(learnt('publish-site')?.value).toBeUndefined();
  expect(learnt('fail-publish')).toMatchObject({ isCertain: true, value: want });
});

test.for([
  { dry_run: true },
  { preview: true },
  { mode: 'preview' },
  { validate_only: true },
  { state: 'draft' },
  { published: false },
])('a publish with %j may publish nothing', (body) => {
  const [[name, value] = []] = Object.entries(body);
  const found = learn([create, { ...publish, body }])('publish-site');
  expect(found?.doubts).toContain(`what it sends says "${name}: ${value}"`);
  const both = learn([create, { ...publish, body }, { ...publish, body: {} }])('publish-site');
  expect(both).toMatchObject({ isCertain: true, value: { body: {} } });
});

test.for([{ dry_run: false }, { skip_preview: true }, { notify_mode: 'failed' }, { mode: 'full' }])(
  'a publish with %j is an ordinary one',
  (body) => {
    expect(learn([create, { ...publish, body }])('publish-site')?.isCertain).toBe(true);
  },
);

test('a publish whose path names nothing is that of the site in its body', () => {
  const body = { site_id: 1001, note: 'spring menu 7' };
  const answer = { publish_id: 'pub-77a', version: 3 };
  const read = { path: '/tenant/publishes/pub-77a', data: { id: 'pub-77a', state: 'done' } };
  const learnt = learn([create, { ...publish, path: '/tenant/publish', body, data: answer }, read]);
  expect(learnt('publish-site')).toMatchObject({
    isCertain: true,
    value: { path: '/tenant/publish', body: { site_id: '{siteID}', note: '{note}' } },
  });
  expect(learnt('get-publish')?.isCertain).toBe(false);
});

test('a publish that is asked for by a text is doubtful where nobody knows what publishes', () => {
  const read = { path: '/tenant/publishes/pub-77a', data: { id: 'pub-77a', state: 'done' } };
  expect(learn([create, read])('get-publish')).toMatchObject({ isCertain: false, value: expect.anything() });
});

test('a flag that was never set makes no publish fail', () => {
  const publish = { method: 'POST', path: '/tenant/sites/1001/publish', data: { version: 3 } };
  const learnt = learn([create, { ...publish, body: { simulate_failure: false } }]);
  expect(learnt('publish-site')?.isCertain).toBe(true);
  expect(learnt('fail-publish')?.value).toBeUndefined();
});

test.for<[object, string, object]>([
  [{ job_id: 55_120 }, 'publish/jobs/55120', { id: 55_120, version: 3 }],
  [{ publish: { id: 3107 } }, 'publishes/3107', { publish: { id: 3107, version: 5 } }],
  [{ deployment_id: 5 }, 'deployments/5', { deployment_id: 5, version: 18 }],
  [{ queue_no: 7712 }, 'publish/queue/7712', { queue_no: 7712, version: 4 }],
])(
  'what a publish answers with, %j, is no version where a later answer has another one',
  ([data, path, later]) => {
    const learnt = learn([made, read, { ...publish, data }, { path: `${site}/${path}`, data: later }]);
    expect(learnt('publish-site')?.value).not.toHaveProperty('version');
    expect(learnt('publish-site')?.isCertain).toBe(false);
    expect(learnt('get-publish')?.isCertain ?? false).toBe(false);
  },
);

test('a release that has a number beside its identifier has the number as its version', () => {
  const data = { release: { id: 'rel_7k2m9x', number: 4 } };
  const path = `${site}/releases`;
  const learnt = learn([made, read, { ...publish, path, data }, { path: `${path}/rel_7k2m9x`, data }]);
  expect(learnt('publish-site')).toMatchObject({
    isCertain: true,
    value: { version: '/data/release/number' },
  });
  expect(learnt('get-publish')?.isCertain).toBe(false);
});

test('a publish that is asked for by another number than its version is doubtful', () => {
  const site = '/tenant/sites/1001';
  const publish = { method: 'POST', path: `${site}/publish`, body: {}, data: { id: 991, version: 12 } };
  const read = (id: number) => ({
    path: `${site}/publishes/${id}`,
    data: { id: 991, version: 12, state: 'done' },
  });
  expect(learn([create, publish, read(991)])('get-publish')?.isCertain).toBe(false);
  expect(learn([create, publish, read(12)])('get-publish')?.isCertain).toBe(true);
});

test('a verb behind a parameter is one', () => {
  const path = '/tenant/sites/1001/posts';
  const post = { method: 'POST', path, body: { title: 'a', text: 'b' }, data: { id: 501 } };
  const learnt = learn([create, post, { method: 'POST', path: `${path}/501:publish`, body: {}, data: {} }]);
  expect(learnt('publish-content')).toMatchObject({
    isCertain: true,
    value: { path: '/tenant/sites/{siteID}/posts/{contentID}:publish' },
  });
});

test('a call that makes the state of a content item public publishes it, and updates nothing', () => {
  const path = '/tenant/sites/1001/contents';
  const post = { method: 'POST', path, body: { title: 'a b', text: 'c d' }, data: { id: 501 } };
  const patch = (body: object) => ({ method: 'PATCH', path: `${path}/501`, body, data: { id: 501 } });
  const calls = [create, post, patch({ title: 'x y', text: 'z z' }), patch({ status: 'published' })];
  const learnt = learn(calls);
  expect(learnt('publish-content')).toMatchObject({
    isCertain: true,
    value: { method: 'PATCH', body: { status: 'published' } },
    reasons: ['its path is about content', 'its body says "publish"'],
  });
  expect(learnt('update-content')).toMatchObject({
    isCertain: true,
    value: { body: { title: '{title}', text: '{text}' } },
  });
  expect(learn([...calls, patch({ status: 'draft' })])('publish-content')?.isCertain).toBe(true);
  expect(learn([create, post, patch({ status: 'archived' })])('publish-content')?.value).toBeUndefined();
});

test('a site whose identifier no answer shows is not created for certain', () => {
  expect(learn([{ ...create, data: {} }])('create-site')?.doubts).toEqual([
    'nothing in its answer looks like the identifier of a site',
  ]);
});

test('a form whose members are named by its maker is stated as the fields of a form', () => {
  const body = { fields: { email: 'w@mail.example', wish: 'tea' } };
  const sent = { method: 'POST', path: '/sites/1001/forms/contact-2/submissions', body, data: { id: 5 } };
  const withoutCredentials = [create, sent].map((call) => ({ ...call, headers: {} }));
  expect(learn(withoutCredentials)('submit-form')).toMatchObject({
    isCertain: true,
    value: { path: '/sites/{siteID}/forms/{form}/submissions', body: { fields: '{fields}' } },
  });
});

test.for([
  ['nobody’s credentials', { headers: {} }],
  ['those of the console', {}],
] as const)('a word that a visitor chose is shown nowhere, sent with %s', ([, sentWith]) => {
  const body = { author: 'Kim', text: 'Hello', type: 'oncology', state: 'bavaria', agreed: true };
  const sent = { method: 'POST', path: '/public/sites/1001/comments', ...sentWith, body, data: { id: 5 } };
  const found = learn([create, sent])('create-comment');
  expect(found?.value?.body).toEqual({ author: '{author}', text: '{text}', agreed: true });
  expect(found?.doubts).toEqual([
    'nothing is known for /type, which its body requires',
    'nothing is known for /state, which its body requires',
  ]);
});

test('what else a console calls is taken for nothing', () => {
  const list = [{ id: 1, name: 'Food' }];
  const site = '/tenant/sites/1001';
  const noise: WrittenCall[] = [
    { path: '/tenant/me', data: { id: 5, name: 'Wilhelmina', role: 'owner' } },
    { path: '/tenant/notifications?unread=true', data: { list, total: 1 } },
    { method: 'POST', path: '/tenant/notifications/9/read', body: {}, data: {} },
    { path: `${site}/stats?from=2026-01-01`, data: { list } },
    { method: 'POST', path: `${site}/preview`, body: {}, data: { version: 7 } },
    { path: `${site}/webhooks/events`, data: { list } },
    { path: `${site}/settings`, data: { state: 'live' } },
    { method: 'PUT', path: `${site}/settings`, body: { theme: 'dark' }, data: {} },
    { method: 'POST', path: '/tenant/upload/token', body: { type: 'image' }, data: { key: 'media/1.png' } },
    { method: 'POST', path: '/tenant/track', body: { event: 'click' }, data: {} },
    { path: '/tenant/members', data: { list, total: 1 } },
    {
      method: 'POST',
      path: '/tenant/members',
      body: { email: 'x@b.example', role: 'editor' },
      data: { id: 6 },
    },
    { path: '/tenant/ai/quota', data: { used: 3 } },
    { path: '/tenant/sites/templates', data: { list, total: 1 } },
    { method: 'POST', path: '/tenant/sites/check-name', body: { name: 'Café' }, data: { available: true } },
    {
      method: 'POST',
      path: 'https://api.example.com/graphql',
      body: { query: '{ me }' },
      answer: { data: {} },
    },
  ];
  const found = learnOperations(learnRecording(readText(harOf(noise)).exchanges).operations, { given: {} });
  expect(found.operations.filter(({ isCertain }) => isCertain)).toEqual([]);
});
