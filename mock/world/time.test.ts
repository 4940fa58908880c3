import { expect, test } from 'vitest';
import { parseDuration } from './time.ts';

test.each([
  ['PT36M', 2_160_000],
  ['PT1H30M', 5_400_000],
  ['P2W', 1_209_600_000],
  ['P1DT12H', 129_600_000],
  ['PT0.25S', 250],
  ['PT0S', 0],
])('%s is %i ms', (text, ms) => {
  expect(parseDuration(text)).toBe(ms);
});

const malformed = 'P PT P1DT PT1 36M P1Y P1M -PT1M PT1.5M PT1.0001S pt1m'.split(' ');
test.each(['', ' PT1M', ...malformed])('%j is not a duration', (text) => {
  expect(parseDuration(text)).toBeUndefined();
});
