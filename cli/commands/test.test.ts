import { afterAll, expect, test } from 'vitest';
import type { StartedMock } from '../../mock/start.ts';
import { countsOf, credentialsOf, openCommand, openMock, requestsOf } from '../testing.ts';

const { run, remove } = openCommand();

afterAll(remove);

// Concurrent, since a run spends most of its time waiting. Runs that are interrupted or killed are in whole-runs.test.ts.

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
  expect(stdout).toMatch(/\n\d{3} checks, up to \d+ requests, about \d+ min \(39 min of it waiting\)\n/);
  expect(stdout).toMatch(/ {2}POST \/tenant\/sites\/\{siteID\}\/webhooks\/\{id\}\/test\n/);
  expect(stdout).toMatch(/\nLogins of the tenant: \d+ planned, 0 in the last minute, limit 10 per minute/);
  expect(stdout).toMatch(/up to \d+ {2}subscriptions, deleted at the end/);
  expect(stdout).toMatch(/up to \d+ {2}comments?, left behind/);
  expect(stdout).toContain('RETRY-4: needs to wait 70m; run with --max-wait 70m');
  expect(requestsOf(mock)).toEqual([]);
});

function argsFor({ baseUrl }: StartedMock): string[] {
  return ['test', '--base-url', baseUrl, '--profile', 'default'];
}
