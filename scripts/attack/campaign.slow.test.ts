// A fifth of the campaign; `npm run attack` runs it whole, which takes longer than CI has.
import { availableParallelism } from 'node:os';
import { expect, test } from 'vitest';
import { runCampaign } from './campaign.ts';
import { groups } from './groups.ts';
import { isUnmet } from './unmet.ts';

const parts = 5;

test('what the campaign tries holds', { timeout: 900_000 }, async () => {
  const broken: string[] = [];
  let [turn, tried] = [0, 0];
  await runCampaign(groups, {
    seeds: [1, 2],
    jobs: availableParallelism() * 2,
    isWanted: ({ id }) => !isUnmet(id) && turn++ % parts === 1,
    heard: (one) => {
      tried++;
      broken.push(...one.broken.map((what) => `${one.id}: ${what}`));
    },
  });
  expect(broken).toEqual([]);
  expect(tried).toBeGreaterThan(50);
});
