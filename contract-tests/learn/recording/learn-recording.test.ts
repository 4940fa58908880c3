import { expect, test } from 'vitest';
import { digestOfRecording } from './digest-of-recording.ts';
import { learnRecordings } from './learn-recording.ts';
import { harOf, readText, type WrittenCall } from './testing/write-har.ts';

function learn(calls: readonly WrittenCall[], baseUrl?: string) {
  return learnRecordings([readText(harOf(calls))], baseUrl);
}

function digest(calls: readonly WrittenCall[]): string[] {
  return digestOfRecording(learn(calls).operations).map((line) => line.replace(/ +/g, ' '));
}

const created = { method: 'POST', path: '/tenant/sites', body: { name: 'Café' }, data: { site_id: 1001 } };

test.for<[string, string]>([
  ['/tenant/sites/1001', '/tenant/sites/{siteId}'],
  ['/tenant/sites/1001/hooks/hk_8f3a', '/tenant/sites/{siteId}/hooks/{hookId}'],
  ['/tenant/sites/1001:publish', '/tenant/sites/{siteId}:publish'],
  ['/tenant/categories/7', '/tenant/categories/{categoryId}'],
  ['/tenant/hooks/3f2504e0-4f89-41d3-9a0c-0305e82c3301', '/tenant/hooks/{hookId}'],
  ['/tenant/media/%E5%9B%BE.png', '/tenant/media/{mediaId}'],
  ['/tenant/sites/1001/2', '/tenant/sites/{siteId}/{siteId2}'],
  ['/oauth2/step2', '/oauth2/step2'],
  ['/v2/tenant/me', '/v2/tenant/me'],
  ['/tenant/sites/by-1001', '/tenant/sites/by-{siteId}'],
  ['/tenant/hooks/hook-2', '/tenant/hooks/{hookId}'],
  ['/open:api/push:subscriptions', '/open:api/push:subscriptions'],
  ['/Tenant/Sites', '/Tenant/Sites'],
  ['/tenant/keys/create/Wilhelmina', '/tenant/keys/create/{createId}'],
  ['/f/booking/send', '/f/{fId}/send'],
  ['/tenant/site.list', '/tenant/site.list'],
  ['/tenant/sites/', '/tenant/sites/'],
  ['/sites/1001/forms/contact/submissions', '/sites/{siteId}/forms/{form}/submissions'],
  ['/sites/1001/forms/submissions', '/sites/{siteId}/forms/submissions'],
])('the path of %s is %s', ([path, want]) => {
  const bodies = { path: '/tenant/list', data: { list: [{ name: 'Wilhelmina', form: 'booking' }] } };
  expect(learn([created, { path }, bodies]).operations.map((one) => one.path)[1]).toBe(want);
});

test('a name that an answer gave as an identifier is one in a path', () => {
  const list = { path: '/tenant/sites', data: { list: [{ slug: 'harbour-cafe' }] } };
  expect(digest([list, { path: '/tenant/sites/harbour-cafe' }, { path: '/tenant/sites/drafts' }])).toEqual([
    'GET /tenant/sites 200',
    'GET /tenant/sites/{siteId} 200',
    'GET /tenant/sites/drafts 200',
  ]);
});

test('an identifier of an answer is linked to where later calls send it', () => {
  const [first] = learn([
    created,
    { path: '/tenant/sites/1001' },
    { method: 'DELETE', path: '/tenant/pages?site=1001' },
    { method: 'POST', path: '/tenant/publish', body: { target: { siteId: '1001' } } },
    { path: '/tenant/orders/1001' },
  ]).operations;
  expect(
    first?.seen?.links.map(({ pointer, usedBy }) => [pointer, usedBy.path, usedBy.in, usedBy.pointer]),
  ).toEqual([
    ['/data/site_id', '/tenant/sites/{siteId}', 'path', '/siteId'],
    ['/data/site_id', '/tenant/pages', 'query', '/site'],
    ['/data/site_id', '/tenant/publish', 'body', '/target/siteId'],
  ]);
});

const publish = { method: 'POST', path: '/tenant/sites/1001/publish' };

test('a number that stands elsewhere by chance is no link', () => {
  const count = { path: '/tenant/stats', data: { total: 3, order_id: 3, version: 3 } };
  const [operation] = learn([count, { path: '/tenant/sites/3' }]).operations;
  expect(operation?.seen?.links).toEqual([]);
});

