// @module-tag ci
// No command changes, publishes or deletes resources of others, even with a wrong profile.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from '../../mock/testing/started-mock.ts';
import { statedValues } from '../../openapi/profile.ts';
import type { SuiteOptions } from '../core/suite-options.ts';
import { cleanUpJournal, readJournal } from '../run/clean-up-journal.ts';
import { discoverMock } from './discover-mock.ts';
import { namingOthers, profileNamingOthers, type WrongGap } from './naming-others.ts';
import { alarmsIn, runAgainstMock } from './run-against-mock.ts';

const allGaps: readonly WrongGap[] = [
  'operation.create-site',
  'operation.import-site',
  'operation.create-content',
  'operation.create-key',
  'subscription.response.id',
];
const lists = ['sites', 'contents', 'keys', 'subscriptions'].map((name) => `operation.list-${name}`);
const reads = ['operation.get-site', 'operation.get-content'];

test.for<[what: string, unknown: readonly string[]]>([
  ['with all reads', []],
  ['without reads', [...lists, ...reads]],
  ['with lists only', reads],
  ['with reads of single resources only', lists],
])('a run changes nothing of others and fails nothing: %s', async ([, unknown]) => {
  const strays: string[] = [];
  const told = profileNamingOthers(allGaps, unknown);
  const report = await runAgainstMock({
    told,
    tamper: () => namingOthers(strays),
    options: { tier: 'full', cases: 2 },
  });
  expect(strays).toEqual([]);
  expect(alarmsIn(report)).toEqual([]);
  const drifts = report.gaps.filter(({ outcome }) => outcome === 'drift').map(({ id }) => id);
  expect(drifts).toEqual(expect.arrayContaining(['operation.create-site']));
  // The clean-up finds listed resources by name and deletes them.
  const left = new Set(report.leftovers.map(({ what }) => what));
  if (unknown.length === 0)
    expect([...left].toSorted()).toEqual(expect.not.arrayContaining(['site', 'API key', 'subscription']));
  expect(report.leftovers.filter(({ id, what }) => what === 'site' && id !== null)).toEqual([]);
});

test('a run with one creation per kind changes nothing of others', async () => {
  const strays: string[] = [];
  const told = profileNamingOthers(allGaps, [...lists, ...reads]);
  for (const only of ['IDEM-1', 'IDEM-4', 'EVENT-1', 'KEY-4', 'HOOK-1'])
    await runAgainstMock({ told, tamper: () => namingOthers(strays), options: { only: [only] } });
  expect(strays).toEqual([]);
});

test.for([[], lists])('a discovery changes nothing of others without %j', async (unknown) => {
  const strays: string[] = [];
  const told = profileNamingOthers(allGaps, unknown);
  const operations = Object.entries(statedValues(told)).filter(([gap]) =>
    /^operation\.|response\.id/.test(gap),
  );
  const { stopped } = await discoverMock({
    spoken: profileNamingOthers([]),
    tamper: namingOthers(strays),
    options: { given: Object.fromEntries(operations) },
  });
  expect({ strays, stopped }).toEqual({ strays: [], stopped: undefined });
});

test.for([[], lists, [...lists, ...reads]])(
  'a clean-up deletes nothing of others without %j',
  async (unknown) => {
    const strays: string[] = [];
    const file = join(makeFolder(), 'run.jsonl');
    const run = '1a2b3c4d';
    const told = profileNamingOthers(allGaps, unknown);
    await runAgainstMock({
      told,
      tamper: () => namingOthers(strays),
      options: { only: ['HOOK-1'] },
      beforeEnd: async (_report, options: SuiteOptions) => {
        const main = { tenant: 'main' };
        const lines = [
          { sitepub_journal: 1, run, base_url: options.baseUrl, profile: options.profile, started_at: '' },
          { entry: 1, what: 'site', target: `sitepub-${run} site`, ...main },
          { entry: 1, created: 102 },
          { entry: 2, what: 'content', site: 101, target: `sitepub-${run} content`, ...main },
          { entry: 2, created: 1 },
          { entry: 3, what: 'API key', target: `sitepub-${run} key`, ...main },
          { entry: 3, created: 1 },
          {
            entry: 4,
            what: 'subscription',
            site: 101,
            target: `https://hooks.example.com/sitepub/${run}/1`,
            ...main,
          },
          { entry: 4, created: 1 },
        ];
        writeFileSync(file, lines.map((line) => JSON.stringify(line)).join('\n'));
        const { gone } = await cleanUpJournal(readJournal(file), options);
        expect(gone.filter(({ fate }) => fate === 'deleted')).toEqual([]);
        expect(readFileSync(file, 'utf8')).toContain('"created":102');
      },
    });
    expect(strays).toEqual([]);
  },
);
