import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import {
  confirmFlag,
  describeFlags,
  type Flags,
  readFlags,
  readFlagsOrHelp,
  readSecret,
  switchFlag,
  textFlag,
  variableOf,
} from './flags.ts';
import { readDuration } from './read-duration.ts';
import { takeFiles } from './take-files.ts';
import { UsageError } from './usage-error.ts';

const flags: Flags = {
  'base-url': { kind: 'text', value: 'URL', help: 'where' },
  only: { kind: 'list', value: 'ID…', help: 'which' },
  skip: { kind: 'list', value: 'ID…', help: 'which not' },
  json: { kind: 'switch', help: 'how' },
  header: { kind: 'names', value: 'NAME', help: 'what' },
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
  [['http://x'], '"http://x" is out of place: it belongs to no flag'],
  [['--json', 'x'], '"x" is out of place: it belongs to no flag'],
  [['--only', 'A', '--base-url', 'http://x', 'B'], '"B" is out of place: it belongs to no flag'],
  [
    ['--header', 'X-A', 's3cr3t'],
    'a word after --header and its name belongs to no flag; a value is not taken from there, where process lists show it',
  ],
  [
    ['--password', 'x'],
    '--password: secrets are not taken from flags, where process lists show them; set SITEPUB_PASSWORD or SITEPUB_PASSWORD_FILE',
  ],
  [
    ['--api-key=sp_x'],
    '--api-key: secrets are not taken from flags, where process lists show them; set SITEPUB_API_KEY or SITEPUB_API_KEY_FILE',
  ],
])('refuses %j', ([args, message]) => {
  expect(() => readFlags(args, flags, {})).toThrow(new UsageError(message));
});

test.for<[Record<string, string>, string[], { url?: string; only?: string[]; json?: boolean }]>([
  [{ SITEPUB_BASE_URL: 'http://x' }, [], { url: 'http://x' }],
  [{ SITEPUB_BASE_URL: 'http://x' }, ['--base-url', 'http://y'], { url: 'http://y' }],
  [{ SITEPUB_BASE_URL: '' }, [], {}],
  [{ SITEPUB_ONLY: 'A, B' }, [], { only: ['A', 'B'] }],
  [{ SITEPUB_ONLY: 'A' }, ['--only', 'B'], { only: ['B'] }],
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

test('reads names, each after its own flag or all in one variable', () => {
  expect(readFlags(['--header', 'X-A', '--header=X-B,X-C'], flags, {}).list('header')).toEqual([
    'X-A',
    'X-B',
    'X-C',
  ]);
  expect(readFlags([], flags, { SITEPUB_HEADER: 'X-A, X-B' }).list('header')).toEqual(['X-A', 'X-B']);
});

test('refuses a switch of the environment that is neither true nor false', () => {
  expect(() => readFlags([], flags, { SITEPUB_JSON: 'maybe' })).toThrow(
    new UsageError('SITEPUB_JSON is "maybe"; expected true or false'),
  );
});

test('takes what confirms something, and help, from no variable, and says so', () => {
  const said = vi.spyOn(console, 'error').mockReturnValue();
  const environment = { SITEPUB_YES: '1', SITEPUB_HELP: 'perhaps', SITEPUB_JSON: '1' };
  const known = { ...flags, yes: confirmFlag('really') };
  const given = readFlagsOrHelp([], known, { usage: 'x', environment });
  expect([given?.switched('yes'), given?.switched('json')]).toEqual([false, true]);
  expect(said.mock.calls.flat()).toEqual([
    'sitepub: SITEPUB_YES is ignored; --yes counts on the command line alone',
    'sitepub: SITEPUB_HELP is ignored; --help counts on the command line alone',
  ]);
  said.mockClear();
  expect(readFlagsOrHelp(['--yes'], known, { usage: 'x', environment: {} })?.switched('yes')).toBe(true);
  expect(said.mock.calls).toEqual([]);
  said.mockRestore();
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

test('describes flags one a line', () => {
  expect(
    describeFlags({
      json: { kind: 'switch', help: 'how' },
      'base-url': { kind: 'text', value: 'URL', help: 'where' },
    }),
  ).toBe('  --json          how\n  --base-url URL  where');
  expect(variableOf('max-wait')).toBe('SITEPUB_MAX_WAIT');
});

describe('take files', () => {
  const flags = { as: textFlag('FORMAT', ''), quiet: switchFlag('') };

  test.for([
    [
      ['a.json', '--as', 'html', 'b.json'],
      ['a.json', 'b.json'],
      ['--as', 'html'],
    ],
    [['--quiet', 'a.json'], ['a.json'], ['--quiet']],
    [['--as=html', 'a.json'], ['a.json'], ['--as=html']],
    [['--help'], [], ['--help']],
    [[], [], []],
  ] as const)('%j', ([args, files, others]) => {
    expect(takeFiles(args, flags)).toEqual({ files, others });
  });
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
