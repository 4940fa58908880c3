import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { explainUnknown } from './environment.ts';
import { type Flags, readFlags, readSecret } from './flags.ts';
import { mockFlags } from './mock-flags.ts';
import { readDuration } from './read-values.ts';
import { UsageError } from './usage-error.ts';

const flags: Flags = {
  'base-url': { kind: 'text', value: 'URL', help: 'where', variable: 'SITEPUB_BASE_URL' },
  only: { kind: 'list', value: 'ID…', help: 'which' },
  skip: { kind: 'list', value: 'ID…', help: 'which not' },
  json: { kind: 'switch', help: 'how', variable: 'SITEPUB_JSON' },
  header: { kind: 'name', value: 'NAME', help: 'what' },
  'receiver-listen': { kind: 'text', value: 'HOST:PORT', help: 'where' },
};

test.for<[string[], { url?: string; only?: string[]; skip?: string[]; json?: boolean }]>([
  [[], {}],
  [['--base-url', 'http://x'], { url: 'http://x' }],
  [['--base-url=http://x/?a=b'], { url: 'http://x/?a=b' }],
  [['--base-url', 'http://x', '--base-url', 'http://y'], { url: 'http://y' }],
  [['--base-url', '-x'], { url: '-x' }],
  [['--only', 'A,B'], { only: ['A', 'B'] }],
  [['--only', 'A', 'B'], { only: ['A', 'B'] }],
  [['--only', 'A, B,', 'C', '--only=D'], { only: ['A', 'B', 'C', 'D'] }],
  [['--only', 'A', 'B', '--skip', 'C', 'D', '--json'], { only: ['A', 'B'], skip: ['C', 'D'], json: true }],
])('reads %j', ([args, want]) => {
  const given = readFlags(args, flags, {});
  expect({
    url: given.text('base-url'),
    only: given.list('only'),
    skip: given.list('skip'),
    json: given.switched('json'),
  }).toEqual({ url: undefined, only: [], skip: [], json: false, ...want });
});

const stray =
  '`sitepub` takes no arguments, and got 1; values of flags follow their flag, and secrets come from the environment';

test.for<[string[], string]>([
  [['--bse-url', 'x'], 'unknown flag --bse-url; did you mean --base-url?'],
  [['--port', '1'], 'unknown flag --port; did you mean --receiver-listen?'],
  [['--frobnicate'], 'unknown flag --frobnicate'],
  [['-x'], 'unknown flag -x'],
  [['--base-url'], '--base-url needs a value, URL'],
  [['--base-url='], '--base-url needs a value, URL'],
  [['--base-url', '--json'], '--base-url needs a value, URL'],
  [['--only'], '--only needs a value, ID…'],
  [['--json=yes'], '--json takes no value'],
  [['http://x'], stray],
  [['--json', 'x'], stray],
  [['--header', 'X-A', 's3cr3t'], stray],
  [
    ['--password', 'x'],
    '--password: secrets are not taken from flags, where process lists show them; set SITEPUB_PASSWORD or SITEPUB_PASSWORD_FILE',
  ],
  [
    ['--api-key=sp_x'],
    '--api-key: secrets are not taken from flags, where process lists show them; set SITEPUB_API_KEY or SITEPUB_API_KEY_FILE',
  ],
])('refuses %j', ([args, message]) => {
  expect(() => readFlags(args, flags, {})).toThrow(UsageError);
  expect(() => readFlags(args, flags, {})).toThrow(message);
});

test.for<[Record<string, string>, string[], { url?: string; only?: string[]; json?: boolean }]>([
  [{ SITEPUB_BASE_URL: 'http://x' }, [], { url: 'http://x' }],
  [{ SITEPUB_BASE_URL: 'http://x' }, ['--base-url', 'http://y'], { url: 'http://y' }],
  [{ SITEPUB_BASE_URL: '' }, [], {}],
  [{ SITEPUB_ONLY: 'A' }, [], {}],
  [{ SITEPUB_JSON: '1' }, [], { json: true }],
  [{ SITEPUB_JSON: 'TRUE' }, [], { json: true }],
  [{ SITEPUB_JSON: 'no' }, [], {}],
  [{ SITEPUB_JSON: 'no' }, ['--json'], { json: true }],
])('with %j in the environment, reads %j', ([environment, args, want]) => {
  const given = readFlags(args, flags, environment);
  expect({ url: given.text('base-url'), only: given.list('only'), json: given.switched('json') }).toEqual({
    url: undefined,
    only: [],
    json: false,
    ...want,
  });
});

