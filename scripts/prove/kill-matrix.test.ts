// A fault for every twenty-seventh requirement, each of which fails the requirement that it names, and no other of those whose checks are run.
// `npm run test:all` tries faults enough for every check (kill-cover.slow.test.ts), and all faults with all checks (kill-matrix.slow.test.ts).
import { expect, test } from 'vitest';
import { checks } from '../../contract-tests/checks/index.ts';
import { faults } from '../../mock/faults/faults.ts';
import { readRequirements } from '../../openapi/registers.ts';
import { checksFor, coverOf } from './cover.ts';
import { tryWithSome } from './kill-matrix.ts';
import { beyondFaults, readMatrix } from './matrix.ts';

const cover = coverOf(readMatrix());
const oneEach = [...new Map(cover.map((recorded) => [recorded.requirement, recorded])).values()];
const trials = oneEach.flatMap((recorded, turn) => (turn % 27 === 0 ? { ...recorded, recorded, turn } : []));

test.for(trials)('$fault fails $requirement alone', async ({ recorded, turn, requirement }) => {
  const fault = faults.find(({ id }) => id === recorded.fault);
  if (!fault) throw new Error(`${recorded.fault} is recorded and no fault any more; run npm run prove`);
  // Which checks see it is judged by kill-cover.slow.test.ts.
  const kill = await tryWithSome(fault, checksFor(requirement, checks, turn), { ...recorded, checks: [] });
  expect(kill).toMatchObject({ verdict: 'caught', failed: fault.remark ? [] : [fault.requirement] });
});

test('every requirement with a check that a fault can break is broken by two faults at least', () => {
  const breakable = checks.filter(({ id }) => !(id in beyondFaults)).map(({ requirement }) => requirement);
  const timesBroken = (id: string) => faults.filter(({ requirement }) => requirement === id).length;
  expect([...new Set(breakable)].filter((id) => timesBroken(id) < 2)).toEqual([]);
});

test('every fault breaks a requirement of the register', () => {
  const known = readRequirements().map(({ id }) => id);
  expect(faults.filter(({ requirement }) => !known.includes(requirement))).toEqual([]);
});
