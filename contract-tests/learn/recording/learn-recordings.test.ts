import { expect, test } from 'vitest';
import { learnOperations } from '../learn-operations.ts';
import { learnRecordings } from './learn-recordings.ts';
import { parseHar } from './read-har.ts';
import { api, harOf, type WrittenCall } from './testing/write-har.ts';

function learn(calls: readonly WrittenCall[], baseUrl?: string) {
  return learnRecordings(parseHar(harOf(calls), 'console.har'), baseUrl);
}

const created = { method: 'POST', path: '/tenant/sites', body: { name: 'Café' }, data: { id: 1001 } };
const publish = { method: 'POST', path: '/tenant/sites/1001/publish' };

test.for([
  ['/tenant/sites/1001', '/tenant/sites/{siteId}'],
  ['/tenant/sites/1001/hooks/hk_8f3a', '/tenant/sites/{siteId}/hooks/{subscriptionId}'],
  ['/tenant/sites/1001:publish', '/tenant/sites/{siteId}:publish'],
  ['/tenant/sites/1001:haircut', '/tenant/sites/{parameter}'],
  ['/tenant/sites/1001/publishes/3', '/tenant/sites/{siteId}/publishes/{publicationId}'],
  ['/sites/1001/forms/contact/submissions', '/sites/{siteId}/forms/{formId}/submissions'],
  ['/tenant/sites/', '/tenant/sites/'],
  ['/zones/%E5%9B%BE/keys', '/{parameter}/{parameter2}/keys'],
] as const)('turns the path %s into %s', ([path, want]) => {
  expect(learn([{ path }]).operations[0]?.path).toBe(want);
});

const publishes = (...bodies: object[]) => bodies.map((body) => ({ ...publish, body }));

test.for<[string, WrittenCall[], number]>([
  ['a flag', publishes({ note: 'a' }, { note: 'b', state: { fail: true } }), 2],
  ['two values of a flag', [{ path: '/sites?published=true' }, { path: '/sites?published=false' }], 2],
  ['a state', publishes({ state: 'live' }, { state: 'draft' }), 2],
  ['an identifier', publishes({ title: 'x' }, { title: 'x', contentId: 5 }), 2],
  ['texts', publishes({ note: 'a' }, { note: 'b', title: 'c' }), 1],
  [
    'pages',
    [{ path: '/sites?page=1' }, { path: '/sites?page=2&size=5' }, { path: '/sites?_=1795256817000' }],
    1,
  ],
  ['names in a path', [{ path: '/sites/7' }, { path: '/sites/eight' }], 1],
])('counts operations of calls that differ by %s', ([, calls, want]) => {
  expect(learn(calls).operations.length).toBe(want);
});

test('reads fields and flags of a body, and marks hidden members', () => {
  const fields = { email: 'a@b.example' };
  const body = { name: 'Café', is_public: true, owner: { shoe: 1 }, fields, wish: 'x', 7: 1 };
  const [one] = learn([{ ...created, body: { ...body, public: true, kind: 'standard' } }]).operations;
  expect(one?.body).toEqual([
    { pointer: '', types: ['object'], isRequired: false },
    { pointer: '/…', types: [], isRequired: true },
    { pointer: '/name', types: ['string'], isRequired: false },
    { pointer: '/fields', types: ['object'], isRequired: false },
    { pointer: '/fields/…', types: [], isRequired: true },
    { pointer: '/public', types: ['boolean'], isRequired: true, allowed: [true] },
    { pointer: '/kind', types: ['string'], isRequired: true, allowed: ['standard'] },
  ]);
  const id = { pointer: '/data/id', types: ['integer'], isRequired: false };
  expect(one?.answers).toMatchObject([{ status: 200, body: expect.arrayContaining([id]) }]);
});

