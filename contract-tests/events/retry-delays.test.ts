import { expect, test } from 'vitest';
import { type Anchor, dueMs, fits, marksMs, sharedLateness } from './retry-delays.ts';

test.for<[Anchor, number[]]>([
  ['previous-attempt', [60_000, 360_000, 2_160_000]],
  ['first-attempt', [60_000, 300_000, 1_800_000]],
])('counts retries from the %s at %j', ([anchor, want]) => {
  expect(dueMs(anchor)).toEqual(want);
});

test('stops a moved clock just before and after each retry, and at its latest time', () => {
  expect(marksMs).toHaveLength(5 * 24);
  expect(marksMs.slice(0, 9)).toEqual([
    35_000, 50_000, 55_000, 59_000, 61_000, 65_000, 70_000, 75_000, 80_000,
  ]);
  expect(marksMs[23]).toBe(155_000);
});

test('finds no shared lateness of retries that are late by different times up to 45 s', () => {
  const stops = marksMs.toSorted((one, other) => one - other);
  const measured = (at: number) => ({
    from: stops.findLast((stop) => stop < at) ?? 0,
    to: stops.find((stop) => stop >= at) ?? at,
  });
  // The first attempts start 2 s before the anchor of the marks; four retries agree by chance.
  const deliveries = [8, 11, 14, 17, 19, 23, 26, 28, 31, 33, 34, 36, 39].map((late) => [
    { from: -2_000, to: -2_000 },
    measured((58 + late) * 1_000),
  ]);
  expect(sharedLateness(deliveries, 'first-attempt')).toBe(undefined);
});

test('does not compare retries known only to a long step with later ones', () => {
  const lateBy = (from: number, to: number) => [
    { from: 0, to: 0 },
    { from: 60_000 + from, to: 60_000 + to },
  ];
  const early = Array.from({ length: 3 }, () => lateBy(5_000, 30_000));
  const alike = [36_000, 40_000, 41_000].map((late) => lateBy(late, late));
  expect(sharedLateness([...early, ...alike], 'previous-attempt')).toBe(undefined);
  expect(sharedLateness(alike, 'previous-attempt')).toBe(36_000);
});

const both: Anchor[] = ['previous-attempt', 'first-attempt'];

test.for<[string, number[], Anchor[]]>([
  ['the three of one anchor', [0, 60, 360, 2160], ['previous-attempt']],
  ['the three of the other', [0, 60, 300, 1800], ['first-attempt']],
  ['only the first', [0, 60], both],
  ['5 s early', [0, 55, 355, 2155], ['previous-attempt']],
  ['6 s early', [0, 54], []],
  ['30 s late each', [0, 90, 420, 2250], ['previous-attempt']],
  ['90 s late each', [0, 150, 540, 2430], ['previous-attempt']],
  ['91 s late', [0, 151], []],
  ['three minutes first', [0, 180, 480, 2280], []],
  ['four minutes second', [0, 60, 300, 2100], []],
  ['a mixture of anchors', [0, 60, 300, 2160], []],
  ['at once', [0, 0], []],
])('accepts attempts at times of %s', ([, seconds, want]) => {
  expect(both.filter((anchor) => fits(seconds.map(exactly), anchor))).toEqual(want);
});

test('favours the deployment for a moment known only to a step', () => {
  const moments = [
    { from: 0, to: 0 },
    { from: 40_000, to: 61_000 },
  ];
  expect(fits(moments, 'previous-attempt')).toBe(true);
});

/** Seconds of the attempts of each delivery. */
test.for<[string, string, number | undefined]>([
  [
    'at two, six and thirty-one minutes from the one before',
    '0 120 480 2340, 0 120 480 2340, 1 121 481 2341',
    60,
  ],
  ['40 s late each time', '0 100 440 2280, 7 107 447 2287, 9 109 449 2289', 40],
  ['40 s late at two targets', '0 100, 7 107, 9 69', undefined],
  ['a minute late at three targets of five', '0 60, 0 120, 3 123, 4 65, 4 124', 60],
  [
    'late by times that partly agree by chance',
    '0 98 432 2260, 0 101 421 2230, 0 103 440 2256, 0 85 401 2250',
    undefined,
  ],
  ['late by different times', '0 95, 7 120, 9 140', undefined],
  ['punctual', '0 60 360 2160, 0 60 360 2160, 0 60 360 2160', undefined],
  ['by a timer once a minute', '10 110 470 2330, 12 110 470 2330, 15 110 470 2330', undefined],
])('finds the shared lateness of deliveries retried %s', ([, deliveries, want]) => {
  const moments = deliveries
    .split(', ')
    .map((times) => times.split(' ').map((second) => exactly(Number(second))));
  expect(sharedLateness(moments, 'previous-attempt')).toBe(want === undefined ? undefined : want * 1_000);
});

/** A moment known to the millisecond. */
function exactly(second: number) {
  return { from: second * 1_000, to: second * 1_000 };
}