test.for<[string, WrittenCall[], number]>([
  [
    'a flag',
    [
      { ...publish, body: { note: 'a' } },
      { ...publish, body: { note: 'b', options: { fail: true } } },
    ],
    2,
  ],
  [
    'two values of a flag',
    [
      { ...publish, body: { fail: true } },
      { ...publish, body: { fail: false } },
    ],
    2,
  ],
  [
    'a state',
    [
      { ...publish, body: { state: 'live' } },
      { ...publish, body: { state: 'draft' } },
    ],
    2,
  ],
  [
    'an identifier',
    [
      { ...publish, body: { title: 'x' } },
      { ...publish, body: { title: 'x', entry_id: 5 } },
    ],
    2,
  ],
  ['an action in the query', [{ path: '/rpc?action=sites' }, { path: '/rpc?action=keys' }], 2],
  [
    'a list in the answer',
    [
      { path: '/tenant/things?q=a', data: { list: [] } },
      { path: '/tenant/things?q=b', data: {} },
    ],
    2,
  ],
  [
    'texts',
    [
      { ...publish, body: { note: 'a' } },
      { ...publish, body: { note: 'b', title: 'c' } },
    ],
    1,
  ],
  [
    'pages',
    [{ path: '/tenant/sites?page=1' }, { path: '/tenant/sites?page=2&size=5' }, { path: '/tenant/sites' }],
    1,
  ],
  ['many channels', ['a', 'b', 'c', 'd'].map((channel) => ({ ...publish, body: { channel } })), 1],
  [
    'a cache buster',
    [{ path: '/tenant/sites?_=1795256817000' }, { path: '/tenant/sites?_=1795256817999' }],
    1,
  ],
  ['polling', Array.from({ length: 5 }, () => ({ path: '/tenant/sites/1001/publishes/8' })), 1],
])('calls that differ by %s are so many operations', ([, calls, want]) => {
  expect(learn(calls).operations.length).toBe(want);
});

function bodyOf(body: unknown, headers?: Record<string, string>) {
  const calls = [created, { method: 'POST', path: '/tenant/x', body, ...(headers && { headers }) }];
  return learn(calls)
    .operations[1]?.body?.map(({ pointer, values }) => [pointer, values])
    .slice(1);
}

test.for<[unknown, unknown[]]>([
  [{ state: 'live' }, ['live']],
  [{ kind: 'standard' }, ['standard']],
  [{ simulate_failure: true }, [true]],
  [{ priority: 3 }, [3]],
  [{ lang: 'zh-CN' }, ['zh-CN']],
  [{ name: 'standard' }, []],
  [{ site_name: 'standard' }, []],
  [{ note: 'yes' }, []],
  [{ theme: 'Griselda' }, []],
  [{ theme: 'scones' }, []],
  [{ state: 'Qx81kfLw02mNz' }, []],
  [{ pin: 123 }, []],
  [{ age: 47 }, []],
  [{ level: 20 }, [20]],
  [{ password: 'standard' }, []],
  [{ phone: 1512345678 }, []],
  [{ siteId: 1001 }, []],
  [{ entry_id: 'abc' }, []],
])('of the body %j the values %j are kept', ([body, want]) => {
  expect(bodyOf(body)?.map(([, values]) => values)).toEqual([want]);
});

test('of what visitors send nothing is kept, nor the names of the fields of a form', () => {
  expect(bodyOf({ fields: { favourite: 'tea' }, theme: 'tea', count: 3 }, {})).toEqual([
    ['/fields', []],
    ['/theme', []],
    ['/count', []],
  ]);
});

test('a text that was typed as a password is kept nowhere', () => {
  const login = { method: 'POST', path: '/login', headers: {}, body: { username: 'mei', password: 'live' } };
  const calls = [login, created, { ...publish, body: { state: 'live' } }];
  expect(learn(calls).operations[2]?.body?.[1]?.values).toEqual([]);
});

const word = 'walpurga';
const login = {
  method: 'POST',
  path: '/auth/tenant/login',
  headers: {},
  body: { username: word, password: 'x 1' },
};
const typed = { ...created, body: { name: word } };

