import { describe, expect, test } from 'vitest';
import type { Json } from '../../../openapi/json.ts';
import { describeOperations } from './describe-operations.ts';
import { parseDescription } from './parse-description.ts';

const info = { title: 'api', version: '1' };
const nothing = { get: { responses: { 200: { description: 'OK' } } } };

test.for([
  [
    'the version in the server',
    { servers: [{ url: 'https://h/api/v1' }] },
    '/tenant/sites',
    undefined,
    '/tenant/sites',
  ],
  [
    'the version in the paths',
    { servers: [{ url: 'https://h' }] },
    '/api/v1/tenant/sites',
    undefined,
    '/tenant/sites',
  ],
  ['half of it in each', { servers: [{ url: '/api' }] }, '/v1/tenant/sites', undefined, '/tenant/sites'],
  [
    'the version in both, by mistake',
    { servers: [{ url: '/api/v1/' }] },
    '/api/v1/sites',
    undefined,
    '/sites',
  ],
  ['a gateway before it', { servers: [{ url: 'https://h/gw/api/v1' }] }, '/sites', undefined, '/sites'],
  ['a gateway that takes a part away', { servers: [{ url: '/gw/api/v1' }] }, '/sites', '/api/v1', '/sites'],
  [
    'the same, with the version in the path',
    { servers: [{ url: '/gw' }] },
    '/api/v1/sites',
    '/api/v1',
    '/sites',
  ],
  ['a gateway that adds the beginning', {}, '/v1/sites', '/api/v1', '/sites'],
  ['no version anywhere', {}, '/sites', '/api/v1', '/sites'],
  [
    'variables in the server',
    {
      servers: [
        { url: '{host}/{base}', variables: { host: { default: 'https://h' }, base: { default: 'api/v1' } } },
      ],
    },
    '/sites/',
    undefined,
    '/sites/',
  ],
  [
    'the server that fits the base address',
    { servers: [{ url: 'https://h/old' }, { url: 'https://h/x/api/v1' }] },
    '/sites',
    '/x/api/v1',
    '/sites',
  ],
] as const)('finds the path below the base address: %s', ([, head, path, basePath, want]) => {
  const found = describeOperations(
    { openapi: '3.0.0', info, ...head, paths: { [path]: nothing } },
    { name: 'a', text: '', basePath },
  );
  expect(found.map((one) => [one.path, one.elsewhere])).toEqual([[want, undefined]]);
});

test.for([
  ['another version', '/api/v1', '/api/v2'],
  ['another service', '/admin-api', '/api/v1'],
] as const)('doubts paths below %s', ([, server, basePath]) => {
  const found = describeOperations(
    { openapi: '3.0.0', info, servers: [{ url: server }], paths: { '/sites': nothing } },
    { name: 'a', text: '', basePath },
  );
  expect(found.map((one) => [one.path, one.elsewhere])).toEqual([
    ['/sites', `it is described below ${server}, and the base address ends in ${basePath}`],
  ]);
});

test('leaves out what is of another version', () => {
  const paths = { '/api/v1/sites': nothing, '/api/v2/sites': nothing, '/health': nothing };
  const found = describeOperations(
    { openapi: '3.0.0', info, paths },
    { name: 'a', text: '', basePath: undefined },
  );
  expect(found.map(({ path }) => path)).toEqual(['/sites']);
});

