// How many generated cases a run makes, and the seed that they are drawn from.
import { expect, test } from 'vitest';
import { readFlags } from './flags.ts';
import { readTestOptions, testFlags } from './test-options.ts';
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