test.for<[string, WrittenCall[]]>([
  ['the user name of a login, as a choice', [login, { ...publish, body: { scope: word } }]],
  ['the user name of a login, in another spelling', [login, { ...publish, body: { scope: 'Walpurga' } }]],
  ['a typed title, as a choice', [typed, { ...publish, body: { kind: word } }]],
  ['a typed title, as a member', [typed, { ...publish, body: { meta: { [word]: true } } }]],
  ['a typed title, in a path', [typed, { path: `/tenant/members/${word}/role/extra-7` }]],
  [
    'the words of a typed title, in a path',
    [{ ...created, body: { name: 'Walpurga und Co' } }, { path: '/tenant/pages/walpurga-und-co/view' }],
  ],
  [
    'a word of a visitor, as a choice',
    [
      { ...publish, path: '/f/1', headers: {}, body: { x: word } },
      { ...publish, body: { kind: word } },
    ],
  ],
  ['somebody who is notified', [{ ...publish, body: { notify: { [word]: true } } }]],
  ...'metadata attributes custom custom_fields extra'
    .split(' ')
    .map((holder): [string, WrittenCall[]] => [
      `a member of the open map "${holder}"`,
      [{ ...publish, body: { title: 'a b', [holder]: { [word]: 7 } } }],
    ]),
  ...'notifyUsers reviewersByName assignments userRoles owners shareWith votes labels byPerson'
    .split(' ')
    .map((holder): [string, WrittenCall[]] => [
      `a member of "${holder}"`,
      [{ ...publish, body: { [holder]: { [word]: true } } }],
    ]),
  [
    'a member in brackets, in a form',
    [{ ...publish, entry: { request: formOf(`roles%5B${word}%5D=editor`) } }],
  ],
  ['somebody who approved it, as a choice', [{ ...publish, body: { approvedBy: word, scope: word } }]],
  ['a value of any name, as a choice', [{ ...publish, body: { harbour: word, scope: word } }]],
  [
    'an owner in an answer, in a path',
    [
      { path: '/tenant/things', data: { list: [{ owner: word }] } },
      { path: `/tenant/things/of/${word}/view` },
    ],
  ],
  ['a typed title, after a dot in a path', [typed, { path: `/tenant/exports/7.${word}` }]],
  [
    'an identifier of an answer, anywhere in a path',
    [
      { ...created, data: { siteId: word } },
      { method: 'POST', path: `/s/${word}/publish` },
    ],
  ],
  [
    'somebody with a role, as a choice',
    [{ ...publish, body: { roles: { [word]: 'editor' }, owner_type: word } }],
  ],
])('%s, is shown nowhere', ([, calls]) => {
  const { operations } = learn([{ ...created, body: {} }, ...calls]);
  expect(JSON.stringify(operations).toLowerCase()).not.toContain('walpurga');
});

test.for<[string, string]>([
  ['Kranichwiese Pension', 'kranichwiesePension'],
  ['Kranichwiese Pension', 'pensionKranichwiese'],
  ['Kranichwiese Pension', 'kranichwiese'],
  ['Kranichwiese Pension', 'with_kranichwiese'],
  ['Kranichwiese Pension', 'xkranichwiesex'],
  ['Möwenzähler', 'moewenzaehler'],
  ['Möwenzähler', 'mowenzahler'],
  ['Strauß', 'strauss'],
  ['Conceição', 'conceicao'],
  ['Łukasz', 'lukasz'],
  ["O'Grady", 'ogrady'],
  ['Журавль', 'журавль'],
  ['Земляника Лесная', 'zemlyanika'],
  ['Земляника Лесная', 'zemljanika-lesnaja'],
  ['Одуванчик Полевой', 'oduvanchik'],
  ['Їжакова Криниця', 'yizhakova'],
  ['Хрущёв', 'khrushchev'],
  ['Щербаков', 'scherbakov'],
  ['Κουκουβάγια', 'koukouvagia'],
  ['小芳饺子馆', '饺子馆'],
  ['apollonia@kranichfeld.example', 'apollonia'],
  ['apollonia@kranichfeld.example', 'kranichfeld.example'],
])('of the name %s, %s is shown nowhere', ([name, part]) => {
  const calls = [
    { ...created, body: { name } },
    { ...publish, body: { scope: part, meta: { [part]: true } } },
    { path: `/tenant/things/~${part}/view`, data: { [part]: { id: 7 } } },
    { path: `/tenant/exports/${part}.zip` },
  ];
  const { operations, notes } = learn(calls);
  const shown = [JSON.stringify(operations), ...digestOfRecording(operations), ...notes].join('\n');
  expect(shown.toLowerCase()).not.toContain(part.toLowerCase());
});

