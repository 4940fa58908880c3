import { expect, test } from 'vitest';
import type { Kill } from './kill-matrix.ts';
import { fallsBehind, type Tally, tallyOf, unbrokenChecks } from './ratchet.ts';

const caught: Kill = {
  fault: 'a',
  requirement: 'HOOK-1',
  verdict: 'caught',
  failed: ['HOOK-1'],
  checks: ['x'],
};
const missed: Kill = { fault: 'b', requirement: 'HOOK-2', verdict: 'missed', failed: [], checks: [] };
const tally: Tally = { faults: 2, caught: 1, misattributed: 0, missed: 1, checks_unbroken: 1 };

test('counts verdicts, and checks that nothing breaks', () => {
  expect(tallyOf([caught, missed], [{ id: 'x' }, { id: 'y' }])).toEqual(tally);
});

test('asks for no fault of what no fault can break', () => {
  expect(unbrokenChecks([], [{ id: 'version-1-base-address' }, { id: 'y' }])).toEqual(['y']);
});

test.for<[Partial<Tally>, string[]]>([
  [{}, []],
  [{ faults: 3, caught: 3, missed: 0, checks_unbroken: 0 }, []],
  [{ faults: 1 }, ['faults: 1, where it was 2']],
  [{ caught: 0 }, ['caught: 0, where it was 1']],
  [{ misattributed: 1 }, ['misattributed: 1, where it was 0']],
  [{ missed: 2 }, ['missed: 2, where it was 1']],
  [{ checks_unbroken: 2 }, ['checks unbroken: 2, where it was 1']],
])('%j falls behind in %j', ([change, want]) => {
  expect(fallsBehind(tally, { ...tally, ...change })).toEqual(want);
});
