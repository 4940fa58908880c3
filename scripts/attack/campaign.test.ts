import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { UsageError } from '../options/usage-error.ts';
import { runCampaign } from './campaign.ts';
import type { Group, Tried } from './group.ts';
import { findMissing, isNamed, requireKnown } from './selection.ts';

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

test('a trial that throws has not held, and the others are tried', async () => {
  const heard: string[] = [];
  const throws = { id: 'oak', run: () => Promise.reject(new Error('no wood')) };
  const [row] = await runCampaign([{ ...group, trials: () => [throws, trial('elm', { broken: [] })] }], {
    ...{ seeds: [], jobs: 1 },
    heard: ({ id, broken }) => heard.push(`${id}: ${broken.join()}`),
  });
  expect(row).toMatchObject({ tried: 2, held: 1 });
  expect(heard).toEqual(['elm: ', 'oak: could not be tried: no wood']);
});

test('inputs are counted where a trial has many', async () => {
  const many = [
    { ...trial('oak', { broken: [] }), count: 40 },
    { ...trial('elm', { broken: ['a finger'] }), count: 2 },
  ];
  const [row] = await runCampaign([{ ...group, trials: () => many }], { seeds: [], jobs: 2 });
  expect(row).toMatchObject({ tried: 42, held: 40 });
});

test('where seconds count, trials are made after the others and with half as many at the same time', async () => {
  const order: string[] = [];
  const slow = (id: string) => ({
    id,
    run: async () => {
      order.push(`${id} begins`);
      await sleep(5);
      order.push(`${id} ends`);
      return { id, broken: [] };
    },
  });
  const timed: Group = { ...group, isTimed: true, trials: () => [slow('two'), slow('one')] };
  const other: Group = { ...group, trials: () => [slow('three')] };
  await runCampaign([timed, other], { seeds: [], jobs: 2 });
  expect(order).toEqual(['three begins', 'three ends', 'one begins', 'one ends', 'two begins', 'two ends']);
});

test('a name that leads to no trial is refused, with the groups that there are', () => {
  for (const right of ['doors', 'oak', 'seed-3'])
    expect(() => requireKnown([right], [group], [3])).not.toThrow();
  expect(() => requireKnown(['oak', 'dors'], [group, empty], [3])).toThrow(
    new UsageError('--only: there is no group and no deployment dors; the groups are doors, none'),
  );
});

test('a trial is named by itself, by its group, and by what it begins with', () => {
  const [one] = [trial('oak × wind', { broken: [] })];
  for (const only of [[], ['doors'], ['oak'], ['elm', 'oak × wind']])
    expect(isNamed(only, one, group)).toBe(true);
  for (const only of [['oa'], ['wind']]) expect(isNamed(only, one, group)).toBe(false);
});

test('a group for which something is missing is said, if it is wanted', () => {
  const lacking: Group = { ...empty, missing: () => 'no hinges were found' };
  expect(findMissing([group, lacking], () => true)).toEqual(
    new Map([[lacking, 'none: not tried, no hinges were found']]),
  );
  expect(findMissing([group, lacking], (one) => one === group)).toEqual(new Map());
});
