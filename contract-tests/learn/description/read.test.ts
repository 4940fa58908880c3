import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { LearnError } from '../learn-error.ts';
import { readDescription } from './read.ts';

const folder = mkdtempSync(join(tmpdir(), 'sitepub-openapi-'));
const main = join(folder, 'api', 'main.yaml');
mkdirSync(join(folder, 'api', 'schemas'), { recursive: true });
const site = 'Site: { type: object, properties: { siteId: { type: integer }, up: { $ref: "#/Site" } } }\n';
writeFileSync(join(folder, 'api', 'schemas', 'site.yaml'), site);
writeFileSync(join(folder, 'outside.yaml'), site);
symlinkSync(join(folder, 'outside.yaml'), join(folder, 'api', 'link.yaml'));

afterAll(() => rmSync(folder, { recursive: true }));

function describing(reference: string): string {
  const content = { 'application/json': { schema: { $ref: reference } } };
  const get = { responses: { 200: { content } }, 'x-samples': { $ref: 'code.cs' } };
  return JSON.stringify({ openapi: '3.0.0', paths: { '/sites': { get } } });
}

const offline = {
  basePath: '/api/v1',
  fetchText: () => Promise.reject(new LearnError('nothing is fetched')),
};
const outside = /main\.yaml refers to .*, which is no file in its folder or origin; bundle it/;

test('follows references to files in its folder, but for those of extensions', async () => {
  writeFileSync(main, describing('schemas/site.yaml#/Site'));
  const [one] = await readDescription(main, offline);
  expect(one?.answers[0]?.body?.map(({ pointer }) => pointer)).toEqual(['', '/siteId', '/up']);
});

test.for([
  ['a file above it', '../outside.yaml#/Site', outside],
  ['a link to one', 'link.yaml#/Site', outside],
  ['a file of the system', 'file:///etc/passwd', outside],
  ['a file of another machine', 'file://host/etc/passwd', outside],
  ['a host', 'http://127.0.0.1:9/api.yaml#/Site', outside],
  [
    'an address with a password',
    'https://ada:hunter2@h/a.yaml?key=hunter2',
    /^main.yaml refers to h\/a\.yaml, which/,
  ],
  ['what is no address', 'data:text/plain,hunter2', /^main\.yaml refers to what is no file, which/],
  ['a file that is not there', 'none.yaml#/Site', /none\.yaml can't be read \(ENOENT\)/],
] as const)('refuses a reference to %s', async ([, reference, message]) => {
  writeFileSync(main, describing(reference));
  await expect(readDescription(main, offline)).rejects.toThrow(message);
});

test.for([
  ['https://api.example.com/a/main.json', '../b/site.json#/Site', true],
  ['https://api.example.com/a/main.json', '//api.example.com/site.json#/Site', true],
  ['http://api.example.com/main.json', 'http://api.example.com:80/site.json#/Site', true],
  ['https://api.example.com/main.json', '/api/v1/sites/7/publish', false],
  ['https://api.example.com/main.json', '/api/v1/sites/7/export?as=.json', false],
  ['https://api.example.com/main.json', 'HTTP://api.example.com/site.json#/Site', false],
  ['https://api.example.com/main.json', 'https://other.example.com/site.json#/Site', false],
  ['https://api.example.com/main.json', 'file:///etc/passwd', false],
] as const)('%s that refers to %s is followed: %s', async ([address, reference, isFollowed]) => {
  const fetched: string[] = [];
  const fetchText = async (url: string) => {
    fetched.push(url);
    return url === address ? describing(reference) : '{"Site": {"type": "object"}}';
  };
  const read = readDescription(address, { basePath: undefined, fetchText });
  if (isFollowed) await expect(read).resolves.toHaveLength(1);
  else
    await expect(read).rejects.toThrow(
      'which is no file in its folder or origin; bundle it into one file first',
    );
  expect(fetched.length).toBe(isFollowed ? 2 : 1);
});
