import { expect, test } from 'vitest';
import { median } from './statistics.ts';

test.each([
  [[3], 3],
  [[5, 1, 3], 3],
  [[10, 2, 9, 4], 6.5],
])('the median of %j is %d', (values, want) => {
  expect(median(values)).toBe(want);
});

test('there is no median of nothing', () => {
  expect(median([])).toBeNaN();
});
