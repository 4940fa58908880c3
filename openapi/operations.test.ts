import { expect, test } from 'vitest';
import type { Json } from './json.ts';
import { getAt } from './json-pointer.ts';
import { type Layout, readLayout, writeLayout } from './layout.ts';
import { type Operation, operationGap, operationsOf, readQuery } from './operations.ts';
import { loadProfile, type Profile, parseProfile } from './profile.ts';
import { resolve } from './resolve.ts';

test('names the gap of each operation', () => {
  const operations = operationsOf(resolve(loadProfile('default'))).filter(({ gap }) => gap !== undefined);
  expect(operations.map(({ id }) => operationGap(id))).toEqual(operations.map(({ gap }) => gap));
});

// random-profiles.test.ts tests the calls, bodies and places of whole profiles.
test('a placeholder of the body can be in the path', () => {
  const text = 'operation.create-site: { method: PUT, path: "/sites/{name}" }';
  const profile = parseProfile(text, 'a.yaml');
  const operation = find(profile, 'createSite');
  expect(operation.request).toBeUndefined();
  expect(operation.parameters.map(({ name, schema }) => [name, getAt(resolve(profile), schema)])).toEqual([
    ['name', { type: 'string', minLength: 1 }],
  ]);
});

test('a login requires its body, and a refresh with one does not', () => {
  expect(find(loadProfile('default'), 'login').request?.required).toBe(true);
  expect(find(loadProfile('always-200-camel-case'), 'refresh').request?.required).toBe(false);
});

const query = 'query: { pageNo: "{page}", "page size": "{page_size}" }';
const paged = `operation.list-sites: { method: GET, path: /s, ${query} }`;

test.for([
  ['', {}],
  ['page%20size=007', { page_size: 7 }],
  ['pageNo=-1', { page: -1 }],
  ['pageNo=1.5&page+size=', { page: '1.5', page_size: '' }],
  ['pageNo=1&pageNo=2', { page: 1 }],
  ['page=3&other=4', {}],
] as const)('reads the query "%s" as %j', ([text, want]) => {
  const operation = find(parseProfile(paged, 'a.yaml'), 'listSites');
  expect(readQuery(operation, new URLSearchParams(text))).toEqual(want);
});

// tell-apart.test.ts and mock/request/pipeline.test.ts test how they are distinguished.
test('describes two operations with one method and path as one with either request', () => {
  const { paths } = resolve(loadProfile('flags-and-cursors'));
  const { post } = paths['/tenant/sites/{siteID}/publish'] as { post: Json };
  expect(post.operationId).toBe('publishSiteOrFailPublish');
  expect(getAt(post, '/requestBody/content/application~1json/schema/oneOf')).toHaveLength(2);
});

test('a shared status has the answers of both operations', () => {
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

test('describes what else a creation does', () => {
  const profile = loadProfile('flags-and-cursors');
  expect(find(profile, 'createContent').also).toEqual(['operation.publish-content']);
  expect(find(profile, 'updateContent').also).toBeUndefined();
  expect(operationsOf(resolve(profile)).map(({ id }) => id)).not.toContain('publishContent');
  expect(JSON.stringify(resolve(profile).paths['/tenant/entries'])).toContain('pushes content.publish');
});

test.for([
  ['', 'login', 'none'],
  ['', 'refresh', 'bearer'],
  ['operation.submit-form: { method: POST, path: /f }', 'submitForm', 'none'],
  ['operation.list-sites: { method: GET, path: /s }', 'listSites', 'bearer'],
] as const)('without auth, "%s" makes %s accept %s', ([text, id, auth]) => {
  expect(find(parseProfile(text, 'a.yaml'), id).auth).toBe(auth);
});

test.for([
  ['bearer', [{ sessionToken: [] }, { apiKey: [] }]],
  ['session', [{ sessionToken: [] }]],
  ['api-key', [{ apiKey: [] }]],
  ['none', []],
] as const)('auth: %s makes an operation accept it', ([auth, security]) => {
  const profile = parseProfile(`operation.list-sites: { method: GET, path: /s, auth: ${auth} }`, 'a.yaml');
  expect(find(profile, 'listSites').auth).toBe(auth);
  expect(getAt(resolve(profile), '/paths/~1s/get/security')).toEqual(security);
});

const layout: Layout = {
  values: { id: ['data', 'a', 'id'], list: ['data', 'list'], total: ['data', 'total'] },
  items: { id: ['identity', 'id'], name: ['name'] },
};

test('omits a list that is not in the answer', () => {
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
] as const)('reads the answer %j as %j', ([body, want]) => {
  expect(readLayout(layout, body)).toEqual(want);
});

function find(profile: Profile, id: string): Operation {
  return operationsOf(resolve(profile)).find((operation) => operation.id === id) ?? expect.fail(`no ${id}`);
}
