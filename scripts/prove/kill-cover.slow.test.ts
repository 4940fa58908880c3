// Faults enough for every check, each of which fails the requirement that it names, and no other of those whose checks are run.
// `npm test` tries three faults, kill-matrix.slow.test.ts all faults with all checks.
import { expect, test } from 'vitest';
import { checks } from '../../contract-tests/checks/index.ts';
import { faults } from '../../mock/faults/faults.ts';
import { checksFor, coverOf } from './cover.ts';
import { type Kill, tryWithSome } from './kill-matrix.ts';
import { readMatrix, unbrokenChecks } from './matrix.ts';

const cover = coverOf(readMatrix());
const trials = cover.map((recorded, turn) => ({ ...recorded, recorded, turn }));
const kills: Kill[] = [];

test.for(trials)('$fault fails $requirement alone', async ({ recorded, turn, requirement }) => {
  const fault = faults.find(({ id }) => id === recorded.fault);
  if (!fault) throw new Error(`${recorded.fault} is recorded and no fault any more; run npm run prove`);
  const kill = await tryWithSome(fault, checksFor(requirement, checks, turn), recorded);
  kills.push(kill);
  expect(kill).toMatchObject({ verdict: 'caught', failed: fault.remark ? [] : [fault.requirement] });
});

test('by now every check has been seen failing', () => {
  expect(unbrokenChecks(kills, checks)).toEqual([]);
});
