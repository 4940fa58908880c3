// Each fault must fail the requirement that it names, and no other. `npm test` tries one fault for every 27th requirement, CI one fault for each
// requirement, and the nightly tests try all faults with all checks.
import { describe, expect, test } from 'vitest';
import { checks } from '../../contract-tests/checks/index.ts';
import { requirementsThat, runAgainstMock } from '../../contract-tests/self/run-against-mock.ts';
import { faults } from '../../mock/faults/faults.ts';
import {
  beyondFaults,
  type Kill,
  type KillVerdict,
  newlyWrong,
  readMatrix,
  tryFault,
  unbrokenChecks,
} from './kill-matrix.ts';
import { expectCaught } from './testing/expect-caught.ts';

const matrix = readMatrix();

test('the matrix contains every fault (run `npm run prove`)', () => {
  expect(matrix.map(({ fault, requirement }) => [fault, requirement])).toEqual(
    faults.map(({ id, requirement }) => [id, requirement]),
  );
});

test('the matrix names only existing checks', () => {
  const known = checks.map(({ id }) => id);
  expect(matrix.flatMap((kill) => kill.checks).filter((id) => !known.includes(id))).toEqual([]);
});

test('every fault was caught, and every check is broken by one', () => {
  expect(matrix.filter(({ verdict }) => verdict !== 'caught')).toEqual([]);
  expect(unbrokenChecks(matrix, checks)).toEqual([]);
});

test('needs no fault for checks that no fault can break', () => {
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
])('recorded as %s and now %s is newly wrong: %s', ([before, now, isWrong]) => {
  const kill = { fault: 'a', requirement: 'HOOK-1', failed: [], checks: [] };
  const recorded = before === undefined ? [] : [{ ...kill, verdict: before }];
  expect(newlyWrong([{ ...kill, verdict: now }], recorded)).toHaveLength(isWrong ? 1 : 0);
});

const oneEach = [...Map.groupBy(faults, ({ requirement }) => requirement).values()].flatMap(
  ([first]) => first ?? [],
);
const trials = oneEach.map((fault, turn) => ({ ...fault, fault, turn }));
const isTriedAtOnce = ({ turn }: (typeof trials)[number]) => turn % 27 === 0;

test.for(trials.filter(isTriedAtOnce))('$id fails only $requirement', ({ fault, turn }) =>
  expectCaught(fault, { turn }),
);
test.for(trials.filter((trial) => !isTriedAtOnce(trial)))(
  '$id fails only $requirement',
  { tags: ['ci'] },
  ({ fault, turn }) => expectCaught(fault, { turn }),
);

test('at least two faults break each requirement that faults can break', () => {
  const breakable = checks.filter(({ id }) => !(id in beyondFaults)).map(({ requirement }) => requirement);
  const timesBroken = (id: string) => faults.filter(({ requirement }) => requirement === id).length;
  expect([...new Set(breakable)].filter((id) => timesBroken(id) < 2)).toEqual([]);
});

// Like `npm run prove`, but records nothing.
describe('with all faults', { tags: ['nightly'] }, () => {
  const kills: Kill[] = [];

  test.for(faults)('$id fails only $requirement', async (fault) => {
    const kill = await tryFault(fault, { seed: 1 });
    kills.push(kill);
    expect(kill).toMatchObject({ verdict: 'caught', failed: fault.remark ? [] : [fault.requirement] });
  });

  test('every check has failed for a fault', () => {
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
