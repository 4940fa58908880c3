import { expect, test } from 'vitest';
import { checksFor, coverOf } from './cover.ts';
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
  expect(coverOf(kills).map(({ fault }) => fault)).toEqual(['b', 'c']);
});

test('nothing covers nothing', () => {
  expect(coverOf([])).toEqual([]);
});

const checks = ['A-1', 'A-2', 'AB-1', 'B-1', 'B-2', 'B-3', 'B-4', 'B-5'].map((requirement) => ({
  id: requirement.toLowerCase(),
  requirement,
}));

test.for([
  [0, ['a-1', 'a-2', 'ab-1', 'b-1', 'b-2', 'b-3']],
  [1, ['a-1', 'a-2', 'b-4', 'b-5', 'ab-1', 'b-1']],
] as const)('a fault is tried with the checks of its topic and others; turn %i', ([turn, ids]) => {
  expect(checksFor('A-2', checks, turn)).toEqual(ids);
});
