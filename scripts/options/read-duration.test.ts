import { expect, test } from 'vitest';
import { readDuration } from './read-duration.ts';
import { UsageError } from './usage-error.ts';

test.for([
  ['90s', 90_000],
  ['36m', 2_160_000],
  ['1h', 3_600_000],
  ['1.5h', 5_400_000],
  ['250ms', 250],
  ['10', 10_000],
  ['0', 0],
  [' 5s ', 5_000],
] as const)('%j is %i ms', ([text, want]) => {
  expect(readDuration('--max-wait', text)).toBe(want);
});

test.for(['', 's', '-1s', '1d', '1 s', '1e3', 'soon', '1s2'])('%j is no time', (text) => {
  expect(() => readDuration('--max-wait', text)).toThrow(
    new UsageError(`--max-wait is "${text}"; expected a time such as 90s, 36m or 1h`),
  );
});
