// @module-tag ci
// Expected failures as people meet them: a deployment breaks ENV-2, which is known.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Report } from '../../contract-tests/reports/report.ts';
import { startProxy, type TamperingProxy } from '../../contract-tests/self/tampering-proxy.ts';
import { type StartedMock, startMock } from '../../mock/start.ts';
import { credentialsOf, openCommand } from '../testing.ts';

const requests: string[] = [];
const { folder, run: runCommand, remove } = openCommand();
let mock: StartedMock;
let proxy: TamperingProxy;

beforeAll(async () => {
  mock = await startMock();
  proxy = await startProxy(
    (path) => new URL(mock.baseUrl).origin + path,
    async (message, forward) => {
      requests.push(message.path);
      const reply = await forward(message);
      return { ...reply, body: Buffer.from(reply.body.toString().replace('"success"', '"fine"')) };
    },
  );
});

afterAll(async () => {
  await proxy.close();
  await mock.close();
  remove();
});

test.for([
  ['the failure is', 'ENV-2: { reason: a proxy }', 0, '(1 as expected)'],
  [
    'an entry is stale',
    'ENV-2: { reason: a proxy }\nlogin-2-no-authorization: { reason: x }',
    1,
    'known.yaml:2: login-2-no-authorization passed',
  ],
] as const)('exits as it should where %s', async ([, entries, want, line]) => {
  const { status, stdout } = await run(entries);
  expect(stdout).toContain(line);
  expect(status).toBe(want);
});

test('refuses an unknown id before anything is sent', async () => {
  requests.length = 0;
  const { status, stderr } = await run('ENV-22: { reason: a proxy }');
  expect(status).toBe(2);
  expect(stderr).toContain('known.yaml:1: there is no requirement or check "ENV-22"; did you mean "ENV-2"?');
  expect(requests).toEqual([]);
});

test('annotates what is not expected, and writes every format', async () => {
  const path = (name: string) => join(folder, name);
  const formats = ['json', 'junit', 'html', 'markdown'];
  const { status, stdout } = await run(
    '',
    formats.map((format) => `${format}=${path(format)}`),
    {
      GITHUB_ACTIONS: 'true',
      GITHUB_STEP_SUMMARY: path('summary'),
    },
  );
  const report = JSON.parse(readFileSync(path('json'), 'utf8')) as Report;
  expect(status).toBe(1);
  expect(stdout).toContain('  accept   ENV-2: { reason: ');
  expect(stdout.match(/^::error title=.*/gm)).toHaveLength(report.summary.failed);
  for (const name of [...formats, 'summary']) expect(readFileSync(path(name), 'utf8')).toContain('ENV-2');
});

function run(entries: string, reports: string[] = [], environment: Record<string, string> = {}) {
  const file = join(folder, 'known.yaml');
  writeFileSync(file, `${entries}\n`);
  const args = ['--base-url', `${proxy.origin}/api/v1`, '--profile', 'default', '--only', 'ENV-2,LOGIN-2'];
  const asked = reports.length > 0 ? ['--report', ...reports] : [];
  const environments = { ...credentialsOf(mock), ...environment };
  return runCommand(['test', ...args, '--expected-failures', file, ...asked], environments);
}