test('doubts a call whose body has hidden members', () => {
  const doubts = (body: object) =>
    learnOperations(learn([{ ...created, body }]).operations, { given: {} }).operations[0]?.doubts;
  expect(doubts({ name: 'Café' })).toEqual([]);
  const hidden = ['sends members that sitepub does not show; see entry 1 of console.har'];
  expect(doubts({ name: 'Café', wish: 'x' })).toEqual(hidden);
  expect(doubts({ name: 'Café', items: [{ wish: 'x' }] })).toEqual(hidden);
});

test('hides values that people type, even known words', () => {
  const body = {
    name: 'draft',
    siteTitle: 'live',
    text: ['private'],
    state: 'draft',
    fields: { name: 'custom' },
  };
  const [one] = learn([{ ...created, path: '/tenant/sites?title=draft&state=live', body }]).operations;
  const all = [...(one?.query ?? []), ...(one?.body ?? [])].filter(({ allowed }) => allowed);
  expect(all.map(({ pointer, allowed }) => [pointer, allowed])).toEqual([
    ['/state', ['live']],
    ['/state', ['draft']],
  ]);
});

test('doubts a call whose body is not JSON', () => {
  const request = { method: 'POST', url: `${api}/tenant/sites`, postData: { text: 'name=x' } };
  expect(learn([{ path: '/', entry: { request } }]).operations[0]?.doubts).toEqual([
    'the body is not JSON; see entry 1 of console.har',
  ]);
});

const key = { Authorization: 'Bearer sp_0123456789ab' };

test.for<[string, WrittenCall[], string | undefined]>([
  ['a session', [publish], 'session'],
  ['an API key', [{ ...publish, headers: key }], 'api-key'],
  ['either', [publish, { ...publish, headers: key }], 'bearer'],
  ['nothing', [{ ...publish, headers: {} }, created], 'none'],
  ['a cookie', [{ ...publish, headers: { Cookie: 'a=b' } }, created], 'session'],
  ['no credentials, as browsers export it', [{ ...publish, headers: {} }], undefined],
])('reads the credentials of a call that carried %s', ([, calls, want]) => {
  expect(learn(calls).operations[0]?.auth).toBe(want);
});

test('counts successful calls below the base URL, and notes the others', () => {
  const calls = [
    { path: 'https://cdn.example.com/api/v1/tenant/sites' },
    { path: 'https://api.example.com/health' },
    { ...created, headers: {}, answer: { code: 40001, message: 'Wilhelmina', trace_id: '1' } },
    { path: '/tenant/sites', headers: {}, entry: { response: { status: 200, content: {} } } },
    { ...created, headers: {} },
    {
      method: 'DELETE',
      path: '/tenant/sites/7',
      headers: {},
      entry: { response: { status: 204, content: { text: '' } } },
    },
    { path: '/', headers: {}, entry: { request: { method: 'GET', url: '/api/v1/sites' } } },
  ];
  const { operations, notes } = learn(calls, `${api}/`);
  expect(operations.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'POST /tenant/sites',
    'DELETE /tenant/sites/{siteId}',
    'GET /sites',
  ]);
  expect(notes).toEqual([
    `3 calls of ${api}/`,
    'ignored: 2 calls (refused, or not JSON of the service), the first in entry 3 of console.har',
    expect.stringMatching(/^no call carries credentials, so /),
  ]);
  expect(learn(calls).baseUrl).toBe('https://cdn.example.com/api/v1');
});

test.for<[WrittenCall[], string | undefined, string]>([
  [
    [],
    undefined,
    'no answer in the recording has the envelope (code, message, trace_id); pass the URL of the API with --base-url',
  ],
  [[], api, `the recording contains no call of ${api}`],
  [
    [{ path: 'https://wilhelmina@[h/v1/' }, { path: 'https://h wilhelmina/v1/' }, { path: 'wss://h/v1/' }],
    undefined,
    'no answer in the recording has the envelope',
  ],
  [
    [created],
    'https://h/api/v1',
    'the recording contains no call of https://h/api/v1; entry 1 of console.har has the envelope, but another base URL',
  ],
])('refuses %j with the base URL %s', ([calls, baseUrl, message]) => {
  expect(() => learn(calls, baseUrl)).toThrow(message);
});
