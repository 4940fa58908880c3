import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readRequestBody } from './exchange-of-entry.ts';
import { harLimits } from './har-entries.ts';
import { readHar } from './read-har.ts';
import { api, entriesIn, entryOf, harOf, readText } from './testing/write-har.ts';

const calls = [
  { path: '/tenant/sites', data: { list: [] } },
  { path: '/tenant/keys', data: { note: 'a "quoted" \\ text } ]' } },
];

test.for([1, 2, 7, 100_000])('entries are the same in pieces of %i bytes', (length) => {
  const entries = entriesIn(harOf(calls), length);
  expect(entries.map(({ text }) => JSON.parse(text ?? ''))).toEqual(calls.map(entryOf));
  expect(entries.map(({ number, line }) => [number, line])).toEqual([
    [1, 9],
    [2, 36],
  ]);
});

test.for<[string, string]>([
  ['a mark before UTF-8', `\u{feff}${harOf(calls)}`],
  [
    'other members before and behind',
    harOf(calls).replace('"log": {', '"_x": {"entries": [{}]}, "log": {"browser": {"entries": [1]},'),
  ],
  ['statuses as texts', harOf(calls).replaceAll(/"status": (\d+)/g, '"status": "$1"')],
  ['no line ends', JSON.stringify(JSON.parse(harOf(calls)))],
])('a file with %s is read', ([, text]) => {
  expect(readText(text).exchanges.map(({ url }) => url)).toEqual([
    `${api}/tenant/sites`,
    `${api}/tenant/keys`,
  ]);
});

const whole = harOf(calls);

test.for<[string, string]>([
  ['', 'console.har has no list log.entries; is it a recording in the format HAR?'],
  ['<html>', 'console.har is no JSON object, and so no recording in the format HAR'],
  ['[{"log": 1}]', 'console.har is no JSON object, and so no recording in the format HAR'],
  ['{"log": {"pages": []}}', 'console.har has no list log.entries; is it a recording in the format HAR?'],
  ['{"entries": []}', 'console.har has no list log.entries; is it a recording in the format HAR?'],
  [whole.slice(0, 400), 'console.har ends at line 17, within entry 1; save it again'],
  [whole.slice(0, 60), 'console.har ends at line 5, before its end; save it again'],
  [
    '{"log": {"entries": [\n{"password": hunter2}]}}',
    'entry 1 of console.har, at line 2, is no JSON; save it again',
  ],
])('%j is refused with its place, and without its contents', ([text, want]) => {
  expect(() => readText(text)).toThrow(want);
});

test('UTF-16 is refused', () => {
  expect(() => entriesIn(Buffer.from(`\u{feff}${whole}`, 'utf16le'))).toThrow(
    'console.har is UTF-16; save it as UTF-8',
  );
});

test('an entry that is too long is left out, and the others are read', () => {
  const long = { path: '/tenant/media', data: 'x'.repeat(harLimits.entry) };
  const { exchanges, leftOut } = readText(harOf([...calls, long]));
  expect(exchanges.length).toBe(2);
  expect([...leftOut]).toEqual([['longer than 16 MB', 1]]);
});

test('a file is read from a disk', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sitepub-har-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'a.har'), whole);
  expect(readHar(join(folder, 'a.har'), 'a.har').exchanges.map(({ place }) => place)).toEqual([
    'entry 1 of a.har',
    'entry 2 of a.har',
  ]);
  expect(() => readHar(join(folder, 'none.har'), 'none.har')).toThrow('ENOENT');
});

test.for([
  [{ _resourceType: 'websocket' }, 'websocket'],
  [{ response: { status: 101 } }, 'websocket'],
  [{ request: { method: 'OPTIONS', url: api } }, 'preflight'],
  [{ response: { status: 302 } }, 'redirect'],
  [{ response: { status: 0 } }, 'unanswered'],
  [{ response: null }, 'unanswered'],
  [{ response: { status: 'no' } }, 'unanswered'],
  [{ request: { method: 'GET', url: 'data:,' } }, 'not an http request'],
  [{ request: { method: 'GET', url: 'chrome-extension://x/y' } }, 'not an http request'],
  [{ request: {} }, 'not an http request'],
] as const)('an entry with %j is left out as "%s"', ([entry, want]) => {
  expect([...readText(harOf([{ path: '/tenant/sites', entry }])).leftOut]).toEqual([[want, 1]]);
});

const json = { code: 0, message: 'success', trace_id: 'a' };

test.for([
  [{ text: JSON.stringify(json) }, json],
  [{ text: Buffer.from(JSON.stringify(json)).toString('base64'), encoding: 'base64' }, json],
  [{ text: `\u{feff}${JSON.stringify(json)}` }, json],
  [{ text: '<html></html>' }, undefined],
  [{ text: '[['.repeat(100_000) }, undefined],
  [{ text: 17 }, undefined],
  [{}, undefined],
  [undefined, undefined],
])('an answer with the content %j is read', ([content, want]) => {
  const entry = { response: { status: 200, content } };
  expect(readText(harOf([{ path: '/tenant/sites', entry }])).exchanges[0]?.answer).toEqual(want);
});

test.for([
  [{ mimeType: 'application/json', text: '{"a":1}' }, { a: 1 }, 'json'],
  [{ mimeType: 'application/x-www-form-urlencoded', text: 'a=1&b=x%20y' }, { a: '1', b: 'x y' }, 'form'],
  [
    { mimeType: 'application/x-www-form-urlencoded', params: [{ name: 'a', value: '1' }] },
    { a: '1' },
    'form',
  ],
  [{ mimeType: 'multipart/form-data', params: [{ name: 'file', fileName: 'x.zip' }] }, { file: '' }, 'form'],
  [{ mimeType: 'text/plain', text: 'hello' }, undefined, 'other'],
  [{ mimeType: 'application/json', text: '' }, undefined, undefined],
  [null, undefined, undefined],
] as const)('a request with postData %j is read', ([postData, requestBody, bodyType]) => {
  const entry = { request: { method: 'POST', url: `${api}/tenant/sites`, postData } };
  expect(readText(harOf([{ path: '/', entry }])).exchanges[0]).toMatchObject({ requestBody, bodyType });
});

test('integers that a number would round are kept', () => {
  const entry = { response: { status: 200, content: { text: '{"code":0,"data":{"id":9007199254740993}}' } } };
  expect(readText(harOf([{ path: '/tenant/sites', entry }])).exchanges[0]?.answer).toEqual({
    code: 0,
    data: { id: 9007199254740993n },
  });
});

test('exchanges are in the order in which they began', () => {
  const late = { startedDateTime: '2027-01-01T00:00:00Z' };
  const { exchanges } = readText(harOf([{ path: '/tenant/late', entry: late }, { path: '/tenant/early' }]));
  expect(exchanges.map(({ url }) => url)).toEqual([`${api}/tenant/early`, `${api}/tenant/late`]);
});

test('reads the fields of a multipart body, and of a file its name', () => {
  const part = (head: string, value: string) =>
    `--b\r\nContent-Disposition: form-data; ${head}\r\n\r\n${value}\r\n`;
  const text = `${part('name="username"', 'ottokar')}${part('name="password"', 'regen-schirm')}${part('name="f"; filename="a.pdf"', '%PDF')}--b--\r\n`;
  expect(readRequestBody(text, 'multipart/form-data; boundary=b')).toEqual({
    requestBody: { username: 'ottokar', password: 'regen-schirm', file_name: 'a.pdf' },
    bodyType: 'form',
  });
});
