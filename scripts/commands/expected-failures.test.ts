// @module-tag ci
// Expected failures as people meet them: a deployment breaks ENV-2, which is known.
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Report } from '../../contract-tests/reports/report.ts';
import { type StartedMock, startMock } from '../../mock/start.ts';

const command = fileURLToPath(new URL('../sitepub.mjs', import.meta.url));
const requests: string[] = [];
let folder = '';
let mock: StartedMock;
let proxy: Server;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sitepub-expected-'));
  mock = await startMock();
  proxy = createServer(async (incoming, outgoing) => {
    requests.push(String(incoming.url));
    const { authorization, 'content-type': type } = incoming.headers;
    const response = await fetch(new URL(String(incoming.url), mock.baseUrl), {
      method: incoming.method ?? 'GET',
      headers: { ...(authorization && { authorization }), ...(type && { 'content-type': type }) },
      ...(incoming.method === 'POST' && { body: await text(incoming) }),
    });
    outgoing.writeHead(response.status, { 'content-type': 'application/json' });
    outgoing.end((await response.text()).replace('"success"', '"fine"'));
  });
  await new Promise<void>((resolve) => {
    proxy.listen(0, '127.0.0.1', resolve);
  });
});

afterAll(async () => {
  proxy.closeAllConnections();
  proxy.close();
  await mock.close();
  rmSync(folder, { recursive: true });
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

async function run(entries: string, reports: string[] = [], environment: Record<string, string> = {}) {
  const file = join(folder, 'known.yaml');
  writeFileSync(file, `${entries}\n`);
  const args = [
    '--base-url',
    `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/api/v1`,
    '--profile',
    'default',
    '--only',
    'ENV-2,LOGIN-2',
  ];
  const asked = reports.length > 0 ? ['--report', ...reports] : [];
  return execute(['test', ...args, '--expected-failures', file, ...asked], environment);
}

function execute(args: readonly string[], environment: Record<string, string>) {
  const [user] = mock.tenants[0]?.users ?? [];
  const own = Object.entries(process.env).filter(([name]) => !/^(SITEPUB|GITHUB)_/.test(name));
  const env = {
    ...Object.fromEntries(own),
    NO_COLOR: '1',
    TMPDIR: mkdtempSync(join(folder, 'tmp-')),
    SITEPUB_USERNAME: String(user?.username),
    SITEPUB_PASSWORD: String(user?.password),
    ...environment,
  };
  return new Promise<{ status: number; stdout: string; stderr: string }>((resolve) => {
    const child = execFile(process.execPath, [command, ...args], { env }, (_, stdout, stderr) =>
      resolve({ status: child.exitCode ?? -1, stdout, stderr }),
    );
  });
}
