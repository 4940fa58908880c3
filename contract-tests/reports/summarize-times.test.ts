import { expect, test } from 'vitest';
import { summarizeTimes } from './summarize-times.ts';

const upTo = (most: number) => [...Array(most).keys()].map((at) => at + 1);

test.for([
  [[], undefined],
  [[7.4], { calls: 1, median_ms: 7, p95_ms: 7 }],
  [[30, 10], { calls: 2, median_ms: 10, p95_ms: 30 }],
  [[3, 1, 2], { calls: 3, median_ms: 2, p95_ms: 3 }],
  [upTo(19), { calls: 19, median_ms: 10, p95_ms: 19 }],
  [upTo(20), { calls: 20, median_ms: 10, p95_ms: 19 }],
  [upTo(100).toReversed(), { calls: 100, median_ms: 50, p95_ms: 95 }],
] as const)('of %j', ([times, want]) => {
  expect(summarizeTimes(times)).toEqual(want);
});
