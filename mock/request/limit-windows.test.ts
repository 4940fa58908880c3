import { describe, expect, test } from 'vitest';
import { freesAt, liveCalls, type WindowKind } from './limit-windows.ts';

const tests: [WindowKind, number[], number, number[]][] = [
  ['sliding', [], 5_000, []],
  ['sliding', [5_000, 30_000], 64_999, [5_000, 30_000]],
  ['sliding', [5_000, 30_000], 65_000, [30_000]],
  ['fixed', [5_000, 30_000], 64_999, [5_000, 30_000]],
  ['fixed', [5_000, 30_000], 65_000, []],
  ['aligned', [5_000, 30_000], 59_999, [5_000, 30_000]],
  ['aligned', [5_000, 30_000], 60_000, []],
];

test.each(tests)('a %s window with calls at %j counts at %i those at %j', (kind, times, now, want) => {
  expect(liveCalls(times, now, kind)).toEqual(want);
});

describe('a full window accepts the next call', () => {
  test.each([
    ['sliding', 65_000],
    ['fixed', 65_000],
    ['aligned', 60_000],
  ] as const)('%s: at %i', (kind, want) => {
    const times = [5_000, 30_000];
    expect(freesAt(times, kind)).toBe(want);
    expect(liveCalls(times, want - 1, kind)).toHaveLength(2);
    expect(liveCalls(times, want, kind).length).toBeLessThan(2);
  });
});
