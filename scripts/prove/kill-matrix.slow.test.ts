// Every fault, with all checks: it fails the requirement that it names, and no other. What `npm run prove` does, without recording it.
import { expect, test } from 'vitest';
import { checks } from '../../contract-tests/checks/index.ts';
import { requirementsThat, runAgainstMock } from '../../contract-tests/self/run-against-mock.ts';
import { faults } from '../../mock/faults/faults.ts';
import { type Kill, tryFault } from './kill-matrix.ts';
import { unbrokenChecks } from './matrix.ts';

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