test('reads version 2 with its base path, body and answers', () => {
  const description = {
    swagger: '2.0',
    info,
    basePath: '/api/v1',
    securityDefinitions: { apiKey: { type: 'apiKey' }, session: { type: 'oauth2' } },
    paths: {
      '/sites': {
        parameters: [{ name: 'lang', in: 'query', type: 'string', enum: ['zh'] }],
        post: {
          operationId: 'createSite',
          deprecated: true,
          security: [{ session: [] }],
          parameters: [{ in: 'body', name: 'x', schema: { $ref: '#/definitions/Site' } }],
          responses: { 201: { description: 'OK', schema: { $ref: '#/definitions/ApiResponse«Site»' } } },
        },
      },
    },
    definitions: {
      Site: {
        type: 'object',
        required: ['name'],
        properties: { id: { type: 'integer', readOnly: true }, name: { type: 'string' } },
      },
      'ApiResponse«Site»': {
        properties: { code: { type: 'integer' }, data: { $ref: '#/definitions/Site' } },
      },
    },
  };
  const [one] = describeOperations(description, { name: 'a', text: '', basePath: undefined });
  expect(one).toMatchObject({ path: '/sites', id: 'createSite', auth: 'session', isDeprecated: true });
  expect(one?.query.map(({ pointer, allowed }) => [pointer, allowed])).toEqual([['/lang', ['zh']]]);
  expect(one?.body?.map(({ pointer, isRequired }) => [pointer, isRequired])).toEqual([
    ['', true],
    ['/name', true],
  ]);
  expect(one?.answers[0]?.body?.map(({ pointer }) => pointer)).toEqual([
    '',
    '/code',
    '/data',
    '/data/id',
    '/data/name',
  ]);
});

test('joins what is inherited, follows circles once, and tells alternatives of a body apart', () => {
  const schemas = {
    Base: { type: 'object', properties: { id: { type: ['integer', 'null'] } } },
    Node: {
      allOf: [
        { $ref: '#/components/schemas/Base' },
        {
          properties: {
            parent: { $ref: '#/components/schemas/Node' },
            list: { type: 'array', items: { $ref: '#/components/schemas/Base' } },
          },
        },
      ],
    },
    Loop: { $ref: '#/components/schemas/Loop' },
  };
  const body = {
    oneOf: [{ properties: { title: { type: 'string' } } }, { properties: { id: { type: 'integer' } } }],
  };
  const post = {
    requestBody: { content: { 'application/vnd.api+json': { schema: body } } },
    responses: {
      200: { description: '', content: { '*/*': { schema: { $ref: '#/components/schemas/Node' } } } },
      202: { description: '', content: { '*/*': { schema: { $ref: '#/components/schemas/Loop' } } } },
    },
  };
  const found = describeOperations(
    { openapi: '3.1.0', info, paths: { '/nodes': { post } }, components: { schemas } },
    { name: 'a', text: '', basePath: undefined },
  );
  expect(found.map((one) => one.body?.map(({ pointer }) => pointer))).toEqual([
    ['', '/title'],
    ['', '/id'],
  ]);
  const [answer, loop] = found[0]?.answers ?? [];
  expect(answer?.body?.map(({ pointer }) => pointer)).toEqual(
    expect.arrayContaining(['/id', '/parent', '/list/*/id']),
  );
  expect(loop?.body).toBeUndefined();
});

test('says on which line an operation stands', () => {
  const text = [
    'openapi: 3.0.0',
    'info: { title: a, version: "1" }',
    'paths:',
    '  /sites:',
    '    get:',
    '      responses: { 200: { description: OK } }',
    '',
  ].join('\n');
  const [one] = describeOperations(parseDescription(text, 'api.yaml'), {
    name: 'api.yaml',
    text,
    basePath: undefined,
  });
  expect(one?.place).toBe('line 4 of api.yaml');
});

test.for([
  ['  /sites/{id}:publish:', 4],
  ['  "/sites/{id}:publish" :', 4],
  ["  '/sites/{id}:publish':", 4],
  ['  /sites/{id}:archive:\n    post: {}\n  /sites/{id}:publish:', 6],
] as const)('finds the line of the path with a colon in %j', ([key, want]) => {
  const text = `openapi: 3.0.0\ninfo: {}\npaths:\n${key}\n    post: {}\n\n`;
  const source = { name: 'api.yaml', text, basePath: undefined };
  expect(describeOperations(parseDescription(text, 'api.yaml'), source).at(-1)?.place).toBe(
    `line ${want} of api.yaml`,
  );
});

test('takes an object in the query as its members', () => {
  const parameters = [
    {
      in: 'query',
      name: 'page',
      required: true,
      schema: {
        type: 'object',
        required: ['size'],
        properties: { size: { type: 'integer' }, no: { type: 'integer' } },
      },
    },
  ];
  const [one] = describeOperations(
    { openapi: '3.0.0', info, paths: { '/a': { get: { ...nothing.get, parameters } } } },
    { name: 'a', text: '', basePath: undefined },
  );
  expect(one?.query.map(({ pointer, isRequired }) => [pointer, isRequired])).toEqual([
    ['/size', true],
    ['/no', false],
  ]);
});

