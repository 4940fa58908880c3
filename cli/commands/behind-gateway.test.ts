// @module-tag ci
// Commands against a deployment that is reached through a proxy with credentials, and a gateway that needs a private CA, a client certificate and headers.
import { execFile } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import {
  type Authority,
  createAuthority,
  hasOpenssl,
  stagingHost,
} from '../../contract-tests/deployment/testing/authority.ts';
import { startForwardProxy } from '../../contract-tests/deployment/testing/forward-proxy.ts';
import { startGateway } from '../../contract-tests/deployment/testing/gateway.ts';
import type { Report } from '../../contract-tests/reports/report.ts';
import { startMock } from '../../mock/start.ts';
import { openReceiver } from '../../mock/testing/open-mock.ts';
import { credentialsOf, openCommand, openMock, outcomeOf, writeJournal } from '../testing.ts';

const { folder, start, runHere } = openCommand();
const baseUrl = `https://${stagingHost}/api/v1`;
const headers = { 'X-Gate-Token': 'gate-"s3cr3t"-$0', 'X-Team': 'web-0815' };
const proxyPassword = 'p@ss%w/rd';
const passphrase = 'open sesame';
/** As plain text, in JSON, and as sent to the proxy. */
const secrets = [
  headers['X-Gate-Token'],
  JSON.stringify(headers['X-Gate-Token']).slice(1, -1),
  headers['X-Team'],
  proxyPassword,
  encodeURIComponent(proxyPassword),
  Buffer.from(`mei:${proxyPassword}`).toString('base64'),
  passphrase,
];

let authority: Authority;

beforeAll(() => {
  if (hasOpenssl) authority = createAuthority();
});

test.skipIf(!hasOpenssl)(
  'a run passes proxy and gateway, and shows none of their secrets (needs openssl)',
  async () => {
    await using staging = await openStaging(['no-trace-id-on-404']);
    const paths = Object.fromEntries(
      ['json', 'html', 'junit', 'markdown'].map((format) => [format, join(folder, `reach.${format}`)]),
    );
    const reports = Object.entries(paths).map(([format, path]) => `${format}=${path}`);
    const har = join(folder, 'reach.har');
    const words = ['test', ...staging.flags, '--profile', 'default', '--har', har, '--report', ...reports];
    const environment = { ...staging.environment, TMPDIR: mkdtempSync(join(folder, 'reach-')) };
    const child = start(words, environment);
    const outcome = outcomeOf(child);
    while (staging.gateway.count.passed < 40) await sleep(20);
    const processes = (await promisify(execFile)('ps', ['-eo', 'args'])).stdout;
    const journals = globSync(join(environment.TMPDIR, 'sitepub-*', '*')).map((file) =>
      readFileSync(file, 'utf8'),
    );
    const { status, stdout, stderr } = await outcome;
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: expect.stringMatching(/^sitepub: the run will leave up to .* behind\n$/),
    });
    expect(staging.gateway.count).toEqual({ passed: expect.any(Number), refused: 0 });
    expect(new Set(staging.proxy.seen)).toEqual(new Set([`CONNECT ${stagingHost}:443`]));
    expect(processes).toContain('--header X-Gate-Token');
    expect(journals.join('\n')).toContain('"sitepub_journal":1');
    const written = [...Object.values(paths), har].map((path) => readFileSync(path, 'utf8'));
    expect(written.at(-1)).toContain('{"name":"X-Gate-Token","value":"{SITEPUB_HEADER_X_GATE_TOKEN}"}');
    const shown = [stdout, stderr, processes, ...journals, ...written];
    expect(secrets.filter((secret) => shown.some((one) => one.includes(secret)))).toEqual([]);
    const way = `Note: connecting through the proxy ${staging.proxyPlace} (HTTPS_PROXY), with the certificate authorities in ${authority.ca.path}, with the client certificate ${authority.client.cert.path}, with the headers X-Gate-Token, X-Team`;
    expect(stdout).toContain(way);
    const report = JSON.parse(written[0] ?? '') as Report;
    const failed = report.requirements.filter(({ outcome }) => outcome === 'failed');
    expect(failed.map(({ id }) => id)).toEqual(['ENV-1']);
    const line = failed[0]?.checks.find(({ curl }) => curl)?.curl ?? '';
    expect(line).toContain(
      `-H 'X-Gate-Token: '"$SITEPUB_HEADER_X_GATE_TOKEN" -H 'X-Team: '"$SITEPUB_HEADER_X_TEAM"`,
    );
    const args = ['--norc', '-c', `${report.token_line}; ${line}`];
    const env = { PATH: process.env.PATH, ...staging.environment };
    const { stdout: again } = await promisify(execFile)('bash', args, { env });
    expect(again).toMatch(/^HTTP\/1\.1 404 .*\{"code":40400,"message":.*\}$/s);
    expect(again).not.toContain('trace_id');
  },
);