test('reads names, each after its own flag', () => {
  const names = readFlags(['--header', 'X-A', '--header=X-B,X-C'], flags, {}).list('header');
  expect(names).toEqual(['X-A', 'X-B', 'X-C']);
});

test('refuses a switch of the environment that is neither true nor false', () => {
  expect(() => readFlags([], flags, { SITEPUB_JSON: 'maybe' })).toThrow(
    new UsageError('SITEPUB_JSON is "maybe"; expected true or false'),
  );
});

test.for<[string[], string | undefined]>([
  [['SITEPUB_PASSWORD', 'SITEPUB_STORE_FILE', 'SITEPUB_HEADER_X_GATE', 'PATH'], undefined],
  [['SITEPUB_YES', 'SITEPUB_FORCE'], 'SITEPUB_FORCE, SITEPUB_YES: sitepub reads no such variable'],
  [['SITEPUB_PASWORD'], 'SITEPUB_PASWORD: sitepub reads no such variable; did you mean SITEPUB_PASSWORD?'],
])('of the variables %j it says %s', ([names, want]) => {
  expect(explainUnknown(Object.fromEntries(names.map((name) => [name, 's3cr3t'])))).toBe(want);
});

test('variables that Kubernetes sets for a Service named sitepub are nothing', () => {
  const environment = { SITEPUB_PORT: 'tcp://10.96.0.7:80', SITEPUB_PORT_80_TCP_ADDR: '10.96.0.7' };
  expect(readFlags([], mockFlags, environment).text('port')).toBeUndefined();
  expect(readFlags([], mockFlags, { SITEPUB_PORT: '4011' }).text('port')).toBe('4011');
  expect(explainUnknown({ ...environment, SITEPUB_SERVICE_HOST: '10.96.0.7' })).toBeUndefined();
});

test('reads a secret from the environment, or from the first line of a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sitepub-flags-'));
  const file = join(folder, 'password');
  writeFileSync(file, 'from file \r\nsecond line\n');
  const read = (environment: Record<string, string>) => readSecret('SITEPUB_PASSWORD', environment);
  expect(read({})).toBeUndefined();
  expect(read({ SITEPUB_PASSWORD: '' })).toBeUndefined();
  expect(read({ SITEPUB_PASSWORD: 'direct' })).toBe('direct');
  expect(read({ SITEPUB_PASSWORD_FILE: file })).toBe('from file ');
  expect(read({ SITEPUB_PASSWORD: 'direct', SITEPUB_PASSWORD_FILE: file })).toBe('direct');
  expect(() => read({ SITEPUB_PASSWORD_FILE: `${file}s` })).toThrow(
    new UsageError(
      `SITEPUB_PASSWORD_FILE names ${file}s, which can't be read (there is no file ${file}s); name a text file`,
    ),
  );
  rmSync(folder, { recursive: true });
});

test.for([
  ['90s', 90_000],
  ['36m', 2_160_000],
  ['1h', 3_600_000],
  ['1.5h', 5_400_000],
  ['250ms', 250],
  ['10', 10_000],
  ['0', 0],
  [' 5s ', 5_000],
] as const)('%j is %i ms', ([text, want]) => {
  expect(readDuration('--max-wait', text)).toBe(want);
});

test.for(['', 's', '-1s', '1d', '1 s', '1e3', 'soon', '1s2'])('%j is no time', (text) => {
  expect(() => readDuration('--max-wait', text)).toThrow(
    new UsageError(`--max-wait is "${text}"; expected a time such as 90s, 36m or 1h`),
  );
});
