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

test('every check is made to fail by a fault of the cover, with as few as possible', () => {
  const kills = [
    kill('a', 'R-1', 'x'),
    kill('b', 'R-1', 'x', 'y'),
    kill('c', 'R-2', 'z'),
    kill('d', 'R-1', 'y'),
  ];
  expect(coverOf(kills)).toEqual(['a', 'b', 'c']);
});

test('every requirement is broken twice where it can be', () => {
  const kills = [kill('a', 'R-1', 'x'), kill('b', 'R-1', 'x'), kill('c', 'R-1', 'x')];
  expect(coverOf(kills)).toEqual(['a', 'b']);
});

test('nothing covers nothing', () => {
  expect(coverOf([])).toEqual([]);
});