test.for(['x-access-code', 'x-auth-key', 'X-Gate', 'x-unlock', 'x-staging-auth'])(
  'a word that the header %s carries is shown nowhere',
  (name) => {
    const calls = [
      { ...created, headers: { [name]: word } },
      { path: `/areas/${word}/menu` },
      { ...publish, body: { kind: word, meta: { [word]: 1 } } },
    ];
    expect(JSON.stringify(learn(calls).operations)).not.toContain(word);
  },
);

test.for(['walpurga@mohnblume.example', 'walpurga%40mohnblume.example'])(
  'the words of the address %s in a path are shown nowhere',
  (address) => {
    const calls = [
      { method: 'POST', path: `/verify-email/${address}` },
      { path: `/users/${word}/avatar` },
      { ...publish, body: { kind: 'mohnblume' } },
    ];
    expect(JSON.stringify(learn(calls).operations)).not.toMatch(/walpurga|mohnblume/);
  },
);

const linkWords = ['brave-turtle-picnic', 'sunny.cobbler.anvil', 'quietlanternharbor'];
const leading =
  'invites invitation reset reset-password auth/magic verify share preview confirm activate join unsubscribe s t';

test.for(leading.split(' '))('what follows %s in a path is a parameter, and shown nowhere', (before) => {
  const calls = linkWords.flatMap((link) => [
    { path: `/${before}/${link}/accept` },
    { ...publish, body: { kind: link } },
  ]);
  const shown = JSON.stringify(learn(calls).operations);
  expect(linkWords.filter((link) => shown.includes(link))).toEqual([]);
});

test.for(['/invites/accept', '/share/settings', '/verify/email', '/s/sites'])('the path %s stays', (path) => {
  expect(learn([created, { path }]).operations[1]?.path).toBe(path);
});

test.for(['garden', 'menus', 'zemlya'])('%s is not taken for a Latin form of another word', (text) => {
  const calls = [{ ...created, body: { name: 'Земляника Меню' } }, { path: `/areas/${text}/view` }];
  expect(learn(calls).operations[1]?.path).toBe(`/areas/${text}/view`);
});

test.for(['accept-language', 'x-client', 'x-request-id', 'x-lang'])(
  'a word that the header %s carries may be one of a path',
  (name) => {
    const calls = [{ ...created, headers: { [name]: 'garden' } }, { path: '/areas/garden/menu' }];
    expect(learn(calls).operations[1]?.path).toBe('/areas/garden/menu');
  },
);

const elsewhere = 'https://login.example.org/form';
const redirected = { status: 302, headers: [], content: {} };

test.for<[string, Record<string, unknown>]>([
  [
    'a login elsewhere that redirects',
    { request: formOf('user=mei&password=kornblume', elsewhere), response: redirected },
  ],
  [
    'a login that is no JSON',
    { request: formOf('user=mei&password=kornblume', elsewhere), response: { status: 200, headers: [] } },
  ],
  [
    'a message of a WebSocket',
    {
      _resourceType: 'websocket',
      _webSocketMessages: [{ type: 'send', data: JSON.stringify({ password: 'kornblume' }) }],
      request: { method: 'GET', url: 'wss://live.example.com/' },
    },
  ],
])('a password in %s is shown nowhere', ([, entry]) => {
  const body = { scope: 'kornblume', meta: { kornblume: true } };
  const { operations } = learn([created, { path: '/', entry }, { ...publish, body }]);
  expect(operations.length).toBe(2);
  expect(JSON.stringify(operations)).not.toContain('kornblume');
});

function formOf(text: string, url = 'https://api.example.com/api/v1/tenant/sites/1001/publish') {
  return { method: 'POST', url, postData: { mimeType: 'application/x-www-form-urlencoded', text } };
}

const hidden = 'lavendelblauer';
const inJson = JSON.stringify({ login: { password: hidden }, page: { title: word } });
const asXml = `<login kind="a"><password><![CDATA[${hidden}]]></password><title>${word}</title></login>`;

