import { describe, expect, test } from 'vitest';
import { countsFrom, freesAt, liveCalls, mostAtOnce, type WindowKind } from './limit-windows.ts';

/** Until when calls count that are all let through. */
function endsOf(kind: WindowKind, times: readonly number[], extraMs = 0): number[] {
  let starts: number[] = [];
  for (const time of times) {
    const live = liveCalls(starts, time);
    starts = [...live, countsFrom(live, time, { kind, most: 10, extraMs })];
  }
  return starts.map((start) => start + 60_000);
}

test.each<[WindowKind, number[], number[]]>([
  ['sliding', [5_000, 30_000], [65_000, 90_000]],
  ['sliding', [5_000, 65_000], [125_000]],
  ['fixed', [5_000, 30_000], [65_000, 65_000]],
  ['fixed', [5_000, 65_000], [125_000]],
  ['aligned', [5_000, 30_000], [60_000, 60_000]],
  ['aligned', [5_000, 60_000], [120_000]],
  ['token-bucket', [5_000, 5_000, 5_000], [11_000, 17_000, 23_000]],
  ['token-bucket', [5_000, 5_000, 12_000], [17_000, 23_000]],
  ['paced', [5_000], [11_000]],
])('in a %s window calls at %j count until %j', (kind, times, want) => {
  expect(endsOf(kind, times)).toEqual(want);
});

test('a window may be longer than a minute', () => {
  expect(endsOf('fixed', [5_000, 30_000], 15_000)).toEqual([80_000, 80_000]);
  expect(endsOf('token-bucket', [5_000, 5_000], -30_000)).toEqual([8_000, 11_000]);
});

test('a call counts until its end and not at it', () => {
  expect(liveCalls([5_000, 30_000], 64_999)).toEqual([5_000, 30_000]);
  expect(liveCalls([5_000, 30_000], 65_000)).toEqual([30_000]);
});

test('a full window accepts the next call when the first one ceases to count', () => {
  expect([freesAt([5_000, 30_000]), freesAt([])]).toEqual([65_000, Number.NEGATIVE_INFINITY]);
});

describe('ten calls at once and then one each second are let through', () => {
  test.each<[WindowKind, number, number]>([
    // At once, and in the minute after.
    ['sliding', 10, 1],
    ['fixed', 10, 1],
    ['token-bucket', 10, 10],
    ['paced', 1, 10],
  ])('%s: %i, then %i', (kind, first, later) => {
    const rule = { kind, most: 10, extraMs: 0 };
    let starts: number[] = [];
    const call = (now: number) => {
      const live = liveCalls(starts, now);
      if (live.length >= mostAtOnce(rule)) return false;
      starts = [...live, countsFrom(live, now, rule)];
      return true;
    };
    const times = (count: number, from: number, step: number) =>
      Array.from({ length: count }, (_, index) => from + index * step);
    const atOnce = times(11, 0, 0).filter(call).length;
    const spread = times(60, 1_000, 1_000).filter(call).length;
    expect([atOnce, spread]).toEqual([first, later]);
  });
});