test('says that an operation takes no credentials only where others say that they do', () => {
  const open = { get: { responses: {} } };
  const closed = { get: { security: [{ bearer: [] }], responses: {} } };
  const authOf = (paths: object) =>
    describeOperations({ openapi: '3.0.0', info, paths }, { name: 'a', text: '', basePath: undefined })[0]
      ?.auth;
  expect(authOf({ '/a': open })).toBeUndefined();
  expect(authOf({ '/a': open, '/b': closed })).toBe('none');
});

test.for([
  ['Only with a session token; API keys are refused.', 'session'],
  ['Create an API key (session only)', 'session'],
  ['仅限登录会话调用', 'session'],
  ['Lists the API keys; those that are refused are marked', 'bearer'],
  ['Ends a session', 'bearer'],
] as const)('reads in %j who may call it', ([description, want]) => {
  const components = { securitySchemes: { session: { type: 'http' }, apiKey: { type: 'apiKey' } } };
  const security = [{ session: [] }, { apiKey: [] }];
  const paths = { '/keys': { post: { description, security, responses: {} } } };
  const source = { name: 'a', text: '', basePath: undefined };
  expect(describeOperations({ openapi: '3.0.0', info, components, paths }, source)[0]?.auth).toBe(want);
});

test('reads a version that YAML without quotes has made a number', () => {
  const root = parseDescription('openapi: 3.0\npaths:\n  /a:\n    get: {}\n', 'a');
  expect(describeOperations(root, { name: 'a', text: '', basePath: undefined })).toHaveLength(1);
});

test.for([
  ['an empty object', '{}', /no OpenAPI description of version 2 or 3/],
  ['another version', '{"openapi":"9.0.0","paths":{}}', /of version "9\.0\.0"; versions 2 and 3 are read/],
  ['a list', '[]', /holds no map/],
  ['a web page', '<!DOCTYPE html><html></html>', /is a web page; give the address/],
  ['broken JSON', `{"a": ${'x'.repeat(200_000)}`, /can't be read as JSON or YAML/],
  [
    'JSON that is cut off',
    '{"openapi": "3.0.3", "paths": {"/a": {"get": ',
    /as JSON or YAML: (Unexpected end of JSON|Expected)/,
  ],
  ['broken YAML', 'a: [', /can't be read as JSON or YAML/],
  [
    'many aliases',
    `a: &a [x,x]\nb: &b [*a,*a]\n${Array.from({ length: 30 }, (_, i) => `c${i}: &c${i} [*${i === 0 ? 'b' : `c${i - 1}`},*${i === 0 ? 'b' : `c${i - 1}`}]`).join('\n')}`,
    /api/,
  ],
  ['deep nesting', '['.repeat(200_000), /nested|can't be read/],
  ['nesting in a map', `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`, /nested/],
  ['no paths', '{"openapi":"3.0.0","paths":{}}', /describes no operation/],
  [
    'too many paths',
    `{"openapi":"3.0.0","paths":{${Array.from({ length: 20_000 }, (_, i) => `"/p${i}":{"get":{}}`).join(',')}}}`,
    /more than 5000 operations/,
  ],
] as const)('refuses %s in a sentence, and soon', ([, text, message]) => {
  const start = performance.now();
  expect(() =>
    describeOperations(parseDescription(text, 'api'), { name: 'api', text, basePath: undefined }),
  ).toThrow(message);
  expect(performance.now() - start).toBeLessThan(15_000);
});

test('takes little time for schemas that hold one another many times, and never follows __proto__', () => {
  const schemas: Record<string, object> = {};
  for (let index = 0; index < 60; index += 1) {
    const next = { $ref: `#/components/schemas/S${index + 1}` };
    schemas[`S${index}`] = {
      type: 'object',
      allOf: [next],
      properties: { a: next, b: next, c: next },
    };
  }
  const values = Array.from({ length: 100_000 }, (_, index) => index);
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/S0' } } };
  const post = {
    requestBody: { content },
    parameters: [{ in: 'query', name: 'x', schema: { enum: values } }],
    responses: { 200: { description: '', content } },
  };
  const paths = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`/p${index}`, { post }]));
  const evil = JSON.parse('{"__proto__": {"polluted": true}}');
  const start = performance.now();
  const found = describeOperations(
    { openapi: '3.0.0', info, paths: { ...paths, ...evil }, components: { schemas } },
    { name: 'a', text: '', basePath: undefined },
  );
  expect(found.length).toBe(200);
  expect(found[0]?.query[0]?.values.length).toBeLessThanOrEqual(50);
  expect(Reflect.get({}, 'polluted')).toBeUndefined();
  expect(performance.now() - start).toBeLessThan(15_000);
});

