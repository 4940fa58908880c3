// How many generated cases a run makes, and the seed that they are drawn from.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';
import { reportOf, sample } from '../../contract-tests/reports/testing.ts';
import { readDemands } from './demand-options.ts';
import { demandFlags, testFlags } from './deployment-flags.ts';
import { readCredentials, readUrl, toSiteId } from './deployment-options.ts';
import { readFlags, textFlag } from './flags.ts';
import { readTestOptions } from './test-options.ts';
import { UsageError } from './usage-error.ts';

const base = ['--base-url', 'http://127.0.0.1:9/api/v1'];
const credentials = { SITEPUB_USERNAME: 'mei', SITEPUB_PASSWORD: 'secret' };

test.for([
  [[], {}],
  [['--cases', '40', '--seed', '123'], { cases: 40, seed: 123 }],
  [['--cases', '0'], { cases: 0 }],
  [['--cases', '10000', '--seed', '4294967295'], { cases: 10_000, seed: 4_294_967_295 }],
  [['--seed', '0'], { seed: 0 }],
] as const)('%j means %j', async ([args, want]) => {
  const { cases, seed } = await read(args);
  expect({ ...(cases !== undefined && { cases }), ...(seed !== undefined && { seed }) }).toEqual(want);
});

test('--only and --skip take groups of requirements', async () => {
  const { only, skip } = await read(['--only', 'LOG,ENV-1', '--skip', 'SIG', 'env-6-list-of-keys']);
  expect(only).toEqual(['LOG-1', 'ENV-1']);
  expect(skip).toEqual(['SIG-1', 'SIG-2', 'SIG-3', 'SIG-4', 'SIG-5', 'SIG-6', 'env-6-list-of-keys']);
  await expect(read(['--only', 'HOOKS'])).rejects.toThrow(
    '--only: there is no requirement, group of requirements or check "HOOKS"; did you mean "HOOK"?',
  );
});

test.for([
  ['--cases', 'many', 'expected a whole number from 0 to 10000'],
  ['--cases', '-1', 'expected a whole number from 0 to 10000'],
  ['--cases', '10001', 'expected a whole number from 0 to 10000'],
  ['--seed', '1.5', 'expected a whole number from 0 to 4294967295'],
  ['--seed', '4294967296', 'expected a whole number from 0 to 4294967295'],
] as const)('%s %s is refused', async ([flag, text, want]) => {
  await expect(read([flag, text])).rejects.toThrow(new UsageError(`${flag} is "${text}"; ${want}`));
});

test.for([
  ['abc', false],
  ['127.0.0.1:abc', false],
  ['0.0.0.0', false],
  ['127.0.0.1:65536', false],
  ['8099', true],
  ['[::]:8099', true],
] as const)('--receiver-listen %s is taken: %s', async ([text, isTaken]) => {
  const listen = await read(['--receiver-listen', text]).then(
    ({ receiver }) => receiver.listen,
    () => undefined,
  );
  expect(listen).toBe(isTaken ? text : undefined);
});

async function read(args: readonly string[]) {
  const before = { ...process.env };
  Object.assign(process.env, credentials);
  try {
    return await readTestOptions(readFlags([...base, ...args], testFlags, {}));
  } finally {
    for (const name of Object.keys(credentials)) delete process.env[name];
    Object.assign(process.env, before);
  }
}

describe('deployment options', () => {
  const read = (url: string) =>
    readUrl(readFlags(['--base-url', url], { 'base-url': textFlag('URL', '') }, {}), 'base-url');

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
      "SITEPUB_PASSWORD_FILE names /nowhere/password, which can't be read (there is no file /nowhere/password); name a text file",
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
});

describe('demand options', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sitepub-demands-'));
  const file = join(folder, 'baseline.json');

  afterAll(() => rmSync(folder, { recursive: true }));

  const read = (...args: string[]) => readDemands(readFlags(args, demandFlags, {}));

  test('reads ids, groups and all, each requirement once', () => {
    expect(read()).toBeUndefined();
    expect(read('--require', 'ENV-1', 'LOG,LOG-1')).toEqual({ require: ['ENV-1', 'LOG-1'] });
    expect(read('--require', 'SIG')?.require).toEqual(['SIG-1', 'SIG-2', 'SIG-3', 'SIG-4', 'SIG-5', 'SIG-6']);
    const all = read('--require', 'all')?.require;
    expect(all).toHaveLength(79);
    expect(all).not.toContain('RECV-1');
    expect(read('--require', 'log-1', 'Env-1')).toEqual({ require: ['LOG-1', 'ENV-1'] });
    expect(read('--min-verified', '16')).toEqual({ minVerified: 16 });
  });

  test('reads a baseline', () => {
    writeFileSync(file, JSON.stringify(sample));
    expect(read('--baseline', file)?.baseline?.summary).toEqual(sample.summary);
  });

  test.for([
    [
      ['--require', 'HOOK-44'],
      '--require: there is no requirement or group of requirements "HOOK-44"; did you mean "HOOK-4"?',
    ],
    [
      ['--require', 'everything-there-is'],
      '--require: there is no requirement or group of requirements "everything-there-is" (`sitepub list requirements` shows all)',
    ],
    [
      ['--require', 'RECV-1'],
      '--require: RECV-1 is about receivers, and no run against a deployment verifies it; leave it out, and use `sitepub test-receiver`',
    ],
    [['--min-verified', 'most'], '--min-verified is "most"; expected a whole number from 0 to 79'],
    [['--min-verified', '80'], '--min-verified is "80"; expected a whole number from 0 to 79'],
    [
      ['--baseline', 'nowhere.json'],
      `--baseline: nowhere.json can't be read (there is no file ${resolve('nowhere.json')}); give one that \`sitepub test --report json=FILE\` has written`,
    ],
  ] as const)('refuses %j', ([args, want]) => {
    expect(() => read(...args)).toThrow(new UsageError(want));
  });

  test('refuses a baseline in which nothing was verified', () => {
    writeFileSync(file, JSON.stringify(reportOf({})));
    expect(() => read('--baseline', file)).toThrow(
      new UsageError(
        `--baseline: nothing was verified in ${file}, so it holds a run to nothing; give the report of a better run`,
      ),
    );
  });
});
