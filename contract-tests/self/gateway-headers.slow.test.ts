// Whole runs and discoveries behind a gateway that demands a header of every call.
import { expect, test } from 'vitest';
import { loadProfile } from '../../openapi/profile.ts';
import { discoverMock } from './discover-mock.ts';
import { gateConnection as connection, createGate } from './gate.ts';
import { requirementsThat, runAgainstMock } from './run-against-mock.ts';

test('every call of a full run has the header', async () => {
  const gate = createGate();
  const options = { connection, tier: 'full', cases: 2 } as const;
  const report = await runAgainstMock({ tamper: () => gate.tamper, options });
  expect(gate.refused).toEqual([]);
  expect(requirementsThat('failed', report)).toEqual([]);
  expect(report.summary.passed).toBeGreaterThan(60);
});

test('every call of a discovery has the header, those that clean up too', async () => {
  const gate = createGate();
  const { profile, leftovers } = await discoverMock({
    spoken: loadProfile('default'),
    knows: 'paths',
    controls: true,
    tamper: gate.tamper,
    options: { connection },
  });
  expect(gate.refused).toEqual([]);
  expect(leftovers.filter(({ what }) => what === 'subscription')).toEqual([]);
  expect(profile).not.toContain('s3cr3t');
});
