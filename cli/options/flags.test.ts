import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { explainUnknown } from './environment.ts';
import { flags, readFlags, readSecret } from './flags.ts';
import { mockFlags } from './mock-flags.ts';
import { UsageError } from './usage-error.ts';

const known = flags({
  '--base-url <URL>': 'where [SITEPUB_BASE_URL]',
  '--only <ID…>': 'which',
  '--skip <ID…>': 'which not',
  '--json': 'how [SITEPUB_JSON]',
  '--header <NAME>': 'what',
  '--receiver-listen <HOST:PORT>': 'where',
});

const [x, y] = ['http://x', 'http://y'];

test.for<[string[], Record<string, string>, object]>([
  [[], {}, {}],
  [['--base-url', x], {}, { url: x }],
  [['--base-url=http://x/?a=b'], {}, { url: 'http://x/?a=b' }],
  [['--base-url', x, '--base-url', y], {}, { url: y }],
  [['--base-url', '-x'], {}, { url: '-x' }],
  [['--only', 'A,B'], {}, { only: ['A', 'B'] }],
  [['--only', 'A, B,', 'C', '--only=D'], {}, { only: ['A', 'B', 'C', 'D'] }],
  [['--only', 'A', 'B', '--skip', 'C', '--json'], {}, { only: ['A', 'B'], skip: ['C'], json: true }],
  [['--header', 'X-A', '--header=X-B,X-C'], {}, { header: ['X-A', 'X-B', 'X-C'] }],
  [[], { SITEPUB_BASE_URL: x }, { url: x }],
  [['--base-url', y], { SITEPUB_BASE_URL: x }, { url: y }],
  [[], { SITEPUB_BASE_URL: '' }, {}],
  [[], { SITEPUB_ONLY: 'A' }, {}],
  [[], { SITEPUB_JSON: '1' }, { json: true }],
  [[], { SITEPUB_JSON: 'TRUE' }, { json: true }],
  [[], { SITEPUB_JSON: 'no' }, {}],
  [['--json'], { SITEPUB_JSON: 'no' }, { json: true }],
])('%j with %j means %j', ([args, environment, want]) => {
  const { text, list, switched } = readFlags(args, known, environment);
  const lists = { only: list('only'), skip: list('skip'), header: list('header') };
  const usual = { url: undefined, only: [], skip: [], header: [], json: false };
  expect({ url: text('base-url'), ...lists, json: switched('json') }).toEqual({ ...usual, ...want });
});

const stray =
  '`sitepub` takes no arguments, but got 1; put values right after their flags, and secrets into environment variables';
const secret = 'secrets cannot be passed as flags, because process lists show them; set';

test.for<[string[], string]>([
  [['--bse-url', 'x'], 'unknown flag --bse-url; did you mean --base-url?'],
  [['--port', '1'], 'unknown flag --port; did you mean --receiver-listen?'],
  [['--frobnicate'], 'unknown flag --frobnicate'],
  [['-x'], 'unknown flag -x'],
  [['--base-url'], '--base-url needs a value: URL'],
  [['--base-url='], '--base-url needs a value: URL'],
  [['--base-url', '--json'], '--base-url needs a value: URL'],
  [['--only'], '--only needs a value: ID…'],
  [['--json=yes'], '--json takes no value'],
  [[x], stray],
  [['--json', 'x'], stray],
  [['--header', 'X-A', 's3cr3t'], stray],
  [['--password', 's3cr3t'], `--password: ${secret} SITEPUB_PASSWORD or SITEPUB_PASSWORD_FILE`],
  [['--token=s3cr3t'], `--token: ${secret} SITEPUB_API_KEY or SITEPUB_API_KEY_FILE`],
  [['--api-key=s3cr3t'], `--api-key: ${secret} SITEPUB_API_KEY or SITEPUB_API_KEY_FILE`],
])('%j is refused', ([args, message]) => {
  expect(() => readFlags(args, known, {})).toThrow(UsageError);
  expect(() => readFlags(args, known, {})).toThrow(message);
});

test('refuses a switch in a variable that is neither true nor false', () => {
  const refused = new UsageError('SITEPUB_JSON is "maybe"; expected true or false');
  expect(() => readFlags([], known, { SITEPUB_JSON: 'maybe' })).toThrow(refused);
});

test.for<[string[], string | undefined]>([
  [['SITEPUB_PASSWORD', 'SITEPUB_STORE_FILE', 'SITEPUB_HEADER_X_GATE', 'PATH'], undefined],
  [['SITEPUB_TOKEN', 'SITEPUB_CREATED_KEY', 'SITEPUB_USERNAME_FILE'], undefined],
  [['SITEPUB_YES', 'SITEPUB_FORCE'], 'ignored unknown variables SITEPUB_FORCE, SITEPUB_YES'],
  [['SITEPUB_APY_KEY'], 'ignored unknown variable SITEPUB_APY_KEY; did you mean SITEPUB_API_KEY?'],
  [['SITEPUB_PASWORD'], 'ignored unknown variable SITEPUB_PASWORD; did you mean SITEPUB_PASSWORD?'],
])('reports about the variables %j: %s', ([names, want]) => {
  expect(explainUnknown(Object.fromEntries(names.map((name) => [name, 's3cr3t'])))).toBe(want);
});

test('ignores variables that Kubernetes sets for a Service named sitepub', () => {
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
  expect(read({ SITEPUB_PASSWORD: 'direct', SITEPUB_PASSWORD_FILE: file })).toBe('direct');
  expect(read({ SITEPUB_PASSWORD_FILE: file })).toBe('from file ');
});
