// @module-tag ci
// `sitepub test` held to what is demanded of it, against a mock.
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { StartedMock } from '../../mock/start.ts';
import { credentialsOf, openCommand, openMock } from '../testing.ts';

const { folder, run, remove } = openCommand();

afterAll(remove);

test('a run is held to its baseline', async () => {
  await using mock = await openMock();
  const [baseline, again] = [join(folder, 'baseline.json'), join(folder, 'again.json')];
  const env = credentialsOf(mock);
  const args = [...argsFor(mock), 'ENV-1', 'AUTH-3'];
  const first = await run([...args, '--report', `json=${baseline}`], env);
  expect(first.status).toBe(0);
  const same = await run([...args, '--baseline', baseline], env);
  expect(same.status).toBe(0);
  const less = await run([...args, '--baseline', baseline, '--report', `json=${again}`], without(env));
  expect(less.status).toBe(3);
  expect(less.stdout).toMatch(/✗ --baseline: needs an API key; set SITEPUB_API_KEY \(AUTH-3\)\n$/);
  const compared = await run(['report', 'diff', baseline, again]);
  expect(compared.status).toBe(3);
  expect(compared.stdout).toContain('passed → not-verified; needs an API key; set SITEPUB_API_KEY');
  await mock.control.setFaults(['no-trace-id-on-404']);
  const worse = await run([...args, '--baseline', baseline], without(env));
  expect(worse.status).toBe(1);
  expect(worse.stdout).toMatch(
    /✗ --baseline: passed there and fails here: .*\(ENV-1\)\n✗ --baseline: needs an API key.*\(AUTH-3\)\n$/,
  );
});

test.for([
  [['--min-verified', '2'], 0],
  [['--min-verified', '3'], 3],
  [['--require', 'LOGIN-1,ENV-1'], 0],
  [['--require', 'AUTH-3'], 3],
  [['--require', 'all'], 3],
] as const)('with %j a run of two that pass exits with %i', async ([args, code]) => {
  await using mock = await openMock();
  expect((await run([...argsFor(mock), 'ENV-1', ...args], credentialsOf(mock))).status).toBe(code);
});

function argsFor({ baseUrl }: StartedMock): string[] {
  return ['test', '--base-url', baseUrl, '--profile', 'default', '--only', 'LOGIN-1'];
}

function without({ SITEPUB_API_KEY: _missing, ...others }: Record<string, string>): Record<string, string> {
  return others;
}
