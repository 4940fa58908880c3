// Faults enough for every check, each of which fails the requirement that it names, and no other. `npm run prove` tries all of them.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { checks } from '../../contract-tests/checks/index.ts';
import { requirementsThat, runAgainstMock } from '../../contract-tests/self/run-against-mock.ts';
import { faults } from '../../mock/faults/faults.ts';
import { readRequirements } from '../../openapi/registers.ts';
import { coverOf } from './cover.ts';
import { tryFault } from './kill-matrix.ts';
import { beyondFaults } from './ratchet.ts';

const cover = coverOf(JSON.parse(readFileSync(new URL('./matrix.json', import.meta.url), 'utf8')));

test.for(faults.filter(({ id }) => cover.includes(id)))('$id fails $requirement alone', async (fault) => {
  expect(await tryFault(fault)).toMatchObject({ verdict: 'caught', failed: [fault.requirement] });
});

test('every requirement with a check that a fault can break is broken by two faults at least', () => {
  const breakable = checks.filter(({ id }) => !(id in beyondFaults)).map(({ requirement }) => requirement);
  const timesBroken = (id: string) => faults.filter(({ requirement }) => requirement === id).length;
  expect([...new Set(breakable)].filter((id) => timesBroken(id) < 2)).toEqual([]);
});

test('every fault breaks a requirement that there is', () => {
  const known = readRequirements().map(({ id }) => id);
  expect(faults.filter(({ requirement }) => !known.includes(requirement))).toEqual([]);
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
