import { expect, test } from 'vitest';
import { countCall, type RateLimit } from './count-call.ts';

const two: RateLimit[] = [{ calls: 2, withinMs: 1000 }];
const twoOrThree: RateLimit[] = [...two, { calls: 3, withinMs: 60_000 }];

test.each<[string, RateLimit[], number[], number, boolean, number[]]>([
  ['the first', two, [], 5000, true, [5000]],
  ['the last that is allowed', two, [4500], 5000, true, [4500, 5000]],
  ['one too many', two, [4001, 4500], 5000, false, [4001, 4500]],
  ['as the first leaves the window', two, [4000, 4500], 5000, true, [4500, 5000]],
  ['too many for the longer window', twoOrThree, [1, 1500, 3000], 5000, false, [1, 1500, 3000]],
  ['as the first leaves the longer window', twoOrThree, [1, 1500, 3000], 60_001, true, [1500, 3000, 60_001]],
])('%s', (_case, limits, times, now, want, kept) => {
  const state = { times };
  expect(countCall(state, now, limits)).toBe(want);
  expect(state.times).toEqual(kept);
});

test('the number of kept times does not grow with the calls', () => {
  const state = { times: [] };
  for (let now = 0; now < 10_000; now++) countCall(state, now, twoOrThree);
  expect(state.times).toHaveLength(3);
});