test.for<[string, string, string]>([
  ['JSON in a text', 'application/json', JSON.stringify({ payload: inJson })],
  ['base64 of JSON', 'application/json', JSON.stringify({ data: Buffer.from(inJson).toString('base64') })],
  ['a form in a text', 'application/json', JSON.stringify({ raw: `password=${hidden}&title=${word}` })],
  [
    'GraphQL',
    'application/json',
    JSON.stringify({ query: `mutation { a(password: "${hidden}", title: "${word}") { id } }` }),
  ],
  ['XML', 'application/xml', asXml],
  ['lines', 'text/plain', `password: ${hidden}\ntitle: ${word}\n`],
])('what stands in %s is known as a secret, or as typed', ([, mimeType, text]) => {
  const url = 'https://api.example.com/api/v1/tenant/run';
  const sent = { path: '', entry: { request: { method: 'POST', url, postData: { mimeType, text } } } };
  const echoes = [hidden, word].flatMap((one): WrittenCall[] => [
    { path: `/tenant/${one}/view` },
    { ...publish, body: { scope: one, meta: { [one]: true } } },
  ]);
  const shown = JSON.stringify(learn([created, sent, ...echoes]).operations);
  expect([hidden, word].filter((one) => shown.includes(one))).toEqual([]);
});

test.for(['王芳', '王小明', 'Bo'])('the short name %s is shown nowhere', (name) => {
  const calls = [
    { ...created, body: { name } },
    { ...publish, body: { notify: { [name]: true }, permissions: { [name]: 'editor' }, scope: name } },
    { ...publish, body: { shared_with: { [name]: true }, approvals: { [name]: true } } },
  ];
  expect(JSON.stringify(learn(calls).operations)).not.toContain(name);
  expect(JSON.stringify(learn(calls.slice(1)).operations)).not.toContain(`${name}"`);
});

test.for<[string, WrittenCall, Record<string, unknown>]>([
  ['a role', { ...created, body: { name: 'Editor' } }, { roles: { editor: true } }],
  ['a state', { ...created, body: { name: 'draft' } }, { state: 'draft' }],
])('%s that is typed as well stays', ([, typing, body]) => {
  const pointers = Object.keys(body).map((name) => `/${name}`);
  const found = learn([typing, { ...publish, body }]).operations[1]?.body ?? [];
  expect(
    found.filter(({ pointer, values }) => pointers.includes(pointer) || (values?.length ?? 0) > 0),
  ).not.toEqual([]);
  expect(found[0]?.isCut).toBeUndefined();
});

test('fields have types, formats, and whether they are always there', () => {
  const create = { method: 'POST', path: '/tenant/hooks' };
  const [operation] = learn([
    { ...create, body: { url: 'https://a.example/', at: '2026-01-01T00:00:00Z', n: 1, tags: ['a'] } },
    { ...create, body: { url: 'https://b.example/', n: null, tags: [] } },
  ]).operations;
  expect(
    operation?.body?.map(({ pointer, types, isRequired, format }) => [pointer, types, isRequired, format]),
  ).toEqual([
    ['', ['object'], true, undefined],
    ['/url', ['string'], true, 'uri'],
    ['/at', ['string'], false, 'date-time'],
    ['/n', ['integer', 'null'], true, undefined],
    ['/tags', ['array'], true, undefined],
    ['/tags/*', ['string'], true, undefined],
  ]);
});

test.for<[Record<string, string>, string | undefined, string]>([
  [{ Authorization: 'Bearer st_0123456789' }, 'session', 'session-token'],
  [{ Authorization: 'Bearer sp_0123456789' }, 'api-key', 'api-key'],
  [{ 'X-Api-Key': 'sp_0123456789' }, 'api-key', 'api-key'],
  [{ Cookie: 'theme=dark; sessionid=0123456789' }, undefined, 'cookie'],
  [{ Cookie: '_ga=GA1.2.3; theme=dark', 'X-CSRF-Token': 'abcdefgh1234' }, 'none', 'none'],
  [{}, 'none', 'none'],
])('a call with %j has the auth %s', ([headers, auth, credential]) => {
  const [, operation] = learn([created, { path: '/tenant/sites', headers }]).operations;
  expect([operation?.auth, operation?.seen?.credentials]).toEqual([auth, [credential]]);
});

