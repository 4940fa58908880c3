import { expect, test } from 'vitest';
import { compareTimes } from './compare-times.ts';
import type { TimesReport } from './report-facts.ts';
import { reportOf } from './testing.ts';

type Times = readonly [calls: number, median: number, p95: number];

const reportWith = (times: Times | undefined) => {
  const [calls, median_ms, p95_ms] = times ?? [0, 0, 0];
  const made: { times?: TimesReport } = times ? { times: { calls, median_ms, p95_ms } } : {};
  return reportOf({ coverage: [{ operation: 'login', statuses: [200], requests: 30, ...made }] });
};

test.for<[string, Times | undefined, Times | undefined, string[], string[]]>([
  ['the same', [5, 100, 100], [5, 100, 100], [], []],
  ['twice as long, and by 100 ms', [5, 100, 100], [5, 200, 200], ['median'], []],
  ['half as long', [5, 200, 200], [5, 100, 100], [], ['median']],
  ['less than twice', [5, 300, 300], [5, 599, 599], [], []],
  ['many times as long, and by less than 100 ms', [5, 1, 1], [5, 100, 100], [], []],
  ['from nothing', [5, 0, 0], [5, 100, 100], ['median'], []],
  ['of too few calls before', [4, 100, 100], [5, 900, 900], [], []],
  ['of too few calls now', [5, 100, 100], [4, 900, 900], [], []],
  ['slow answers alone', [20, 10, 50], [20, 10, 900], ['p95'], []],
  ['slow answers alone, of too few', [20, 10, 50], [19, 10, 900], [], []],
  ['slow answers that are gone', [20, 10, 900], [20, 10, 50], [], ['p95']],
  ['an older report without times', undefined, [20, 900, 900], [], []],
  ['a newer one without them', [20, 100, 100], undefined, [], []],
])('finds %s', ([, before, after, slower, faster]) => {
  const found = compareTimes(reportWith(before), reportWith(after));
  expect(found.slower.map(({ by }) => by)).toEqual(slower);
  expect(found.faster.map(({ by }) => by)).toEqual(faster);
});
