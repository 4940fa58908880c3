// `sitepub test` against a mock that it is not told to be one, as a team would run it against a deployment.
import { once } from 'node:events';
import { existsSync, globSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import type { Report } from '../../contract-tests/reports/report.ts';
import type { StartedMock } from '../../mock/start.ts';
import { loadProfile, statedValues } from '../../openapi/profile.ts';
import { credentialsOf, openCommand, openMock, requestsOf } from '../testing.ts';

const { folder, start, run, runHere, remove } = openCommand();

afterAll(remove);

// Concurrent, since a run spends most of its time waiting.

test.concurrent('the smoke tier creates nothing', async () => {
  await using mock = await openMock();
  const before = await countsOf(mock);
  const { status, stdout } = await run([...argsFor(mock), '--suite', 'smoke'], credentialsOf(mock));
  expect(status).toBe(0);
  expect(stdout).toMatch(/81 requirements: 1\d passed, 0 failed/);
  const requests = requestsOf(mock);
  const taken = requests.filter(({ code }) => code === 0).map(({ operation }) => operation);
  expect(new Set(taken)).toEqual(new Set(['login', 'refresh', 'listSites', 'listSubscriptions', 'listKeys']));
  expect(await countsOf(mock)).toEqual(before);
});

test.concurrent('a dry run sends nothing and says what would be sent, how long it takes and what stays', async () => {
  await using mock = await openMock();
  const args = [...argsFor(mock), '--suite', 'full', '--max-wait', '36m', '--dry-run'];
  const { status, stdout } = await run(args, credentialsOf(mock));
  expect(status).toBe(0);
  expect(stdout).toMatch(/\n\d{3} checks, at most \d+ requests, about \d+ min \(39 min of it waiting\)\n/);
  expect(stdout).toMatch(/ {2}POST \/tenant\/sites\/\{siteID\}\/webhooks\/\{id\}\/test\n/);
  expect(stdout).toMatch(/\nLogins of the tenant: \d+ of the ten a minute; 0 were made in the last minute/);
  expect(stdout).toMatch(/at most \d+ {2}subscriptions, deleted at the end/);
  expect(stdout).toMatch(/at most \d+ {2}comments?, left behind/);
  expect(stdout).toContain('RETRY-4: needs to wait 70m; run with --max-wait 70m');
  expect(requestsOf(mock)).toEqual([]);
});

test.concurrent('interrupted half-way, it cleans up, reports what was done and exits with 130', async () => {
  await using mock = await openMock();
  const path = join(folder, 'interrupted.json');
  // What waits for a minute at once is left out.
  const args = [...argsFor(mock), '--suite', 'full', '--max-wait', '36m', '--report', `json=${path}`];
  args.push('--skip', 'IDEM-1,IDEM-2,IDEM-3,IDEM-4,IDEM-5');
  const child = start(args, credentialsOf(mock));
  const rest = Promise.all([text(child.stdout), text(child.stderr)]);
  await isUnderWay(mock, 90);
  child.kill('SIGINT');
  // From what started the command: the same Ctrl-C, and no second one.
  await sleep(100);
  child.kill('SIGINT');
  expect(await once(child, 'exit')).toEqual([130, null]);
  const [stdout, stderr] = await rest;
  expect(stderr).toContain('sitepub: interrupted; cleaning up (a second interrupt ends it at once)');
  expect(stdout).toMatch(/81 requirements: \d+ passed, 0 failed/);
  const report = JSON.parse(readFileSync(path, 'utf8')) as Report;
  expect(report.aborted).toEqual({ kind: 'interrupted', reason: 'the run was interrupted' });
  const checks = report.requirements.flatMap((requirement) => requirement.checks);
  expect(checks.filter(({ outcome }) => outcome === 'passed').length).toBeGreaterThan(0);
  expect((await countsOf(mock)).subscriptions).toBe(0);
});

test.concurrent('what a run that was killed has left is taken away later by its journal', async () => {
  await using mock = await openMock();
  const temporary = mkdtempSync(join(folder, 'killed-'));
  const environment = { ...credentialsOf(mock), TMPDIR: temporary };
  const child = start([...argsFor(mock), '--suite', 'full', '--max-wait', '36m'], environment);
  await isUnderWay(mock, 60);
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect((await countsOf(mock)).subscriptions).toBeGreaterThan(0);
  const [journal = ''] = globSync(join(temporary, 'sitepub-*', 'run-*.jsonl'));
  expect(readFileSync(journal, 'utf8')).not.toContain(mock.tenants[0]?.users[0]?.password);
  const { status, stdout } = await run(['cleanup', '--journal', journal], credentialsOf(mock));
  expect(stdout).toMatch(/^deleted {2}subscription \d+ on site 101: http:/m);
  expect(status).toBe(0);
  expect((await countsOf(mock)).subscriptions).toBe(0);
  expect(existsSync(journal)).toBe(false);
});

test.concurrent('what was never created, or is gone already, is struck out of a journal', async () => {
  await using mock = await openMock();
  const journal = join(folder, 'by-hand.jsonl');
  const profile = { name: 'default', stated: statedValues(loadProfile('default')) };
  const head = { sitepub_journal: 1, run: 'abcdef01', base_url: mock.baseUrl, profile };
  const target = 'http://127.0.0.1:9/sitepub/abcdef01';
  const lines = [
    head,
    { entry: 1, what: 'subscription', site: 201, target: `${target}/1`, tenant: 'other' },
    { entry: 2, what: 'content', site: 101, target: 'gone', tenant: 'main' },
    { entry: 2, created: 987654 },
  ];
  writeFileSync(journal, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  const { status, stdout, stderr } = await run(['cleanup', '--journal', journal], credentialsOf(mock));
  expect({ status, stdout, stderr }).toMatchObject({ status: 0, stderr: '' });
  expect(stdout).not.toContain('left');
  expect(existsSync(journal)).toBe(false);
});

test.for([
  [['cleanup'], '--journal is missing; give the file that `sitepub test` has named'],
  [['cleanup', '--journal', 'nowhere.jsonl'], "the journal nowhere.jsonl can't be read (ENOENT)"],
  [['cleanup', '--journal', 'package.json'], 'package.json is no journal of sitepub'],
] as const)('%j is refused', async ([args, want]) => {
  const { status, stderr } = await runHere(args);
  expect(status).toBe(2);
  expect(stderr).toContain(want);
});

function argsFor({ baseUrl }: StartedMock): string[] {
  return ['test', '--base-url', baseUrl, '--profile', 'default'];
}

async function isUnderWay(mock: StartedMock, requests: number): Promise<void> {
  while (requestsOf(mock).length < requests) await sleep(20);
}

/** How much there is of each kind. */
async function countsOf(mock: StartedMock): Promise<Record<string, number>> {
  const world = Object.entries(await mock.control.world());
  const kinds = ['sites', 'subscriptions', 'contents', 'comments', 'submissions', 'publications', 'apiKeys'];
  return Object.fromEntries(
    world
      .filter(([kind]) => kinds.includes(kind))
      .map(([kind, all]) => [kind, Object.keys(Object(all)).length]),
  );
}
