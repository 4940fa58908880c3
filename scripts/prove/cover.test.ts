import { expect, test } from 'vitest';
import { coverOf } from './cover.ts';
import type { Kill } from './kill-matrix.ts';

const kill = (fault: string, requirement: string, ...checks: string[]): Kill => ({
  fault,
  requirement,
  verdict: 'caught',
  failed: [requirement],
  checks,
});

test('every check is made to fail by a fault of the cover', () => {
  const kills = [
    kill('a', 'R-1', 'x'),
    kill('b', 'R-1', 'x', 'y'),
    kill('c', 'R-2', 'z'),
    kill('d', 'R-1', 'y'),
  ];
  expect(coverOf(kills)).toEqual(['b', 'c']);
});

test('nothing covers nothing', () => {
  expect(coverOf([])).toEqual([]);
});
