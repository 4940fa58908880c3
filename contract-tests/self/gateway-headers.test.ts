// A mock behind a gateway that demands a header of every call.
import { describe, expect, test } from 'vitest';
import { loadProfile } from '../../openapi/profile.ts';
import { harOf } from '../reports/har.ts';
import { startRun } from '../run/run-suite.ts';
import { discoverMock } from './discover-mock.ts';
import { gateConnection as connection, createGate, gateConnection } from './gate.ts';
import { requirementsThat, runAgainstMock } from './run-against-mock.ts';

test('the archive of a run has the header, without its value', async () => {
  const gate = createGate();
  let archive = '';
  const report = await runAgainstMock({
    tamper: () => gate.tamper,
    options: { connection: gateConnection, only: ['LOGIN-1', 'ENV-1', 'HOOK-1'] },
    beforeEnd: async (_report, options) => {
      const { context, finish } = await startRun(options);
      archive = JSON.stringify(harOf(context.exchanges, { version: '0', redact: context.secrets.redact }));
      await finish();
    },
  });
  expect(requirementsThat('passed', report)).toEqual(['ENV-1', 'LOGIN-1', 'HOOK-1']);
  expect(gate.refused).toEqual([]);
  expect(archive).toContain('{"name":"X-Gate-Token","value":"{SITEPUB_HEADER_X_GATE_TOKEN}"}');
  expect(archive).not.toContain('s3cr3t');
});

test('without it, the run says what the gateway answered, and blames no requirement', async () => {
  const gate = createGate();
  const report = await runAgainstMock({ tamper: () => gate.tamper });
  expect(report.aborted).toMatchObject({ kind: 'unreachable', reason: expect.stringContaining('(HTTP 403') });
  expect([...requirementsThat('failed', report), ...requirementsThat('error', report)]).toEqual([]);
  expect(gate.refused.length).toBeGreaterThan(0);
});

// Whole runs and discoveries behind a gateway that demands a header of every call.
describe('in a whole run', { tags: ['ci'] }, () => {
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
});
