import { expect, test } from 'vitest';
import type { Json } from './json.ts';
import { getAt } from './json-pointer.ts';
import { type Layout, readLayout, writeLayout } from './layout.ts';
import { lazily } from './libraries.ts';
import { type Operation, operationGap, operationsOf, readQuery, writeQuery } from './operations.ts';
import { loadProfile, type Profile, parseProfile } from './profile.ts';
import { resolve } from './resolve.ts';

test('names the gap of each operation', () => {
  const operations = operationsOf(resolve(loadProfile('default'))).filter(({ gap }) => gap !== undefined);
  expect(operations.map(({ id }) => operationGap(id))).toEqual(operations.map(({ gap }) => gap));
});

// The calls, bodies and places of whole profiles are in random-profiles.test.ts.
test('a placeholder that was a body property can stand in the path', () => {
  const text = 'operation.create-site: { method: PUT, path: "/sites/{name}" }';
  const profile = parseProfile(text, 'a.yaml');
  const operation = find(profile, 'createSite');
  expect(operation.request).toBeUndefined();
  expect(operation.parameters.map(({ name, schema }) => [name, getAt(resolve(profile), schema)])).toEqual([
    ['name', { type: 'string', minLength: 1 }],
  ]);
});

test('a login needs its body, and a refresh with one does not', () => {
  expect(find(loadProfile('default'), 'login').request?.required).toBe(true);
  expect(find(loadProfile('always-200-camel-case'), 'refresh').request?.required).toBe(false);
});

const query = 'query: { pageNo: "{page}", "page size": "{page_size}" }';
const paged = lazily(() =>
  parseProfile(`operation.list-sites: { method: GET, path: /s, ${query} }`, 'a.yaml'),
);

test.for([
  ['', {}],
  ['page%20size=007', { page_size: 7 }],
  ['pageNo=-1', { page: -1 }],
  ['pageNo=1.5&page+size=', { page: '1.5', page_size: '' }],
  ['pageNo=1&pageNo=2', { page: 1 }],
  ['page=3&other=4', {}],
] as const)('of the query "%s", %j is read', ([text, want]) => {
  expect(readQuery(find(paged(), 'listSites'), new URLSearchParams(text))).toEqual(want);
});

test.for([
  [{ id: 1 }, ''],
  [{ page: 2, page_size: 10 }, '?pageNo=2&page+size=10'],
] as const)('for %j, the query is "%s"', ([values, want]) => {
  expect(writeQuery(find(paged(), 'listSites'), values)).toBe(want);
});

// Tests of how the mock tells them apart: tell-apart.test.ts and mock/request/pipeline.test.ts.
test('two operations at one method and path are described as one whose request is either', () => {
  const { paths } = resolve(loadProfile('flags-and-cursors'));
  const { post } = paths['/tenant/sites/{siteID}/publish'] as { post: Json };
  expect(post.operationId).toBe('publishSiteOrFailPublish');
  expect(getAt(post, '/requestBody/content/application~1json/schema/oneOf')).toHaveLength(2);
});

test('a status that two operations share has both answers', () => {
  const profile = parseProfile(
    `operation.publish-site: { method: POST, path: /p, body: { mode: a }, version: /data/v }
operation.fail-publish: { method: POST, path: /p, body: { mode: b } }
errors.http-status: always-200`,
    'a.yaml',
  );
  expect(find(profile, 'publishSite').success.schema).toMatch(/\/oneOf\/0\/anyOf\/0$/);
  expect(find(profile, 'publishSite').success.layout.values).toEqual({ version: ['data', 'v'] });
  expect(find(profile, 'failPublish').success.layout.values).toEqual({});
});

test('what a creation does besides is said of it', () => {
  const profile = loadProfile('flags-and-cursors');
  expect(find(profile, 'createContent').also).toEqual(['operation.publish-content']);
  expect(find(profile, 'updateContent').also).toBeUndefined();
  expect(operationsOf(resolve(profile)).map(({ id }) => id)).not.toContain('publishContent');
  expect(JSON.stringify(resolve(profile).paths['/tenant/entries'])).toContain('content.publish follows');
});

test.for([
  ['', 'login', 'none'],
  ['', 'refresh', 'bearer'],
  ['operation.submit-form: { method: POST, path: /f }', 'submitForm', 'none'],
  ['operation.list-sites: { method: GET, path: /s }', 'listSites', 'bearer'],
] as const)('by "%s", where no auth stands, %s takes %s', ([text, id, auth]) => {
  expect(find(parseProfile(text, 'a.yaml'), id).auth).toBe(auth);
});

test.for([
  ['bearer', [{ sessionToken: [] }, { apiKey: [] }]],
  ['session', [{ sessionToken: [] }]],
  ['api-key', [{ apiKey: [] }]],
  ['none', []],
] as const)('an operation with auth: %s takes it', ([auth, security]) => {
  const profile = parseProfile(`operation.list-sites: { method: GET, path: /s, auth: ${auth} }`, 'a.yaml');
  expect(find(profile, 'listSites').auth).toBe(auth);
  expect(getAt(resolve(profile), '/paths/~1s/get/security')).toEqual(security);
});

const layout: Layout = {
  values: { id: ['data', 'a', 'id'], list: ['data', 'list'], total: ['data', 'total'] },
  items: { id: ['identity', 'id'], name: ['name'] },
};

test('a list that the answer does not show is left out', () => {
  const body = {};
  writeLayout({ values: { total: ['total'] }, items: {} }, { list: [{ id: 1 }], total: 1 }, body);
  expect(body).toEqual({ total: 1 });
});

test.for([
  [undefined, {}],
  ['text', {}],
  [{ data: null }, {}],
  [{ data: { a: { id: null }, list: 'none' } }, { id: null, list: 'none' }],
  [{ data: { list: [1, null, { name: 'x' }] } }, { list: [{}, {}, { name: 'x' }] }],
] as const)('of the answer %j, %j is read', ([body, want]) => {
  expect(readLayout(layout, body)).toEqual(want);
});

function find(profile: Profile, id: string): Operation {
  return operationsOf(resolve(profile)).find((operation) => operation.id === id) ?? expect.fail(`no ${id}`);
}
