import { expect, test } from 'vitest';
import type { Json } from '../../../openapi/json.ts';
import { describe, jsonBody } from '../testing/sketch-description.ts';
import { describeOperations } from './describe-operations.ts';
import { parseDescription } from './read.ts';

const nothing = { get: { responses: {} } };

const servers = (...urls: string[]) => ({ servers: urls.map((url) => ({ url })) });
const filled = {
  url: '{host}/{base}',
  variables: { host: { default: 'https://h' }, base: { default: 'api/v1' } },
};

test.for<[what: string, head: object, path: string, basePath: string | undefined, isElsewhere?: boolean]>([
  ['the version in the server', servers('https://h/api/v1'), '/sites', undefined],
  ['the version in the paths', servers('https://h'), '/api/v1/sites', undefined],
  ['half of it in each', servers('/api'), '/v1/sites', undefined],
  ['the version in both by mistake', servers('/api/v1/'), '/api/v1/sites', undefined],
  ['a gateway before it', servers('https://h/gw/api/v1'), '/sites', '/api/v1'],
  ['a gateway that adds the beginning', {}, '/v1/sites', '/api/v1'],
  ['no version anywhere', {}, '/sites', '/api/v1'],
  ['variables in the server', { servers: [filled] }, '/sites', undefined],
  ['the server that fits', servers('https://h/old', 'https://h/x/api/v1'), '/sites', '/x/api/v1'],
  [
    'the base path of version 2',
    { openapi: undefined, swagger: '2.0', basePath: '/api/v1' },
    '/sites',
    undefined,
  ],
  ['another service', servers('/admin-api'), '/sites', '/api/v1', true],
  ['credentials in the server', servers('https://ada:pa/ss@h/x@y'), '/sites', ''],
  ['credentials without a scheme', servers('ada:pass@h'), '/sites', ''],
  ['credentials in an odd address', servers(' https:\\\\ada:pass@h'), '/sites', ''],
  ['credentials in the base path', { swagger: '2.0', basePath: '{scheme}://ada:pass@h' }, '/sites', ''],
  ['a port', servers('h:8080/api/v1'), '/sites', undefined],
])('finds the path below the base URL: %s', ([, head, path, basePath, isElsewhere]) => {
  const reason = 'the base URL does not end in the path of its server';
  const [one] = describe({ ...head, paths: { [path]: nothing } }, basePath);
  expect([one?.path, one?.doubts]).toEqual(['/sites', isElsewhere ? [reason] : []]);
});

test('omits paths of another version', () => {
  const found = describe({
    paths: { '/api/v1/sites': nothing, '/api/v2/sites': nothing, '/health': nothing },
  });
  expect(found.map(({ path }) => path)).toEqual(['/sites']);
});

test('reads parameters, body and answers of version 2.0', () => {
  const site = { id: { type: 'integer', readOnly: true }, name: { type: 'string' } };
  const session = [{ session: [] }];
  const post = {
    ...{ operationId: 'createSite', deprecated: true, security: session, summary: 'Create', tags: ['sites'] },
    parameters: [{ in: 'body', name: 'x', schema: { $ref: '#/definitions/Site' } }],
    responses: { 201: { schema: { $ref: '#/definitions/ApiResponse«Site»' } } },
  };
  const [one] = describe({
    openapi: undefined,
    swagger: '2.0',
    securityDefinitions: { apiKey: { type: 'apiKey' }, session: { type: 'oauth2' } },
    paths: { '/sites': { parameters: [{ name: 'lang', in: 'query', type: 'string', enum: ['zh'] }], post } },
    definitions: {
      Site: { type: 'object', required: ['name'], properties: site },
      'ApiResponse«Site»': {
        properties: { code: { type: 'integer' }, data: { $ref: '#/definitions/Site' } },
      },
    },
  });
  expect(one).toMatchObject({ id: 'createSite', auth: 'session', isDeprecated: true, texts: ['Create'] });
  expect(one?.query).toMatchObject([{ pointer: '/lang', allowed: ['zh'] }]);
  expect(one?.body).toMatchObject([{ pointer: '' }, { pointer: '/name', isRequired: true }]);
  expect(one?.answers[0]?.body?.map(({ pointer }) => pointer)).toContain('/data/id');
});

