// A fault fails the requirement that it names, and no other of those whose checks are run. `npm test` tries every twenty-seventh requirement with
// one fault, CI each requirement with one, and the nightly tests all faults with all checks.
import { describe, expect, test } from 'vitest';
import { checks } from '../../contract-tests/checks/index.ts';
import { requirementsThat, runAgainstMock } from '../../contract-tests/self/run-against-mock.ts';
import { faults } from '../../mock/faults/faults.ts';
import { readRequirements } from '../../openapi/registers.ts';
import { checksFor, coverOf } from './cover.ts';
import { type Kill, tryFault, tryWithSome } from './kill-matrix.ts';
import { beyondFaults, readMatrix, unbrokenChecks } from './matrix.ts';

const cover = coverOf(readMatrix());
const oneEach = [...new Map(cover.map((recorded) => [recorded.requirement, recorded])).values()];
const trials = oneEach.map((recorded, turn) => ({ ...recorded, recorded, turn }));
const [some, others] = [trials.filter(isTriedAtOnce), trials.filter((trial) => !isTriedAtOnce(trial))];

test.for(some)('$fault fails $requirement alone', expectCaught);
test.for(others)('$fault fails $requirement alone', { tags: ['ci'] }, expectCaught);

function isTriedAtOnce({ turn }: (typeof trials)[number]): boolean {
  return turn % 27 === 0;
}

async function expectCaught({ recorded, turn, requirement }: (typeof trials)[number]): Promise<void> {
  const fault = faults.find(({ id }) => id === recorded.fault);
  if (!fault) throw new Error(`${recorded.fault} is recorded and no fault any more; run npm run prove`);
  // Which of the checks see it is judged with all faults.
  const kill = await tryWithSome(fault, checksFor(requirement, checks, turn), { ...recorded, checks: [] });
  expect(kill).toMatchObject({ verdict: 'caught', failed: fault.remark ? [] : [fault.requirement] });
}

test('every requirement with a check that a fault can break is broken by two faults at least', () => {
  const breakable = checks.filter(({ id }) => !(id in beyondFaults)).map(({ requirement }) => requirement);
  const timesBroken = (id: string) => faults.filter(({ requirement }) => requirement === id).length;
  expect([...new Set(breakable)].filter((id) => timesBroken(id) < 2)).toEqual([]);
});

test('every fault breaks a requirement of the register', () => {
  const known = readRequirements().map(({ id }) => id);
  expect(faults.filter(({ requirement }) => !known.includes(requirement))).toEqual([]);
});

// What `npm run prove` does, without recording it.
describe('with all faults', { tags: ['nightly'] }, () => {
  const kills: Kill[] = [];

  test.for(faults)('$id fails $requirement alone', async (fault) => {
    const kill = await tryFault(fault);
    kills.push(kill);
    expect(kill).toMatchObject({ verdict: 'caught', failed: fault.remark ? [] : [fault.requirement] });
  });

  test('by now every check has been seen failing', () => {
    expect(unbrokenChecks(kills, checks)).toEqual([]);
  });

  test('two faults at once fail both of their requirements', async () => {
    const pairs = [
      ['no-trace-id-on-404', 'third-retry-missing'],
      ['signature-over-latin-1', 'content-delete-lost'],
      ['sixth-key-created', 'eleventh-login-taken'],
      ['message-ok-on-refresh', 'tenth-publish-refused'],
      ['session-token-refused-on-test', 'publish-failed-told-as-complete'],
      ['form-submit-refused-alone', 'login-limit-shared-by-tenants'],
      ['expired-token-not-renewed', 'feishu-retries-unsigned'],
    ];
    for (const ids of pairs) {
      const report = await runAgainstMock({ faults: ids, options: { tier: 'full' } });
      const wanted = faults.filter(({ id }) => ids.includes(id)).map(({ requirement }) => requirement);
      expect(requirementsThat('failed', report).toSorted()).toEqual(wanted.toSorted());
    }
  });
});
