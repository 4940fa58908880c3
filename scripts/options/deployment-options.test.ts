import { expect, test } from 'vitest';
import { readOptionalUrl } from './deployment-options.ts';
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