test('merges inherited and alternative schemas, and follows circles once', () => {
  const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
  const node = { parent: ref('Node'), list: { type: 'array', items: ref('Base') } };
  const schemas = {
    Base: { type: 'object', properties: { id: { type: ['integer', 'null'] } } },
    Node: { allOf: [ref('Base'), { properties: node }] },
    Loop: ref('Loop'),
  };
  const oneOf = [{ properties: { title: { type: 'string' } }, required: ['title'] }, ref('Base')];
  const said = (schema: object) => ({ content: { 'application/vnd.api+json': { schema } } });
  const post = {
    requestBody: said({ oneOf }),
    responses: { 200: said(ref('Node')), 202: said(ref('Loop')) },
  };
  const [one] = describe({ openapi: '3.1.0', paths: { '/nodes': { post } }, components: { schemas } });
  const pointers = one?.body?.map(({ pointer, isRequired }) => `${pointer} ${isRequired}`);
  expect(pointers).toEqual([' true', '/title false', '/id false']);
  const [answer, loop] = one?.answers ?? [];
  expect(answer?.body?.map(({ pointer }) => pointer)).toEqual(
    expect.arrayContaining(['/id', '/parent', '/list/*/id']),
  );
  expect(loop?.body).toBeUndefined();
});

test.for(['/sites/{id}:publish:', '"/sites/{id}:publish" :'])('finds the line of %s', (key) => {
  const text = `openapi: 3.0\ninfo: {}\npaths:\n  ${key}\n    post: {}\n\n`;
  const source = { name: 'api.yaml', text, basePath: undefined };
  expect(describeOperations(parseDescription(text, 'api.yaml'), source)[0]?.place).toBe('line 4 of api.yaml');
});

test('reads the credentials and required headers of a call', () => {
  const tenant = { in: 'header', name: 'X-Tenant', required: true };
  const usual = { ...tenant, name: 'Authorization' };
  const get = { ...nothing.get, parameters: [tenant, usual] };
  const [one, open] = describe({ paths: { '/a': { get }, '/b': { get: { security: [] } } } });
  expect(one).toMatchObject({ auth: undefined, doubts: ['requires the header X-Tenant'] });
  expect(open).toMatchObject({ auth: 'none', doubts: [] });
});

test.for([
  'schemas/site.yaml#/Site',
  'file:///etc/passwd',
  'http://127.0.0.1:9/api.yaml#/Site',
  'https://ada:hunter2@h/a.yaml?key=hunter2',
])('follows no reference to %s, and shows no part of it', (reference) => {
  const get = { responses: { 200: jsonBody({ $ref: reference }) } };
  const message = 'api refers to other files; bundle it into one file first: npx @redocly/cli bundle';
  expect(() => describe({ paths: { '/sites': { get } } })).toThrow(message);
});

const aliases = Array.from({ length: 30 }, (_, i) => `c${i}: &c${i} [*c${i - 1},*c${i - 1}]`).slice(1);
const manyPaths = Array.from({ length: 20_000 }, (_, i) => `"/p${i}":{"get":{}}`);

