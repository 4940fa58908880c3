import { expect, test } from 'vitest';
import { measureRounds, median, ratioOf } from './row.ts';

test.each([
  [[3], 3],
  [[5, 1, 3], 3],
  [[10, 2, 9, 4], 6.5],
  [[], Number.NaN],
])('the median of %j is %d', (values, want) => {
  expect(median(values)).toBe(want);
});

test('the value is the median of the ratios of rounds', () => {
  const pairs = [
    [50, 100],
    [1200, 600],
    [60, 60],
  ] as const;
  expect(ratioOf(pairs, { name: 'other', most: 1.25 })).toEqual({
    mock: '60 µs CPU',
    comparedWith: 'other: 100 µs CPU',
    value: 1,
    unit: 'times the CPU',
    most: 1.25,
  });
});

test('a first round does not count', async () => {
  let count = 0;
  expect(await measureRounds(2, async () => ++count)).toEqual([2, 3]);
});
