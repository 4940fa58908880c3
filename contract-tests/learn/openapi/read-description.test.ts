import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { LearnError } from '../learn-error.ts';
import { readDescription } from './read-description.ts';

const folder = mkdtempSync(join(tmpdir(), 'sitepub-openapi-'));
const main = join(folder, 'api', 'main.yaml');
mkdirSync(join(folder, 'api', 'schemas'), { recursive: true });
writeFileSync(
  join(folder, 'api', 'schemas', 'site.yaml'),
  'Site: { type: object, properties: { siteId: { type: integer }, up: { $ref: "#/Site" } } }\n',
);
writeFileSync(join(folder, 'outside.yaml'), 'Site: { type: object }\n');
symlinkSync(join(folder, 'outside.yaml'), join(folder, 'api', 'link.yaml'));

afterAll(() => rmSync(folder, { recursive: true }));

function describing(reference: string): string {
  return JSON.stringify({
    openapi: '3.0.0',
    info: { title: 'api', version: '1' },
    paths: {
      '/sites': {
        get: {
          responses: {
            200: { description: '', content: { 'application/json': { schema: { $ref: reference } } } },
          },
        },
      },
    },
  });
}

const offline = {
  basePath: '/api/v1',
  fetchText: () => Promise.reject(new LearnError('nothing is fetched')),
};

test('follows references to files in its folder', async () => {
  writeFileSync(main, describing('schemas/site.yaml#/Site'));
  const [one] = await readDescription(main, offline);
  expect(one?.answers[0]?.body?.map(({ pointer }) => pointer)).toContain('/siteId');
});

test.for([
  ['a file above it', '../outside.yaml#/Site', /not in its folder; bundle it/],
  ['a link to one', 'link.yaml#/Site', /not in its folder; bundle it/],
  ['a file of the system', 'file:///etc/passwd', /not in its folder; bundle it/],
  ['another host', 'http://127.0.0.1:9/api.yaml#/Site', /not in its folder; bundle it/],
  ['a file that is not there', 'none.yaml#/Site', /none\.yaml can't be read \(ENOENT\)/],
] as const)('refuses a reference to %s', async ([, reference, message]) => {
  writeFileSync(main, describing(reference));
  await expect(readDescription(main, offline)).rejects.toThrow(message);
});

test.for([
  ['https://api.example.com/main.json', 'http://api.example.com/site.json#/Site', false],
  ['https://api.example.com/main.json', 'HTTP://api.example.com/site.json#/Site', false],
  ['https://api.example.com/main.json', 'http://api.example.com:443/site.json#/Site', false],
  ['https://api.example.com/main.json', '//api.example.com/site.json#/Site', true],
  ['http://api.example.com/main.json', 'http://api.example.com/site.json#/Site', true],
  ['http://api.example.com/main.json', 'https://api.example.com/site.json#/Site', true],
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
      /fetched over https and refers to http:.*, which anybody on the way can change; bundle it/,
    );
  expect(fetched.length).toBe(isFollowed ? 2 : 1);
});

test('follows references of an address on its own host alone', async () => {
  const texts: Record<string, string> = {
    'https://api.example.com/a/main.json': describing('../b/site.json#/Site'),
    'https://api.example.com/b/site.json': '{"Site": {"properties": {"siteId": {"type": "integer"}}}}',
    'https://api.example.com/evil.json': describing('https://other.example.com/site.json#/Site'),
  };
  const fetched: string[] = [];
  const fetchText = async (url: string) => {
    fetched.push(url);
    return texts[url] ?? '{}';
  };
  const [one] = await readDescription('https://api.example.com/a/main.json', {
    basePath: undefined,
    fetchText,
  });
  expect(one?.answers[0]?.body?.map(({ pointer }) => pointer)).toContain('/siteId');
  await expect(
    readDescription('https://api.example.com/evil.json', { basePath: undefined, fetchText }),
  ).rejects.toThrow(/not on its own host; bundle it/);
  expect(fetched.filter((url) => url.includes('other'))).toEqual([]);
});
