// A fifth of the campaign, another one each day; `npm run attack` runs it whole, which takes longer than CI has.
import { availableParallelism } from 'node:os';
import { expect, test } from 'vitest';
import { runCampaign } from './campaign.ts';
import { groups } from './groups.ts';
import { isUnmet } from './unmet.ts';

const parts = 5;

test('what the campaign tries holds', { timeout: 900_000 }, async () => {
  const today = Math.floor(Date.now() / 86_400_000);
  const broken: string[] = [];
  let [turn, tried] = [today, 0];
  await runCampaign(groups, {
    seeds: [today, today + 1],
    jobs: availableParallelism() * 2,
    isWanted: ({ id }) => !isUnmet(id) && turn++ % parts === 0,
    heard: (one) => {
      tried++;
      broken.push(...one.broken.map((what) => `${one.id}: ${what}`));
    },
  });
  expect(broken).toEqual([]);
  expect(tried).toBeGreaterThan(50);
});