test('nobody knows who may call what where the browser left credentials out', () => {
  const { operations, notes } = learn([{ ...created, headers: {} }]);
  expect([operations[0]?.auth, operations[0]?.seen?.credentials]).toEqual([undefined, undefined]);
  expect(notes.join('\n')).toContain('no call carries credentials');
});

test('refused calls and those without a known answer are no operations, and are counted', () => {
  const refused = { code: 40400, message: 'no such site', trace_id: 'a' };
  const { operations, notes } = learn([
    created,
    { path: '/tenant/sites/5', status: 404, answer: refused },
    { path: '/tenant/sites/6', answer: refused },
    { path: '/tenant/sites/7', entry: { response: { status: 200, content: {} } } },
    { method: 'DELETE', path: '/tenant/sites/8', entry: { response: { status: 204, content: {} } } },
    { path: 'https://cdn.example.com/app.js' },
  ]);
  expect(digestOfRecording(operations).map((line) => line.replace(/ +/g, ' '))).toEqual([
    'POST /tenant/sites 200',
    'DELETE /tenant/sites/{siteId} 204',
  ]);
  expect(notes).toEqual([
    '5 calls of https://api.example.com/api/v1, which answers as the service does',
    'left out: 2 calls that the deployment refused',
    "left out: 1 call whose answer is not in the recording, or is not the service's envelope",
    'left out: 1 request to other addresses',
  ]);
});

const plain = { answer: { hello: 1 } };

test.for<[string, WrittenCall[], string | undefined, string]>([
  ['the version', [{ path: 'https://a.example/x/api/v3/sites' }], undefined, 'https://a.example/x/api/v3'],
  ['the login', [{ path: 'https://a.example/rest/auth/tenant/login' }], undefined, 'https://a.example/rest'],
  ['nothing', [{ path: 'https://a.example/sites' }], undefined, 'https://a.example'],
  [
    'the envelope',
    [{ path: 'https://b.example/api/v1/x', ...plain }, { path: 'https://a.example/api/v1/sites' }],
    undefined,
    'https://a.example/api/v1',
  ],
  ['what is given', [{ path: 'https://a.example/api/v1/sites' }], 'https://a.example/', 'https://a.example'],
])('the base address is read from %s', ([, calls, given, want]) => {
  expect(learn(calls, given).baseUrl).toBe(want);
});

test.for<[WrittenCall[], string | undefined, RegExp]>([
  [[{ path: '/x', ...plain }], undefined, /^nothing in the recording answers as the service does/],
  [[], undefined, /^the recording holds no request that was answered/],
  [
    [{ path: '/sites' }],
    'https://other.example/api/v1',
    /^the recording has no call of https:\/\/other\.example\/api\/v1; the calls at https:\/\/api\.example\.com\/api\/v1 answer/,
  ],
  [[{ path: 'https://api.example.com/api/v10/x' }], 'https://api.example.com/api/v1', /has no call of/],
])('a recording without a call of the API is refused: %#', ([calls, baseUrl, want]) => {
  expect(() => learn(calls, baseUrl)).toThrow(want);
});

test('a secret that names a member is in no link either', () => {
  const secret = 'aaaaaa6a';
  const login = { method: 'POST', path: '/auth/tenant/login', headers: {}, body: { password: secret } };
  const named = { path: '/tenant/things', data: { [secret]: { id: 1 }, list: [{ [secret]: 1 }] } };
  const { operations } = learn([created, login, named, { path: `/tenant/things?${secret}=1` }]);
  expect(JSON.stringify(operations)).not.toContain(secret);
});

test('a password with colons is not shown', () => {
  const secret = 'a:9a:aaa';
  const headers = { Authorization: `Basic ${Buffer.from(`mei:${secret}`).toString('base64')}` };
  const { operations } = learn([
    created,
    { path: '/tenant/x', headers },
    { path: `/tenant/things?${secret}=1` },
  ]);
  expect(JSON.stringify(operations)).not.toContain(secret);
});

test('a token in the path of another address is not said', () => {
  const path = 'https://api.example.com/t/9f8e7d6c5b4a39281706f5e4/api/v1/tenant/sites';
  expect(() => learn([{ path, data: {} }], 'https://other.example.com/api/v1')).toThrow(
    'the recording has no call of https://other.example.com/api/v1; the calls at https://api.example.com/t/…/api/v1 answer',
  );
});
