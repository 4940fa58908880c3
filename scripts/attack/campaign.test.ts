import { expect, test } from 'vitest';
import { runCampaign } from './campaign.ts';
import type { Group, Tried } from './groups.ts';

const trial = (id: string, tried: Omit<Tried, 'id'>) => ({ id, run: async () => ({ id, ...tried }) });

const group: Group = {
  id: 'doors',
  what: 'doors that slam',
  promise: 'nobody is hurt',
  trials: (seeds) => [
    trial('oak', { broken: [], seconds: 1.2, megabytes: 99.1 }),
    trial('elm', { broken: ['a finger'], seconds: 7 }),
    ...seeds.map((seed) => trial(`seed-${seed}`, { broken: [], secondsAfterSignal: 0.4 })),
  ],
};
const empty: Group = { id: 'none', what: 'nothing', promise: 'nothing', trials: () => [] };

test('each trial is made once, and the figures are those of the worst', async () => {
  const heard: string[] = [];
  const rows = await runCampaign([group, empty], {
    seeds: [3, 4],
    jobs: 2,
    heard: ({ id }) => heard.push(id),
  });
  expect(heard.sort()).toEqual(['elm', 'oak', 'seed-3', 'seed-4']);
  expect(rows).toEqual([
    {
      ...{ id: 'doors', what: 'doors that slam', promise: 'nobody is hurt', tried: 4, held: 3 },
      ...{ seconds: 7, megabytes: 100, secondsAfterSignal: 1 },
    },
    {
      ...{ id: 'none', what: 'nothing', promise: 'nothing', tried: 0, held: 0 },
      ...{ seconds: 0, megabytes: 0, secondsAfterSignal: 0 },
    },
  ]);
});

test('only what is wanted is tried', async () => {
  const [row] = await runCampaign([group], { seeds: [], jobs: 1, isWanted: ({ id }) => id === 'oak' });
  expect(row).toMatchObject({ tried: 1, held: 1 });
});
