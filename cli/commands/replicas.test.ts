// @module-tag nightly
// The whole suite against three mocks that share a world behind a load balancer.
import { mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Report } from '../../contract-tests/reports/report.ts';
import { openBalancer } from '../../mock/testing/balancer.ts';
import { openDatabase, startReplica } from '../../mock/testing/replicas.ts';
import { credentialsOf, openCommand, openMock } from '../testing.ts';

const { folder, run } = openCommand();

async function outcomesOf(profile: string, origin: string, credentials: Record<string, string>) {
  const file = join(mkdtempSync(join(folder, 'report-')), 'report.json');
  const args = ['--suite', 'full', '--seed', '1', '--report', `json=${file}`];
  const addresses = [`${origin}/api/v1`, '--control-url', `${origin}/_mock`];
  const { status, stdout } = await run(['test', ...addresses, '--profile', profile, ...args], credentials);
  const { requirements } = JSON.parse(readFileSync(file, 'utf8')) as Report;
  const outcomes = requirements
    .flatMap(({ checks, ...requirement }) => [requirement, ...checks])
    .map(({ id, outcome }) => `${id}: ${outcome}`);
  return { status, stdout, outcomes };
}

/** Each takes two whole runs. */
const profiles: [profile: string, leastPassed: number][] = [
  ['default', 100],
  ['flags-and-cursors', 80],
];

test.each(profiles)(
  'three mocks with profile %s behind a load balancer get the same verdicts as one in memory',
  async (profile, leastPassed) => {
    await using alone = await openMock({ profile });
    const credentials = credentialsOf(alone);
    const database = await openDatabase();
    const balancer = await openBalancer();
    onTestFinished(balancer.close);
    for (let count = 0; count < 3; count++)
      await balancer.add((await startReplica(database.url, ['--profile', profile])).baseUrl);
    const inMemory = await outcomesOf(profile, new URL(alone.baseUrl).origin, credentials);
    const shared = await outcomesOf(profile, balancer.url, credentials);
    expect(shared.outcomes, shared.stdout).toEqual(inMemory.outcomes);
    expect([inMemory.status, shared.status]).toEqual([0, 0]);
    expect(inMemory.outcomes.filter((line) => line.endsWith(': passed')).length).toBeGreaterThan(leastPassed);
    const counts = [...balancer.counts.values()];
    expect(Math.min(...counts)).toBeGreaterThan(Math.max(...counts) / 2);
  },
  300_000,
);
