// A mock behind a gateway that demands a header of every call.
import { expect, test } from 'vitest';
import { loadProfile } from '../../openapi/profile.ts';
import { harOf } from '../reports/har.ts';
import { startRun } from '../run/run-suite.ts';
import { discoverMock } from './discover-mock.ts';
import { requirementsThat, runAgainstMock } from './run-against-mock.ts';
import type { Tamper } from './tampering-proxy.ts';

const connection = { headers: { 'X-Gate-Token': 's3cr3t-of-the-gate' } };

test('every call of a run has the header, and so has none of the archive its value', async () => {
  const gate = createGate();
  let archive = '';
  const report = await runAgainstMock({
    tamper: () => gate.tamper,
    options: { connection, tier: 'full', cases: 2 },
    beforeEnd: async (_report, options) => {
      const { context, finish } = await startRun(options);
      archive = JSON.stringify(harOf(context.exchanges, { version: '0', redact: context.secrets.redact }));
      await finish();
    },
  });
  expect(gate.refused).toEqual([]);
  expect(requirementsThat('failed', report)).toEqual([]);
  expect(report.summary.passed).toBeGreaterThan(60);
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

test('every call of a discovery has the header', async () => {
  const gate = createGate();
  const spoken = loadProfile('default');
  const { profile } = await discoverMock({
    spoken,
    knows: 'paths',
    controls: true,
    tamper: gate.tamper,
    options: { connection },
  });
  expect(gate.refused).toEqual([]);
  expect(profile).not.toContain('s3cr3t');
});

/** Lets through what has the header, and notes what it refused. */
function createGate() {
  const refused: string[] = [];
  const tamper: Tamper = (message, forward) => {
    if (message.headers['x-gate-token'] === connection.headers['X-Gate-Token']) return forward(message);
    refused.push(`${message.method} ${message.path}`);
    return { status: 403, headers: { 'content-type': 'text/html' }, body: Buffer.from('<h1>Forbidden</h1>') };
  };
  return { refused, tamper };
}
