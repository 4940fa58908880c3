import { mkdtempSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseHar, readHar } from './read-har.ts';
import { api, harOf } from './testing/write-har.ts';

const whole = harOf([
  { path: '/tenant/sites', data: { list: [] } },
  { path: '/tenant/keys', data: {} },
]);

test.for([
  ['a byte order mark', `\u{feff}${whole}`],
  [
    'other members',
    whole.replace('"log": {', '"_x": {"entries": [{}]}, "log": {"browser": {"entries": [1]},'),
  ],
  ['statuses as texts', whole.replaceAll(/"status": (\d+)/g, '"status": "$1"')],
  ['methods in small letters', whole.replaceAll('"GET"', '"get"')],
  ['invalid entries', whole.replace('"entries": [', '"entries": [null, 1, {}, [], {"request": 1},')],
] as const)('reads a file with %s', ([, text]) => {
  const urls = parseHar(text, 'console.har').map(({ method, url, status }) => [method, url, status]);
  expect(urls).toEqual([
    ['GET', `${api}/tenant/sites`, 200],
    ['GET', `${api}/tenant/keys`, 200],
  ]);
});

test.for([
  ['', 'console.har is not JSON, so it is not a HAR file; save it again'],
  ['<html>', 'console.har is not JSON, so it is not a HAR file; save it again'],
  ['[{"log": 1}]', 'console.har is not a HAR file: it has no list log.entries'],
  ['{"log": {"pages": []}}', 'console.har is not a HAR file: it has no list log.entries'],
  [whole.slice(0, 400), /^console\.har is not JSON at line \d+, so/],
  ['{"log": {"entries": [\n{"password": hunter2}]}}', /^console\.har is not JSON, so [^2]*$/],
] as const)('refuses %j without quoting it', ([text, want]) => {
  expect(() => parseHar(text, 'console.har')).toThrow(want);
});

test('reads a file of up to 256 MB', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sitepub-har-'));
  const file = join(folder, 'a.har');
  writeFileSync(file, whole);
  expect(readHar(file, 'a.har').map(({ place }) => place)).toEqual(['entry 1 of a.har', 'entry 2 of a.har']);
  truncateSync(file, 268_435_457);
  expect(() => readHar(file, 'a.har')).toThrow(`${file} can't be read (it is longer than 256 MB)`);
  expect(() => readHar(folder, 'none.har')).toThrow(`${folder} can't be read (it is a folder)`);
});

test.for([
  { request: { method: 'OPTIONS', url: api } },
  { request: { method: 'CONNECT', url: 'api.example.com:443' } },
  { request: null },
  { response: { status: 101 } },
  { response: { status: 302 } },
  { response: { status: 0 } },
  { response: { status: { toString: 1 } } },
  { response: null },
])('ignores an entry with %j', (entry) => {
  expect(parseHar(harOf([{ path: '/tenant/sites', entry }]), 'a.har')).toEqual([]);
});

const json = { code: 0, data: { id: 9007199254740993n } };
const text = '{"code":0,"data":{"id":9007199254740993}}';

test.for([
  [{ text }, json],
  [{ text: Buffer.from(text).toString('base64'), encoding: 'base64' }, json],
  [{ text, encoding: 'base64' }, json],
  [{ text: `\u{feff}${text}` }, json],
  [{ text: '<html></html>' }, undefined],
  [{ text: '[['.repeat(100_000) }, undefined],
  [{ text: 17 }, undefined],
  [{ _file: 'a1b2.json' }, undefined],
  [undefined, undefined],
])('reads an answer with the content %j', ([content, want]) => {
  const entry = { response: { status: 200, content } };
  expect(parseHar(harOf([{ path: '/', entry }]), 'a.har')[0]?.answer).toEqual(want);
});

test.for([
  [{ mimeType: 'application/json', text: '{"a":1}' }, { a: 1 }, false],
  [{ mimeType: 'application/json', text: 'eyJhIjoxfQ==', encoding: 'base64' }, { a: 1 }, false],
  [{ mimeType: 'application/x-www-form-urlencoded', text: 'a=1' }, undefined, true],
  [{ mimeType: 'multipart/form-data', params: [{ name: 'a', value: '1' }] }, undefined, true],
  [{ mimeType: 'application/json', text: '', params: [] }, undefined, false],
  [null, undefined, false],
])('reads a request with the body %j', ([postData, body, isOtherBody]) => {
  const entry = { request: { method: 'POST', url: `${api}/tenant/sites`, postData } };
  expect(parseHar(harOf([{ path: '/', entry }]), 'a.har')[0]).toMatchObject({ body, isOtherBody });
});
