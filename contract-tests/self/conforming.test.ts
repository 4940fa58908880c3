// @module-tag ci
// No false alarm: deployments that keep every promise, each in its own way, fail no requirement, whatever profile the suite is told.
import { expect, test } from 'vitest';
import { loadProfile, noProfile } from '../../openapi/profile.ts';
import { expectWhole, verdictsOf } from './expect-verified.ts';
import { requirementsThat, runAgainstMock } from './run-against-mock.ts';

// The other packaged profiles are in population.test.ts.
test('verifies a deployment that speaks default, and leaves nothing that it can delete', async () => {
  expectWhole(await runAgainstMock({ options: { tier: 'full', cases: 4 } }), loadProfile('default'));
});

// Profiles that fit less well are in wrong-profiles.test.ts.
test('fails nothing of default when told nothing', async () => {
  const { failed, error } = verdictsOf(await runAgainstMock({ told: noProfile }));
  expect({ failed, error }).toEqual({ failed: [], error: [] });
});

test('gives each requirement once, and what was called', async () => {
  const { requirements, coverage, summary, target } = await runAgainstMock({
    options: { only: ['LOGIN-1'] },
  });
  expect(new Set(requirements.map(({ id }) => id)).size).toBe(81);
  expect(requirements).toHaveLength(81);
  expect(summary).toEqual({ passed: 1, failed: 0, partly: 0, warned: 0, not_verified: 80, error: 0 });
  expect(target.profile).toBe('default');
  expect(coverage).toContainEqual(
    expect.objectContaining({ operation: 'login', statuses: [200], requests: 1 }),
  );
});

test('creates nothing in the smoke tier', async () => {
  const calls: string[] = [];
  const report = await runAgainstMock({
    options: { tier: 'smoke' },
    tamper: () => (message, forward) => {
      calls.push(`${message.method} ${message.path}`);
      return forward(message);
    },
  });
  expect(verdictsOf(report)).toEqual({ failed: [], error: [], drift: [] });
  expect(requirementsThat('passed', report)).toContain('REFRESH-1');
  expect(calls.filter((call) => call.startsWith('DELETE'))).toEqual([]);
});
