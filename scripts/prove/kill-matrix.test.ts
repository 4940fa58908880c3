// A fault fails the requirement that it names, and no other of those whose checks are run. `npm test` tries every twenty-seventh requirement with
// one fault, CI each requirement with one, and the nightly tests all faults with all checks.
import { describe, expect, test } from 'vitest';
import { checks } from '../../contract-tests/checks/index.ts';
import { requirementsThat, runAgainstMock } from '../../contract-tests/self/run-against-mock.ts';
import { faults } from '../../mock/faults/faults.ts';
import { readRequirements } from '../../openapi/registers.ts';
import { type Kill, tryFault } from './kill-matrix.ts';
import { beyondFaults, unbrokenChecks } from './matrix.ts';
import { expectCaught } from './testing/expect-caught.ts';

const oneEach = [...Map.groupBy(faults, ({ requirement }) => requirement).values()].flatMap(
  ([first]) => first ?? [],
);
const trials = oneEach.map((fault, turn) => ({ ...fault, fault, turn }));
const isTriedAtOnce = ({ turn }: (typeof trials)[number]) => turn % 27 === 0;

test.for(trials.filter(isTriedAtOnce))('$id fails $requirement alone', ({ fault, turn }) =>
  expectCaught(fault, { turn }),
);
test.for(trials.filter((trial) => !isTriedAtOnce(trial)))(
  '$id fails $requirement alone',
  { tags: ['ci'] },
  ({ fault, turn }) => expectCaught(fault, { turn }),
);

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
    const kill = await tryFault(fault, { seed: 1 });
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
