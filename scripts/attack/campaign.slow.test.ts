import { availableParallelism } from 'node:os';
import { expect, test } from 'vitest';
import { runCampaign } from './campaign.ts';
import { groups } from './groups.ts';
import { madeUp } from './security-table.ts';

test('all that the campaign tries holds', { timeout: 1_200_000 }, async () => {
  const first = Math.floor(Math.random() * 2 ** 31);
  const broken: string[] = [];
  await runCampaign(groups, {
    seeds: Array.from({ length: madeUp }, (_, index) => first + index),
    jobs: availableParallelism() * 4,
    heard: (tried) => broken.push(...tried.broken.map((what) => `${tried.id}: ${what}`)),
  });
  expect(broken).toEqual([]);
});
