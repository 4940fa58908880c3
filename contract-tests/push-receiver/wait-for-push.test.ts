import { expect, test } from 'vitest';
import type { Clock } from '../deployment/deployment-clock.ts';
import { allComeWithin } from './wait-for-push.ts';

test.for<[string, number[], number]>([
  ['until all have come', [0, 15_000, 8_000], 15_000],
  ['10 s in total if nothing comes', [Infinity, Infinity, Infinity], 10_000],
  ['10 s from the last arrival if one is missing', [Infinity, 9_000, 3_000], 19_000],
])('waits %s', async ([, comesAt, want]) => {
  let now = 0;
  const pass = async (ms: number) => {
    now += ms;
  };
  const clock = { now: () => now, pass, settle: async () => {} };
  const all = comesAt.map((at) => () => now >= at);
  await allComeWithin({ clock: clock as unknown as Clock }, all, 10_000);
  expect(now).toBe(want);
});
