// Validates written reports against their JSON Schema.
import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect, test } from 'vitest';
import { isObject } from '../../openapi/json.ts';
import { remarkTitles } from '../deployment/remarks.ts';
import { applyDemands, applyExpectedFailures } from '../reports/demands.ts';
import { reportOf, requirementWith, sample, sampleWith, warning } from '../reports/testing.ts';
import { requirementsThat, runAgainstMock } from './run-against-mock.ts';

const schema = JSON.parse(readFileSync(new URL('../../openapi/report.schema.json', import.meta.url), 'utf8'));

/** Rejects undescribed members, unlike the published schema, which allows newer reports. */
function mismatches(value: unknown): string[] {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  const validate = ajv.compile(closed(schema) as object);
  if (validate(JSON.parse(JSON.stringify(value)))) return [];
  return (validate.errors ?? []).map(({ instancePath, message, params }) =>
    `${instancePath} ${message} ${params.additionalProperty ?? ''}`.trim(),
  );
}

/** The schema without additional members. */
function closed(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(closed);
  if (!isObject(part)) return part;
  const entries = Object.entries(part).map(([name, value]) => [name, closed(value)] as const);
  return {
    ...Object.fromEntries(entries),
    ...(isObject(part.properties) && part.type === 'object' && { additionalProperties: false }),
  };
}

const shortfall = { demand: 'require', kind: 'not-verified', id: 'ENV-1', reason: 'x' } as const;

test.for([
  ['the sample', sample],
  ['hostile texts', sampleWith('a\n"\u0000')],
  ['an empty report', reportOf({})],
  ['a run that ended early', reportOf({ aborted: { kind: 'unreachable', reason: 'x' }, notes: ['y'] })],
  [
    'a report of a receiver',
    reportOf({ target: { base_url: 'x', profile: 'y', kind: 'receiver' }, warnings: [warning] }),
  ],
  ['shortfalls', reportOf({ shortfalls: [shortfall, { ...shortfall, demand: 'min-verified', id: null }] })],
  [
    'each outcome of a check',
    reportOf({
      requirements: [
        requirementWith('ENV-1', {
          a: 'passed',
          b: 'failed',
          c: 'not-verified',
          d: 'not-applicable',
          e: 'error',
        }),
      ],
    }),
  ],
] as const)('%s fits, and has no member that is not described', ([, report]) => {
  expect(mismatches(report)).toEqual([]);
});

test('accepts a real run with demands and expected failures', async () => {
  const run = await runAgainstMock({
    faults: ['no-trace-id-on-404'],
    options: { only: ['ENV-1', 'ENV-4', 'LOGIN-1', 'VERSION-1'] },
  });
  const entry = { id: 'ENV-1', line: 1, reason: 'x', until: '2999-12-31', checks: [] };
  const marked = applyExpectedFailures(run, { file: 'known.yaml', entries: [entry] });
  const report = applyDemands(marked, { require: ['HOOK-2'], minVerified: 81, baseline: run });
  expect(requirementsThat('failed', report)).toEqual(['ENV-1']);
  expect(report.shortfalls).toHaveLength(2);
  const login = report.coverage.find(({ operation }) => operation === 'login');
  expect(login?.times).toMatchObject({ calls: expect.any(Number), median_ms: expect.any(Number) });
  const accepted = report.coverage.reduce((sum, { times }) => sum + (times?.calls ?? 0), 0);
  expect(accepted).toBeGreaterThan(0);
  expect(accepted).toBeLessThan(report.requests);
  expect(mismatches(report)).toEqual([]);
});

test.for([
  ['/schema must be equal to constant', { ...sample, schema: 1 }],
  ["must have required property 'remarks'", { ...sample, remarks: undefined }],
  ['/summary/passed must be integer', { ...sample, summary: { ...sample.summary, passed: '1' } }],
  ['must NOT have additional properties newer', { ...sample, newer: 1 }],
] as const)('%s', ([want, report]) => {
  expect(mismatches(report)).toContain(want);
});

test('lists no remark ids, because later releases have more', () => {
  expect(schema.$defs.remark.properties.id).toEqual({ type: 'string' });
  expect(Object.keys(remarkTitles).length).toBeGreaterThan(10);
});
