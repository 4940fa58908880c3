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
] as const)('the path of %s is %s', ([path, want]) => {
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
])('calls that differ by %s are so many operations', ([, calls, want]) => {
  expect(learn(calls).operations.length).toBe(want);
});

test('a body has fields and flags, and says that there is more', () => {
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

test('a call whose body has more than is shown is not certain', () => {
  const doubts = (body: object) =>
    learnOperations(learn([{ ...created, body }]).operations, { given: {} }).operations[0]?.doubts;
  expect(doubts({ name: 'Café' })).toEqual([]);
  const hidden = ['it sends members that are not shown; see entry 1 of console.har'];
  expect(doubts({ name: 'Café', wish: 'x' })).toEqual(hidden);
  expect(doubts({ name: 'Café', items: [{ wish: 'x' }] })).toEqual(hidden);
});

test('what people type is not shown, though it is a word that is', () => {
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

test('a body that is no JSON makes a call unclear', () => {
  const request = { method: 'POST', url: `${api}/tenant/sites`, postData: { text: 'name=x' } };
  expect(learn([{ path: '/', entry: { request } }]).operations[0]?.doubts).toEqual([
    'its body is no JSON; see entry 1 of console.har',
  ]);
});

const key = { Authorization: 'Bearer sp_0123456789ab' };

test.for<[string, WrittenCall[], string | undefined]>([
  ['a session', [publish], 'session'],
  ['an API key', [{ ...publish, headers: key }], 'api-key'],
  ['either', [publish, { ...publish, headers: key }], 'bearer'],
  ['nothing', [{ ...publish, headers: {} }, created], 'none'],
  ['a cookie', [{ ...publish, headers: { Cookie: 'a=b' } }, created], 'session'],
  ['what the browser has left out', [{ ...publish, headers: {} }], undefined],
])('a call that carried %s says who may call', ([, calls, want]) => {
  expect(learn(calls).operations[0]?.auth).toBe(want);
});

test('only calls below the base address that were accepted count, and the rest is said', () => {
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
    'left out: 2 calls (refused, or no JSON of the service), the first in entry 3 of console.har',
    expect.stringMatching(/^no call carries credentials: /),
  ]);
  expect(learn(calls).baseUrl).toBe('https://cdn.example.com/api/v1');
});

test.for<[WrittenCall[], string | undefined, string]>([
  [
    [],
    undefined,
    'no call of the recording is answered as the service does, with code, message and trace_id; name the API with --base-url',
  ],
  [[], api, `the recording has no call of ${api}`],
  [
    [{ path: 'https://wilhelmina@[h/v1/' }, { path: 'https://h wilhelmina/v1/' }, { path: 'wss://h/v1/' }],
    undefined,
    'no call of the recording is answered as the service does',
  ],
  [
    [created],
    'https://h/api/v1',
    'the recording has no call of https://h/api/v1; entry 1 of console.har is answered as the service does, and has another beginning',
  ],
])('%j with the base address %s is refused', ([calls, baseUrl, message]) => {
  expect(() => learn(calls, baseUrl)).toThrow(message);
});
