import { expect, test } from 'vitest';
import type { Json } from '../../openapi/json.ts';
import { pointersSeen } from './answer.ts';
import { learnOperations } from './learn-operations.ts';
import { describe, jsonBody, sketchOperations } from './testing/sketch-description.ts';

/** `line`: for example "get-site: GET /sites/{id}". */
function learnt(line: string) {
  const [name, sketch = ''] = line.split(': ');
  const { operations } = learnOperations(sketchOperations(sketch), { given: {} });
  return operations.find(({ gap }) => gap.id === `operation.${name}`);
}

test.for([
  ['its name', 'get-site: GET /sites/{siteId}', '/sites/{siteID}', []],
  ['the part before it', 'get-site: GET /websites/{uuid}', '/websites/{siteID}', []],
  [
    'the name of that part',
    'get-content: GET /sites/{id}/articles/{article_id}',
    '/sites/{siteID}/articles/{contentID}',
    [],
  ],
  ['the form', 'submit-form: POST /forms/{slug} body fields*:object', '/forms/{form}', []],
  [
    'nothing',
    'delete-site: DELETE /sites/{parentId}',
    '/sites/{parentId}',
    ['no value is known for {parentId}', 'takes no siteID'],
  ],
  [
    'the id of a publish, which may not be its version',
    'get-publish: GET /sites/{id}/deploys/{deploy_id} answer state',
    '/sites/{siteID}/deploys/{version}',
    ['the source does not say whether {deploy_id} is {version}'],
  ],
] as const)('fills a parameter by %s', ([, line, path, doubts]) => {
  expect(learnt(line)).toMatchObject({ value: { path }, doubts });
});

test.for([
  [
    'identifiers',
    'update-content: POST /article/update body id*:integer siteId*:integer articleTitle* body',
    { id: '{contentID}', siteId: '{siteID}', articleTitle: '{title}', body: '{text}' },
  ],
  ['members of objects', 'create-site: POST /sites body site*{name}', { site: { name: '{name}' } }],
  [
    'the only possible value',
    'create-site: POST /sites body name* kind*=plain',
    { name: '{name}', kind: 'plain' },
  ],
  [
    'pages',
    'list-sites: POST /sites/list body pageNo pageSize',
    { pageNo: '{page}', pageSize: '{page_size}' },
  ],
  [
    'no cursor without one in the answer',
    'list-sites: POST /sites/list body cursor limit answer list[id]',
    {},
  ],
] as const)('fills a body with %s', ([, line, body]) => {
  expect(learnt(line)?.value?.body).toEqual(body);
});

test.for([
  [
    'the query of a GET',
    'list-contents: GET /articles query site_id* page answer list[id]',
    { query: { site_id: '{siteID}', page: '{page}' } },
  ],
  [
    'a cursor and the pointer to the next one',
    'list-sites: GET /sites query cursor answer list[id] next_cursor',
    { query: { cursor: '{cursor}' }, next: '/data/next_cursor' },
  ],
  ['a nested part', 'list-sites: GET /sites answer list[id] paging{total}', { total: '/data/paging/total' }],
  [
    'the only list',
    'list-sites: GET /sites answer websites[id,name] count:integer',
    { list: '/data/websites', total: '/data/count', 'item.id': '/id', 'item.name': '/name' },
  ],
  [
    'names of an object',
    'get-site: GET /sites/{id} answer site{site_id,site_name}',
    { id: '/data/site/site_id', name: '/data/site/site_name' },
  ],
  [
    'a key by its likeliest name',
    'create-key: POST /api-keys body name* answer id plaintext',
    { id: '/data/id', key: '/data/plaintext' },
  ],
] as const)('states %s', ([, line, want]) => {
  expect(learnt(line)).toMatchObject({ isCertain: true, value: want });
});

test.for([
  [
    'values of another resource',
    'get-site: GET /sites/{id} answer id owner{name,id} published_deploy{site_id,version}',
    { id: '/data/id' },
  ],
  ['an ambiguous identifier', 'get-site: GET /sites/{id} answer uuid id name', { name: '/data/name' }],
  [
    'a list in an answer about one resource',
    'get-site: GET /sites/{id} answer id domains[id,name]',
    { id: '/data/id' },
  ],
] as const)('omits %s', ([, line, want]) => {
  const { method: _, path: __, ...pointers } = learnt(line)?.value ?? {};
  expect(pointers).toEqual(want);
});

test.for([
  [
    'two identifiers',
    'create-site: POST /sites body name* answer id site_id',
    'the answer has both /data/site_id and /data/id',
  ],
  [
    'two keys',
    'create-key: POST /api-keys body name* answer id key secret',
    'the answer has both /data/key and /data/secret',
  ],
  [
    'an answer without a version',
    'publish-site: POST /sites/{id}/deploys answer id state',
    'the answer has no version',
  ],
  [
    'an ambiguous identifier in the query',
    'get-publish: GET /site/publish/detail query site_id* publish_id* answer state',
    'the source does not say whether /publish_id is {version}',
  ],
] as const)('doubts a call with %s', ([, line, doubt]) => {
  expect(learnt(line)?.doubts).toEqual([doubt]);
});

test.for<[member: object, value: unknown]>([
  [{ const: 'ada' }, 'ada'],
  [{ enum: ['fast', 'slow'], default: 'fast' }, 'fast'],
  [{ type: 'boolean', default: false }, false],
  [{ default: 'plain' }, 'plain'],
  [{ default: 'ada@mail.example' }, undefined],
  [{ default: 13_800_138_000 }, undefined],
  [{ enum: ['fast', 'slow'], default: 'ada' }, undefined],
  [{ enum: ['x'.repeat(101)] }, undefined],
  [{ const: { toString: 1 } }, undefined],
])('sends the other required field %j as %j', ([member, value]) => {
  const properties = { name: { type: 'string' }, mode: member };
  const schema = { type: 'object', required: ['name', 'mode'], properties };
  const post = { requestBody: jsonBody(schema), responses: {} };
  const { operations } = learnOperations(describe({ paths: { '/sites': { post } } }), { given: {} });
  expect(operations[0]?.value?.body).toEqual({ name: '{name}', ...(value !== undefined && { mode: value }) });
  expect(operations[0]?.doubts).toEqual(value === undefined ? ['no value is known for /mode'] : []);
});

test.for<[what: string, said: Json]>([
  ['the whole answer', { type: 'array', items: { properties: { id: {} } } }],
  ['data itself', { properties: { code: {}, data: { type: 'array', items: { properties: { id: {} } } } } }],
])('doubts a list that is %s, and reads nothing of it', ([what, schema]) => {
  const get = { responses: { 200: jsonBody(schema) } };
  const [, one] = learnOperations(describe({ paths: { '/sites': { get } } }), { given: {} }).operations;
  expect(one).toMatchObject({
    value: { method: 'GET', path: '/sites' },
    doubts: [`the list is ${what}, where checks cannot read it`],
  });
  expect(one?.value).not.toHaveProperty('item.id');
});

const sites = [{ site_id: 1, site_name: 'Café' }];
const pointers = { 'item.id': '/site_id', 'item.name': '/site_name' };

test.for<[data: object, want: object]>([
  [{ websites: sites }, { list: '/data/websites', ...pointers }],
  [{ 'ada@mail.example': sites }, {}],
  [{ list: [{ ...sites[0], ada: { name: 'x' } }] }, { list: '/data/list', ...pointers }],
])('finds in the answer data %j the pointers %j', ([data, want]) => {
  expect(pointersSeen('operation.list-sites', { code: 0, message: '', data, trace_id: '' })).toEqual(want);
});
