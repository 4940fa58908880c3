// @module-tag ci
// Whole runs of `sitepub test` against a mock: what a second one meets, what a dry run has said before, and what an interrupted or killed one leaves.
import { once } from 'node:events';
import { existsSync, globSync, mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import type { Report } from '../../contract-tests/reports/report.ts';
import type { StartedMock } from '../../mock/start.ts';
import { countsOf, credentialsOf, openCommand, openMock, requestsOf } from '../testing.ts';

const { folder, start, run, remove } = openCommand();

afterAll(remove);

test.concurrent('the safe tier is run twice at once without tripping the login limit', async () => {
  await using mock = await openMock();
  const shared = { ...credentialsOf(mock), TMPDIR: mkdtempSync(join(folder, 'shared-')) };
  const first = await run(argsFor(mock), shared);
  const second = await run(argsFor(mock), shared);
  expect([first.status, second.status]).toEqual([0, 0]);
  const passed = [first, second].map(({ stdout }) => /(\d+) passed/.exec(stdout)?.[1]);
  expect(passed[0]).toBe(passed[1]);
  const refused = requestsOf(mock).filter(({ status }) => status === 429);
  expect(refused).toEqual([]);
});

test.concurrent('a dry run counts no fewer requests than are sent', async () => {
  await using mock = await openMock();
  const args = [...argsFor(mock), '--control-url', mock.controlUrl, '--suite', 'full'];
  const planned = await run([...args, '--dry-run'], credentialsOf(mock));
  const made = await run(args, credentialsOf(mock));
  const [most, sent] = [
    /at most (\d+) requests/.exec(planned.stdout),
    /\((\d+) requests in/.exec(made.stdout),
  ];
  // Cleaning up is not planned one by one.
  const deleted = requestsOf(mock).filter(({ method }) => method === 'DELETE').length;
  expect(Number(most?.[1])).toBeGreaterThanOrEqual(Number(sent?.[1]) - deleted);
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
  const { status, stdout } = await run(['cleanup', journal], credentialsOf(mock));
  expect(stdout).toMatch(/^deleted {2}subscription \d+ on site 101: http:/m);
  expect(status).toBe(0);
  expect((await countsOf(mock)).subscriptions).toBe(0);
  expect(existsSync(journal)).toBe(false);
});

function argsFor({ baseUrl }: StartedMock): string[] {
  return ['test', '--base-url', baseUrl, '--profile', 'default'];
}

async function isUnderWay(mock: StartedMock, requests: number): Promise<void> {
  while (requestsOf(mock).length < requests) await sleep(20);
}
