// @module-tag ci
// `sitepub/vitest` in an empty project, with the code of docs/guides/ci.md.
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { runProgram } from '../scripts/testing/run-program.ts';
import { countsOf, credentialsOf, openMock, requestsOf } from './testing.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'sitepub-vitest-'));

beforeAll(() => {
  const page = readFileSync(join(root, 'docs/guides/ci.md'), 'utf8');
  const [, source = ''] = /```ts\n(\/\/ contract\.test\.ts\n.*?)```/s.exec(page) ?? [];
  writeFileSync(join(folder, 'contract.test.ts'), source);
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  const alias = { 'sitepub/vitest': join(root, 'cli/vitest.ts') };
  writeFileSync(join(folder, 'vitest.config.js'), `export default ${JSON.stringify({ resolve: { alias } })}`);
});

test('a correct deployment passes, and created resources are deleted', async () => {
  await using mock = await openMock();
  const { status, tests } = await runVitest(mock);
  expect(tests.length).toBeGreaterThan(190);
  expect(tests.filter((one) => one.status === 'failed')).toEqual([]);
  expect(tests.filter((one) => one.status === 'passed').length).toBeGreaterThan(150);
  expect(status).toBe(0);
  expect((await countsOf(mock)).subscriptions).toBe(0);
});

test('-t runs only chosen checks; a fault fails only its check, with evidence and without secrets', async () => {
  await using mock = await openMock();
  await mock.control.setFaults({ on: ['no-trace-id-on-404'] });
  const { status, tests, said } = await runVitest(mock, ['-t', '(ENV|LOGIN)-1 ']);
  expect(requestsOf(mock).length).toBeLessThan(40);
  expect(tests.filter((one) => one.status === 'passed').length).toBeGreaterThan(0);
  const failed = tests.filter((one) => one.status === 'failed');
  expect(failed.map(({ title }) => title)).toEqual(['ENV-1 env-1-in-every-answer']);
  expect(failed[0]?.failureMessages[0]).toMatch(/promise: .*\n.*rule: .*\n.*expected: .*trace_id/s);
  expect(status).toBe(1);
  for (const secret of [mock.tenants[0]?.users[0]?.password, mock.tenants[0]?.apiKey])
    expect(said.includes(String(secret))).toBe(false);
});

test('fails if the deployment refuses the credentials', async () => {
  await using mock = await openMock();
  const { status, said } = await runVitest(mock, [], { SITEPUB_PASSWORD: 'not-the-password' });
  expect(status).toBe(1);
  expect(said.includes('SITEPUB_PASSWORD')).toBe(true);
  expect(said.includes('not-the-password')).toBe(false);
});

interface TestResult {
  title: string;
  status: 'passed' | 'failed' | 'skipped' | 'pending';
  failureMessages: string[];
}

async function runVitest(
  mock: Awaited<ReturnType<typeof openMock>>,
  args: readonly string[] = [],
  environment: Record<string, string> = {},
) {
  const others = Object.entries(process.env).filter(([name]) => !/^(SITEPUB|GITHUB|VITEST)_?/.test(name));
  const env = {
    ...Object.fromEntries(others),
    ...credentialsOf(mock),
    ...{ SITEPUB_BASE_URL: mock.baseUrl, SITEPUB_CONTROL_URL: mock.controlUrl },
    ...{ TMPDIR: mkdtempSync(join(folder, 'tmp-')), NO_COLOR: '1', ...environment },
  };
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const reporters = ['--reporter=default', '--reporter=json', '--outputFile.json=results.json'];
  const all = [vitest, 'run', ...reporters, ...args];
  const { status, stdout, stderr } = await runProgram(process.execPath, all, { cwd: folder, env });
  const results = readFileSync(join(folder, 'results.json'), 'utf8');
  const [file] = (JSON.parse(results) as { testResults: { assertionResults: TestResult[] }[] }).testResults;
  return { status, tests: file?.assertionResults ?? [], said: stdout + stderr + results };
}
