import { afterEach, expect, test, vi } from 'vitest';
import { discoverFlags } from './deployment-flags.ts';
import { filesOf, readSourceOptions, refuseCallFlags } from './discover-options.ts';
import { readFlags } from './flags.ts';
import { UsageError } from './usage-error.ts';

afterEach(() => void vi.unstubAllEnvs());

const read = (...args: string[]) => readSourceOptions(readFlags(args, discoverFlags, {}));

test('reads a description, recordings, or both', () => {
  expect(read('--base-url', 'http://h/api/v1')).toBeUndefined();
  expect(read('--har', 'a.har', '--har', 'b.har')).toMatchObject({ recordings: ['a.har', 'b.har'] });
  const both = read('--openapi', 'api.yaml', '--har', 'a.har', '--base-url', 'http://h/api/v1');
  expect(both).toMatchObject({ openapi: 'api.yaml', recordings: ['a.har'], baseUrl: 'http://h/api/v1' });
  expect(both && filesOf(both)).toEqual(['api.yaml', 'a.har']);
  const address = read('--openapi', 'https://h/docs', '--har', 'a.har');
  expect(address && filesOf(address)).toEqual(['a.har']);
});

test.for([
  [['--openapi', 'a.json', '--openapi', 'b.json'], /^--openapi is given twice; read one description, then/],
  [['--openapi', 'https://'], /^--openapi is no address; expected a file, or an http or https URL$/],
  [
    ['--openapi', 'https://mei:secret@h/x'],
    /^--openapi takes no credentials, which process lists would show/,
  ],
  [['--har', 'http://h/console.har'], /^--har takes a file, not an address; save it first$/],
] as const)('refuses %j', ([args, message]) => {
  expect(() => read(...args)).toThrow(UsageError);
  expect(() => read(...args)).toThrow(message);
});

test.for([
  ['https://h/docs', undefined, true],
  ['https://h/docs', 'https://h/api/v1', true],
  ['https://docs.example.com/x', 'https://h/api/v1', false],
] as const)('headers for a gateway are sent to %s beside %s: %s', ([address, baseUrl, isSent]) => {
  vi.stubEnv('SITEPUB_HEADER_X_GATEWAY', 'open');
  const base = baseUrl === undefined ? [] : ['--base-url', baseUrl];
  const options = read('--openapi', address, '--header', 'X-Gateway', ...base);
  expect(options?.connection?.headers).toEqual(isSent ? { 'X-Gateway': 'open' } : undefined);
  expect(options?.headers).toEqual(['X-Gateway']);
});

const refuse = (...args: string[]) => refuseCallFlags(readFlags(args, discoverFlags));

test.for([
  ['--create'],
  ['--max-wait', '62s'],
  ['--control-url', 'http://127.0.0.1:9/_mock'],
  ['--journal', 'journal.jsonl'],
  ['--receiver-listen', '8080'],
  ['--receiver-url', 'https://tunnel.example.com'],
])('--no-calls contradicts %s', (flags) => {
  const want = `--no-calls calls nothing, and ${flags[0]} is for calls; leave one of them out`;
  expect(() => refuse('--no-calls', ...flags)).toThrow(new UsageError(want));
});

test('--no-calls contradicts neither what reading needs nor a variable that was set for other commands', () => {
  vi.stubEnv('SITEPUB_CONTROL_URL', 'http://127.0.0.1:9/_mock');
  const args = ['--no-calls', '--har', 'a.har', '--base-url', 'http://h/api/v1', '--request-timeout', '5s'];
  expect(() => refuse(...args)).not.toThrow();
});
