import { afterEach, expect, test, vi } from 'vitest';
import { readCredentials, readOptionalUrl, toSiteId } from './deployment-options.ts';
import { readFlags, textFlag } from './flags.ts';

const read = (url: string) =>
  readOptionalUrl(readFlags(['--base-url', url], { 'base-url': textFlag('URL', '') }, {}), 'base-url');

test('an address is given back without its last slash', () => {
  expect(read('https://a.example/api/v1/')).toBe('https://a.example/api/v1');
});

test.for([
  ['https://mei:s3cr3t@a.example/api/v1', 'https://…@a.example/api/v1'],
  ['https://:s3cr3t@a.example/api/v1', 'https://…@a.example/api/v1'],
  ['https://s3cr3t@a.example/api/v1', 'https://…@a.example/api/v1'],
  ['https://mei:s3cr3t%40@a.example', 'https://…@a.example'],
  ['https://mei:s3cr3t/@x@a.example', 'https://…@a.example'],
  ['https://mei:s?s3cr3t@a.example', 'https://…@a.example'],
  ['mei:s3cr3t@a.example', '…@a.example'],
  ['ftp://mei:s3cr3t@a.example', 'ftp://…@a.example'],
  ['https//mei:s3cr3t@a.example', '…@a.example'],
  ['https://a.example/api/v1?token=s3cr3t', 'https://a.example/api/v1?…'],
  ['https://a.example/api/v1#s3cr3t', 'https://a.example/api/v1#…'],
] as const)('a refusal of %s repeats no secret', ([url, shown]) => {
  expect(() => read(url)).toThrow(`--base-url is "${shown}"; `);
  expect(() => read(url)).not.toThrow('s3cr3t');
});

afterEach(() => vi.unstubAllEnvs());

test.for<[Record<string, string>, string]>([
  [{}, 'there are no credentials; set SITEPUB_USERNAME and SITEPUB_PASSWORD, or SITEPUB_API_KEY'],
  [{ SITEPUB_USERNAME: 'mei' }, 'SITEPUB_USERNAME is set and SITEPUB_PASSWORD is not; set both'],
  [{ SITEPUB_PASSWORD: 'demo' }, 'SITEPUB_PASSWORD is set and SITEPUB_USERNAME is not; set both'],
  [
    { SITEPUB_API_KEY: 'Bearer sp_1' },
    'SITEPUB_API_KEY has a space or a line end in it; set it to the key alone',
  ],
  [
    { SITEPUB_USERNAME: 'mei', SITEPUB_PASSWORD_FILE: '/nowhere/password' },
    "SITEPUB_PASSWORD_FILE names /nowhere/password, which can't be read (ENOENT)",
  ],
])('%j are refused as credentials', ([environment, message]) => {
  for (const name of ['USERNAME', 'PASSWORD', 'API_KEY'])
    for (const variable of [`SITEPUB_${name}`, `SITEPUB_${name}_FILE`])
      vi.stubEnv(variable, environment[variable] ?? '');
  expect(() => readCredentials()).toThrow(message);
});

test('the name of a site is no identifier', () => {
  expect(() => toSiteId('SITEPUB_SITE_ID', 'harbour-cafe')).toThrow(
    'SITEPUB_SITE_ID is "harbour-cafe"; expected a whole number',
  );
});
