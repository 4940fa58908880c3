// Every fault of the mock fails the requirement that it names, and no other.
import { expect, test } from 'vitest';
import { faults } from '../../mock/faults/faults.ts';
import { readRequirements } from '../../openapi/registers.ts';
import { checks } from '../checks/index.ts';
import { requirementsThat, runAgainstMock } from './run-against-mock.ts';

/** The address is refused before anything is sent, so that no fault of a service behind it is ever seen. */
const withoutFault = ['VERSION-1'];

test.for(faults)('$id fails $requirement alone', async ({ id, requirement }) => {
  const report = await runAgainstMock({ faults: [id], options: { tier: 'full' } });
  expect({
    failed: requirementsThat('failed', report),
    error: requirementsThat('error', report),
  }).toEqual({ failed: [requirement], error: [] });
});

test('every requirement with a check is broken by two faults at least', () => {
  const broken = faults.map(({ requirement }) => requirement);
  const checked = [...new Set(checks.map(({ requirement }) => requirement))];
  const rarelyBroken = checked.filter((id) => broken.filter((one) => one === id).length < 2);
  expect(rarelyBroken).toEqual(withoutFault);
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
  ];
  for (const ids of pairs) {
    const report = await runAgainstMock({ faults: ids, options: { tier: 'full' } });
    const wanted = faults.filter(({ id }) => ids.includes(id)).map(({ requirement }) => requirement);
    expect(requirementsThat('failed', report).toSorted()).toEqual(wanted.toSorted());
  }
});