test.skipIf(!hasOpenssl)('discover and cleanup pass proxy and gateway (needs openssl)', async () => {
  await using staging = await openStaging();
  const out = join(folder, 'reach.yaml');
  const args = ['discover', ...staging.flags, '--out', out, '--create', '--max-wait', '0'];
  const { status, stdout, stderr } = await runHere(args, staging.environment);
  expect({ status, stdout }).toEqual({ status: 0, stdout: '' });
  const profile = readFileSync(out, 'utf8');
  expect(profile).toMatch(/^login\.token: \/data\/token/m);
  // Found with a path that only one of the two HTTP clients can send.
  expect(profile).toMatch(/^ {2}malformed-request: 40000/m);
  expect(secrets.filter((secret) => `${stderr}${profile}`.includes(secret))).toEqual([]);
  const content = { what: 'content', site: 101, target: 'sitepub-abcdef01 title 1', tenant: 'main' };
  const lines = [
    { entry: 1, ...content },
    { entry: 1, created: 987654 },
  ];
  const journal = writeJournal(join(folder, 'reach.jsonl'), baseUrl, lines);
  await using other = await openStaging();
  const [, , ...flags] = other.flags;
  const cleaned = await runHere(['cleanup', journal, ...flags], other.environment);
  expect(cleaned).toMatchObject({ status: 0, stderr: '' });
  expect(existsSync(journal)).toBe(false);
  for (const { gateway } of [staging, other])
    expect(gateway.count).toEqual({ passed: expect.any(Number), refused: 0 });
});

test('calls the control API and the receiver directly and without headers', async () => {
  await using mock = await openMock();
  const { url: receiver, received } = await openReceiver(() => ({ status: 200 }));
  const proxy = await startForwardProxy({ ports: { '127.0.0.1': Number(new URL(mock.baseUrl).port) } });
  const addresses = [mock.baseUrl, '--control-url', mock.controlUrl, '--receiver-url', receiver];
  const environment = { ...credentialsOf(mock), HTTP_PROXY: proxy.url, SITEPUB_HEADER_X_GATE: 's3cr3t-gate' };
  const { stdout } = await runHere(
    ['test', ...addresses, '--header', 'X-Gate', '--only', 'SIG-1'],
    environment,
  );
  await proxy.close();
  expect(stdout).toContain("does not lead to the suite's receiver");
  expect(received.length).toBeGreaterThan(0);
  expect(received.filter(({ headers }) => 'x-gate' in headers)).toEqual([]);
  expect(proxy.seen[0]).toBe(`POST ${mock.baseUrl}/auth/tenant/login`);
  expect(proxy.seen.filter((one) => !one.includes(` ${mock.baseUrl}/`))).toEqual([]);
});

test('a dry run shows proxy and headers, and sends nothing', async () => {
  const proxy = await startForwardProxy({ ports: {} });
  const keys = { SITEPUB_API_KEY: 'sp_1', SITEPUB_HEADER_X_GATE: 's3cr3t-gate' };
  const environment = { ...keys, HTTPS_PROXY: proxy.url };
  const args = ['test', '--base-url', baseUrl, '--header', 'X-Gate', '--dry-run'];
  const { status, stdout } = await runHere(args, environment);
  await proxy.close();
  expect(status).toBe(0);
  expect(stdout).toContain(
    `nothing was sent\n  connecting through the proxy ${proxy.url} (HTTPS_PROXY), with the header X-Gate\n`,
  );
  expect(proxy.seen).toEqual([]);
});

async function openStaging(faults: readonly string[] = []) {
  const mock = await startMock({ faults });
  const port = Number(new URL(mock.baseUrl).port);
  const gateway = await startGateway({ authority, asksForCertificate: true, headers, port });
  const proxy = await startForwardProxy({
    ports: { [stagingHost]: gateway.port },
    credentials: `mei:${proxyPassword}`,
  });
  const { ca, client, lockedKey } = authority;
  const files = ['--ca', ca.path, '--cert', client.cert.path, '--key', lockedKey.path];
  return {
    gateway,
    proxy,
    proxyPlace: new URL(proxy.url).origin,
    flags: ['--base-url', baseUrl, ...files, '--header', 'X-Gate-Token', '--header', 'X-Team'],
    environment: {
      ...credentialsOf(mock),
      HTTPS_PROXY: proxy.url,
      SITEPUB_KEY_PASSPHRASE: passphrase,
      SITEPUB_HEADER_X_GATE_TOKEN: headers['X-Gate-Token'],
      SITEPUB_HEADER_X_TEAM: headers['X-Team'],
    },
    [Symbol.asyncDispose]: async () => {
      await proxy.close();
      await gateway.close();
      await mock.close();
    },
  };
}
