import { expect, test } from 'vitest';
import { checks } from '../../contract-tests/checks/index.ts';
import { faults } from '../../mock/faults/faults.ts';
import type { Kill, KillVerdict } from './kill-matrix.ts';
import { newlyWrong, readMatrix, unbrokenChecks } from './matrix.ts';
import { checksFor } from './testing/expect-caught.ts';

const matrix = readMatrix();

test('every fault stands in the matrix, as `npm run prove` records it', () => {
  expect(matrix.map(({ fault, requirement }) => [fault, requirement])).toEqual(
    faults.map(({ id, requirement }) => [id, requirement]),
  );
});

test('the matrix names no check that is gone', () => {
  const known = checks.map(({ id }) => id);
  expect(matrix.flatMap((kill) => kill.checks).filter((id) => !known.includes(id))).toEqual([]);
});

test('every fault was caught, and every check is broken by one', () => {
  expect(matrix.filter(({ verdict }) => verdict !== 'caught')).toEqual([]);
  expect(unbrokenChecks(matrix, checks)).toEqual([]);
});

test('asks for no fault of what no fault can break', () => {
  expect(unbrokenChecks([], [{ id: 'version-1-base-address' }, { id: 'y' }])).toEqual(['y']);
});

test.for<[KillVerdict | undefined, KillVerdict, boolean]>([
  ['caught', 'caught', false],
  ['caught', 'missed', true],
  ['caught', 'misattributed', true],
  ['missed', 'caught', false],
  ['missed', 'missed', false],
  ['missed', 'misattributed', true],
  [undefined, 'caught', false],
  [undefined, 'missed', true],
])('recorded as %s and now %s: newly wrong is %s', ([before, now, isWrong]) => {
  const kill = (verdict: KillVerdict): Kill => ({
    fault: 'a',
    requirement: 'HOOK-1',
    verdict,
    failed: [],
    checks: [],
  });
  expect(newlyWrong([kill(now)], before === undefined ? [] : [kill(before)])).toHaveLength(isWrong ? 1 : 0);
});

const many = ['A-1', 'A-2', 'AB-1', 'B-1', 'B-2', 'B-3', 'B-4', 'B-5'].map((requirement) => ({
  id: requirement.toLowerCase(),
  requirement,
}));

test.for([
  [0, ['a-1', 'a-2', 'ab-1', 'b-1', 'b-2', 'b-3']],
  [1, ['a-1', 'a-2', 'b-4', 'b-5', 'ab-1', 'b-1']],
] as const)('a fault is tried with the checks of its topic and others; turn %i', ([turn, ids]) => {
  expect(checksFor('A-2', many, turn)).toEqual(ids);
});
