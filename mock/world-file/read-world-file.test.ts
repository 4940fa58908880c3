import { readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { makeFolder } from '../testing/started-mock.ts';
import { createSeeded } from '../world/testing.ts';
import type { WorldSeed } from '../world/world-seed.ts';
import { readWorldFile } from './read-world-file.ts';
import { checkWorldSeed, WorldFileError } from './validate-seed.ts';

const tenant = 'known: name, users, api_keys, sites';
const someText = 'a text of at least one character';
const tagged = 'tags (starting with "!") are not supported; put a text that starts with "!" in quotes';
const users = (text: string) => `tenants: [{ name: A, users: [${text}] }]`;
const keys = (text: string) => `tenants: [{ name: A, api_keys: [${text}] }]`;
const sites = (text: string) => `tenants: [{ name: A, sites: [${text}] }]`;
const subscriptions = (text: string) => sites(`{ name: S, subscriptions: [{ ${text} }] }`);

/** The first mistake of each file, with its line. */
const refused: Record<string, string> = {
  // The file as a whole
  '': '1: the file is empty; expected a map with "tenants"',
  'Harbour Café': '1: expected a map with "tenants"; it is a text',
  '{}': '1: tenants: is missing; expected a list of tenants',
  'tenants:': '1: tenants: expected a list of tenants; it is null',
  'tenants: []': '1: tenants: is empty; expected at least one',
  // Members
  'tenants:\n  - users: []': `2: tenants[0].name: is missing; expected ${someText}`,
  'tenants:\n  - name: A\n    sitess: []': `3: tenants[0]: there is no member "sitess"; did you mean "sites"? (${tenant})`,
  'tenants: [{ name: A }]\n__proto__: { tenants: [] }': '2: there is no member "__proto__" (known: tenants)',
  '{\n\t"tenants": [\n\t\t{ "name": "A", "__proto__": 1 }\n\t]\n}': `3: tenants[0]: there is no member "__proto__" (${tenant})`,
  // Values
  'tenants: [{ name: "" }]': `1: tenants[0].name: expected ${someText}; it is ""`,
  [sites('{ name: S, version: -1 }, { name: T, version: 1000000001 }')]:
    '1: tenants[0].sites[0].version: expected a whole number from 0 to 1000000000; it is -1\nacme.yaml:1: tenants[0].sites[1].version: expected a whole number from 0 to 1000000000; it is 1000000001',
  [sites('{ name: S, contents: [{ title: C, published: yes }] }')]:
    '1: tenants[0].sites[0].contents[0].published: expected true or false; it is "yes"',
  [sites('{ name: S, submissions: [{ form: F, fields: [] }] }')]:
    '1: tenants[0].sites[0].submissions[0].fields: expected a map; it is a list',
  [subscriptions('url: "https://x.example", events: [], channel: slack')]:
    '1: tenants[0].sites[0].subscriptions[0].channel: expected one of custom, wecom, dingtalk, feishu; it is "slack"',
  [subscriptions('url: "https://x.example", events: [publish.done], channel: custom')]:
    '1: tenants[0].sites[0].subscriptions[0].events[0]: expected one of content.publish, content.update, content.delete, form.submit, comment.created, publish.complete, publish.failed; it is "publish.done"',
  [keys('{}, {}, {}, {}, {}, {}')]: '1: tenants[0].api_keys: there are 6; expected at most 5',
  // Duplicates
  'tenants:\n  - name: A\n  - name: A':
    '3: tenants[1].name: this tenant name is already used at tenants[0].name; each must be unique',
  [users('{ username: u, password: p },\n  { username: u, password: q }')]:
    '2: tenants[0].users[1].username: this username is already used at tenants[0].users[0].username; each must be unique',
  [sites('{ name: S, comments: &c [{ id: 1, author: B, text: x }] },\n  { name: T, comments: *c }')]:
    '1: tenants[0].sites[1].comments[0].id: this comment id is already used at tenants[0].sites[0].comments[0].id; each must be unique',
  // YAML
  'tenants: [{ name: A,\n  name: B }]': '2: name appears here a second time; remove one of the two',
  'tenants: &t\n  - *t':
    '2: an alias (starting with "*") refers to a value that contains it; put a text that starts with "*" in quotes',
  // One mistake is reported once.
  '- a\nb: 1': "2: the YAML can't be read: Unexpected scalar at node end",
};

test.for(Object.entries(refused))('refuses %j', ([text, want]) => {
  expect(messageOf(text)).toBe(`acme.yaml:${want}`);
});

test('reports several mistakes in the order of their lines', () => {
  expect(messageOf('extra: 1\ntenants:\n  - name: 1\n    sites: {}\n  - {}')).toBe(
    [
      'acme.yaml:1: there is no member "extra" (known: tenants)',
      `acme.yaml:3: tenants[0].name: expected ${someText}; it is 1; put it in quotes`,
      'acme.yaml:4: tenants[0].sites: expected a list of sites; it is a map',
      `acme.yaml:5: tenants[1].name: is missing; expected ${someText}`,
    ].join('\n'),
  );
});

/** The messages for files in which 6174 may be a secret. */
const withSecret: Record<string, string> = {
  [users('{ username: u, password: 6174 }')]:
    `tenants[0].users[0].password: expected ${someText}; it is a number; put it in quotes`,
  [users('{ username: u, password: true }')]:
    `tenants[0].users[0].password: expected ${someText}; it is true or false; put it in quotes`,
  [users('u:6174')]: 'tenants[0].users[0]: expected a map with "username", "password"; it is a text',
  [users('{ username: u, password: p, 6174 }')]:
    'tenants[0].users[0]: there is a member with an unknown name (known: username, password)',
  [users('{ username: u, password: *x6174 }')]:
    'an alias (starting with "*") has no anchor before it; put a text that starts with "*" in quotes',
  [users('{ username: u, password: !x6174 }')]: tagged,
  'tenants:\n- password: |6174': "the YAML can't be read: Block scalar header includes extra characters",
  'tenants:\n- ? [6174]\n  : 1': `tenants[0].name: is missing; expected ${someText}`,
  [users('{ 6174, 6174 }')]: 'a member appears here a second time; remove one of the two',
  [keys('6174')]: 'tenants[0].api_keys[0]: expected a map with "name", "key"; it is a number',
  [keys('{ key: 6174 é }')]:
    'tenants[0].api_keys[0].key: expected a text that starts with "sp_", followed by printable ASCII characters without blanks',
  [keys('{ key: sp_6174 }, { key: sp_6174 }')]:
    'tenants[0].api_keys[1].key: this API key is already used at tenants[0].api_keys[0].key; each must be unique',
  [subscriptions('url: "http:///6174", events: [], channel: custom')]:
    'tenants[0].sites[0].subscriptions[0].url: expected an http or https URL with a host',
};

test.for(Object.entries(withSecret))('does not repeat the secret in %j', ([text, want]) => {
  const message = messageOf(text);
  expect(message).not.toContain('6174');
  expect(message.replace(/^acme\.yaml:\d: /gm, '').split('\n')).toContain(want);
});

test('prints nothing while it reads a file', () => {
  using warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
  messageOf('? [6174]\n: 1');
  expect(warn).not.toHaveBeenCalled();
});

function seedIn(text: string): WorldSeed {
  const read = readWorldFile(fileOf(text));
  if ('random' in read) throw new Error('read as a saved world');
  return read;
}

test('distinguishes a saved world from a seed in any order of members', () => {
  const snapshot = { random: 1, clock: {}, counters: {} };
  expect(readWorldFile(fileOf(JSON.stringify(snapshot)))).toEqual(snapshot);
  const other = { counters: {}, clock: {}, random: 1 };
  expect(readWorldFile(fileOf(JSON.stringify(other, null, 2)))).toEqual(other);
  const seed = { tenants: [{ name: 'A "counters" "random"' }] };
  expect(seedIn(JSON.stringify(seed))).toEqual(seed);
});

test('reports a truncated saved world as such', () => {
  const text = '{"random":1,"clock":{"mode":"real","offset":0},"counters":{"site":1';
  expect(() => readWorldFile(fileOf(text))).toThrow(
    /acme\.yaml: it looks like a saved world, but is not valid JSON; save the world again$/,
  );
});

test('accepts form fields of any name and value', () => {
  const text = sites(
    '{ name: S, submissions: [{ form: F, fields: { __proto__: { a: 1 }, 姓名: [1, { b: null }] } }] }',
  );
  const [submission] = seedIn(text).tenants[0]?.sites?.[0]?.submissions ?? [];
  expect(JSON.stringify(submission?.fields)).toBe('{"__proto__":{"a":1},"姓名":[1,{"b":null}]}');
});

test('reads a list that a file uses a thousand times', () => {
  const subscription = '{ url: "https://x.example", events: *events, channel: custom }';
  const first = '{ url: "https://x.example", events: &events [publish.complete], channel: custom }';
  const text = sites(`{ name: S, subscriptions: [${[first, ...Array(999).fill(subscription)].join(', ')}] }`);
  expect(seedIn(text).tenants[0]?.sites?.[0]?.subscriptions).toHaveLength(1000);
});

const tooMuch =
  'acme.yaml: it contains too much data once its aliases are expanded; remove what you do not need';

test.each([
  ['a long list', `[${Array(2000).fill('publish.complete').join()}]`],
  ['a long text', 'x'.repeat(50_000)],
])('refuses 3,000 aliases of %s', (_case, value) => {
  const aliases = Array(3000).fill('*long').join();
  expect(messageOf(sites(`{ name: S, contents: &long ${value}, submissions: [${aliases}] }`))).toBe(tooMuch);
});

test('refuses a folder, a long file and an endless file', () => {
  expect(() => readWorldFile(tmpdir())).toThrow(
    `the world file ${tmpdir()} can't be read (it is a folder); give the path of a YAML or JSON file`,
  );
  expect(messageOf(`# ${'x'.repeat(2_000_000)}`)).toBe(
    'the world file acme.yaml is larger than 2000000 bytes; remove data that no test needs',
  );
  expect(() => readWorldFile('/dev/zero')).toThrow(
    "the world file /dev/zero can't be read (it is longer than 64 MB); leave out what is not needed",
  );
});

const page = readFileSync(new URL('../../docs/guides/mock.md', import.meta.url), 'utf8');
const [, example = ''] = /```yaml\n(# acme\.yaml\n.*?)```/s.exec(page) ?? [];

test('reads the example in the documentation', () => {
  const { world, tenants } = createSeeded(seedIn(example));
  expect(tenants.map(({ sites }) => sites.map(({ id, name }) => `${id} ${name}`))).toEqual([['7 山海旅行']]);
  expect(world.counters.site).toBe(1000);
});

test('refuses a file of many unknown members quickly, with its first lines', () => {
  const text = Array.from({ length: 20_000 }, (_, index) => `k${index}: 1\n`).join('');
  const from = performance.now();
  expect(messageOf(text)).toMatch(/^acme\.yaml:1: [\s\S]*\nand 19991 more$/);
  expect(performance.now() - from).toBeLessThan(15_000);
});

// Seeds that are given in code.
const noJson = 'it is not JSON data; use plain objects, arrays, strings, numbers and booleans';
const cycle: Record<string, unknown> = {};
cycle.tenants = cycle;
const withSite = (more: object) => ({ tenants: [{ name: 'A', sites: [{ name: 'S', ...more }] }] });
const noId =
  'tenants[0].sites[0].id: expected a whole number from 1 to 9223372036854775807 (in code, a bigint above 9007199254740991)';
const noVersion = 'tenants[0].sites[0].version: expected a whole number from 0 to 1000000000';

test.for<[string, unknown, string]>([
  ['undefined', undefined, noJson],
  ['a cycle', cycle, noJson],
  [
    'a bigint',
    { tenants: [{ name: 1n }] },
    `tenants[0].name: expected ${someText}; it is 1; put it in quotes`,
  ],
  ['a rounded id', withSite({ id: 2 ** 60 }), `${noId}; it is 1152921504606847000`],
  ['a date', withSite({ version: new Date(0) }), `${noVersion}; it is "1970-01-01T00:00:00.000Z"`],
  ['a long text', withSite({ id: 'x'.repeat(1e6) }), `${noId}; it is "${'x'.repeat(59)}…`],
])('refuses %s', ([, value, want]) => {
  expect(() => checkWorldSeed(value, 'the world')).toThrow(new WorldFileError([`the world: ${want}`]));
});

test('returns a copy without undefined members', () => {
  const given = { tenants: [{ name: 'A', users: undefined, sites: [{ name: 'S' }] }] };
  const seed = checkWorldSeed(given, 'the world');
  expect(seed).toStrictEqual({ tenants: [{ name: 'A', sites: [{ name: 'S' }] }] });
  given.tenants = [];
  expect(seed.tenants).toHaveLength(1);
});

function messageOf(text: string): string {
  const file = fileOf(text);
  try {
    readWorldFile(file);
  } catch (error) {
    if (error instanceof WorldFileError) return error.message.replaceAll(file, 'acme.yaml');
    throw error;
  }
  return 'it was read';
}

function fileOf(text: string): string {
  const file = join(makeFolder(), 'acme.yaml');
  writeFileSync(file, text);
  return file;
}