const shownAnswer = { code: 0, message: 'success', data: { list: [{ id: 7, name: 'x' }], total: 1 } };

test.for<[what: string, version: object, response: object]>([
  ['an example', { openapi: '3.0.0' }, { content: { 'application/json': { example: shownAnswer } } }],
  [
    'an example written as text',
    { openapi: '3.0.0' },
    { content: { 'application/json': { example: JSON.stringify(shownAnswer, null, 2) } } },
  ],
  [
    'a named example',
    { openapi: '3.1.0' },
    { content: { 'application/json': { examples: { usual: { value: shownAnswer } } } } },
  ],
  [
    'an example in a schema that says no more',
    { openapi: '3.0.0' },
    { content: { 'application/json': { schema: { type: 'object', example: shownAnswer } } } },
  ],
  ['an example of version 2', { swagger: '2.0' }, { examples: { 'application/json': shownAnswer } }],
])('reads what is in an answer from %s', ([, version, response]) => {
  const get = { responses: { 200: { description: 'OK', ...response } } };
  const [one] = describeOperations({ ...version, info, paths: { '/sites': { get } } } as Json, {
    name: 'a',
    text: '',
    basePath: undefined,
  });
  const fields = one?.answers[0]?.body?.map(({ pointer, types }) => [pointer, types]);
  expect(fields).toContainEqual(['/data/list', ['array']]);
  expect(fields).toContainEqual(['/data/list/*/id', ['integer']]);
});

const shownBody = { title: 'Hours', body: 'We open at 8' };

test.for([
  ['an example', { example: shownBody }],
  ['a named example', { examples: { usual: { value: shownBody } } }],
  ['an example in a schema that says no more', { schema: { type: 'object', example: shownBody } }],
] as const)('reads from %s what a request may have, and that nothing of it has to be there', ([, media]) => {
  const post = { requestBody: { content: { 'application/json': media } }, responses: {} };
  const [one] = describeOperations(
    { openapi: '3.0.0', info, paths: { '/articles': { post } } },
    { name: 'a', text: '', basePath: undefined },
  );
  expect(one?.body?.map(({ pointer, types, isRequired }) => [pointer, types, isRequired])).toEqual([
    ['', ['object'], true],
    ['/title', ['string'], false],
    ['/body', ['string'], false],
  ]);
});

describe('of long descriptions', { tags: ['nightly'] }, () => {
  test('ends in a sentence where bodies have alternatives of alternatives', () => {
    const schemas: Record<string, object> = {};
    for (let index = 0; index < 60; index += 1) {
      const next = { $ref: `#/components/schemas/S${index + 1}` };
      schemas[`S${index}`] = { oneOf: [next, next], properties: { a: next, b: next, c: next } };
    }
    const content = { 'application/json': { schema: { $ref: '#/components/schemas/S0' } } };
    const post = { requestBody: { content }, responses: {} };
    const paths = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`/p${index}`, { post }]));
    const description = { openapi: '3.0.0', info: {}, paths, components: { schemas } };
    const start = performance.now();
    expect(() => describeOperations(description, { name: 'api', text: '', basePath: undefined })).toThrow(
      'api: its schemas hold one another too often; give the part of it that is about the service',
    );
    expect(performance.now() - start).toBeLessThan(60_000);
  });
});