test.for([
  ['an empty object', '{}', /is not an OpenAPI description: it has neither "openapi" nor "swagger"$/],
  ['another version', '{"openapi":"9.0.0","paths":{}}', /^api has the version "9\.0\.0"; pass/],
  ['a version of the other name', '{"swagger":"3.0","paths":{}}', /^api has the version "3\.0"; pass/],
  ['a list of paths', '{"openapi":"3.0.0","paths":[]}', /^api has no map "paths"; pass/],
  ['a file of comments', '# openapi: 3.0.0\n', /^api is empty; pass a file in JSON or YAML$/],
  ['a version that is no text', '{"openapi":{"toString":1},"paths":{}}', /not an OpenAPI description/],
  ['a list', '[]', /is not a map/],
  ['an empty file', ' \n', /^api is empty; pass a file in JSON or YAML$/],
  ['a web page', '<!DOCTYPE html><html></html>', /is a web page; pass the URL/],
  ['JSON that is cut off', '{"openapi": "3.0.3", "paths": {"/a":', /^api can't be read as JSON or YAML$/],
  [
    'JSON with a secret',
    '{"a":\n"password": hunter2: [}',
    /^api can't be read as JSON or YAML( at line 2)?$/,
  ],
  ['long JSON', `{"password": hunter2 ${' '.repeat(200_000)}`, /^api can't be read as JSON or YAML$/],
  ['an alias of nothing', 'a: *hunter2', /^api can't be read as JSON or YAML$/],
  ['a tab', 'a:\n\tb: 1', /at line 2$/],
  ['many aliases', `c0: &c0 [x,x]\n${aliases.join('\n')}`, /can't be read as JSON or YAML/],
  ['deep nesting', '['.repeat(200_000), /can't be read/],
  ['nesting in a map', `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`, /not an OpenAPI description/],
  ['no paths', '{"openapi":"3.0.0","paths":{}}', /describes no operation/],
  ['too many paths', `{"openapi":"3.0.0","paths":{${manyPaths}}}`, /more than 5000 operations/],
] as const)('refuses %s', ([, text, message]) => {
  const source = { name: 'api', text: '', basePath: undefined };
  expect(() => describeOperations(parseDescription(text, 'api'), source)).toThrow(message);
});

test('reads nested schemas up to a limit', () => {
  let schema: Json = { type: 'object' };
  for (let depth = 0; depth < 100_000; depth++) schema = { allOf: [schema] };
  const post = { requestBody: jsonBody(schema) };
  expect(describe({ paths: { '/sites': { post } } })[0]?.body).toBeUndefined();
});

test('reads a schema with many required fields quickly', () => {
  const names = Array.from({ length: 200_000 }, (_, index) => `p${index}`);
  const schema = { properties: Object.fromEntries(names.map((name) => [name, {}])), required: names };
  const post = { requestBody: jsonBody(schema) };
  expect(describe({ paths: { '/a': { post } } })[0]?.body?.length).toBeGreaterThan(500);
});

test('ignores names of many megabytes', () => {
  const [name, word] = ['id '.repeat(1_000_000), 'aB'.repeat(1_000_000)];
  const parameters = [
    { in: 'query', name, required: true },
    { in: 'header', name, required: true },
  ];
  const schema = { required: [name], properties: { [name]: {}, [word]: {}, title: { type: 'string' } } };
  const requestBody = jsonBody(schema);
  const said = { operationId: word, summary: name, tags: [word], responses: {} };
  const described = describe({ paths: { '/sites': { post: { ...said, parameters, requestBody } } } });
  expect(JSON.stringify(described).length).toBeLessThan(10_000);
  expect(described[0]?.body?.map(({ pointer }) => pointer)).toEqual(['', '/title']);
});

/** Each of 60 schemas contains the next one six times. */
function nested(): Json {
  const schemas = Array.from({ length: 60 }, (_, index) => {
    const next = { $ref: `#/components/schemas/S${index + 1}` };
    return [
      `S${index}`,
      { allOf: [next], oneOf: [next, next], properties: { a: next, b: next, c: next } },
    ] as const;
  });
  return { schemas: Object.fromEntries(schemas) };
}

test.for([
  ['one body', () => ({ $ref: '#/components/schemas/S0' }), undefined],
  [
    'many bodies',
    (i: number) => ({ allOf: [{ $ref: '#/components/schemas/S0' }], title: `${i}` }),
    /too often; pass/,
  ],
] as const)(
  'reads schemas of %s that contain one another quickly, and never follows __proto__',
  ([, schema, want]) => {
    const paths = Array.from({ length: 500 }, (_, index) => {
      return [`/p${index}`, { post: { requestBody: jsonBody(schema(index)) } }] as const;
    });
    const evil = JSON.parse('{"__proto__": {"polluted": true}}');
    const read = () => describe({ paths: { ...Object.fromEntries(paths), ...evil }, components: nested() });
    if (want) expect(read).toThrow(want);
    else expect(read()).toHaveLength(500);
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
  },
);
