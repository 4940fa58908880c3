// Every behaviour that the rule on verdicts names is a deployment here. Each row was seen wrong once before it was trusted.
// A row belongs to the file of the topic whose checks it is about.
import { expect, test } from 'vitest';
import { requirementsThat, runAgainstMock } from '../run-against-mock.ts';
import { envelopeRows } from './envelope-rows.ts';
import { eventRows } from './event-rows.ts';
import { idempotencyRows } from './idempotency-rows.ts';
import { identifierRows } from './identifier-rows.ts';
import { identifierTypeRows } from './identifier-type-rows.ts';
import { keyRows } from './key-rows.ts';
import { limitRows } from './limit-rows.ts';
import { networkRows } from './network-rows.ts';
import { retryRows } from './retry-rows.ts';
import { robotRows } from './robot-rows.ts';
import { sessionRows } from './session-rows.ts';
import { signatureRows } from './signature-rows.ts';
import { subscriptionRows } from './subscription-rows.ts';
import type { VerdictRow } from './verdict-row.ts';

const rows: readonly VerdictRow[] = [
  ...limitRows,
  ...idempotencyRows,
  ...keyRows,
  ...eventRows,
  ...signatureRows,
  ...robotRows,
  ...retryRows,
  ...subscriptionRows,
  ...sessionRows,
  ...envelopeRows,
  ...networkRows,
  ...identifierRows,
  ...identifierTypeRows,
];

test('no two rows have the same behaviour', () => {
  const behaviours = rows.map(({ behaviour }) => behaviour);
  expect(behaviours).toEqual([...new Set(behaviours)]);
});

test.for(rows)('$behaviour', async (row) => {
  const report = await runAgainstMock(row.run());
  const failures = report.requirements
    .flatMap(({ checks }) => checks)
    .filter(({ outcome }) => outcome === 'failed' || outcome === 'error')
    .map(({ id, reason }) => `${id}: ${reason}`);
  expect({ failed: requirementsThat('failed', report), failures: row.fails ? [] : failures }).toEqual({
    failed: row.fails ? expect.arrayContaining([...row.fails]) : [],
    failures: [],
  });
  if (row.fails) expect(requirementsThat('failed', report).toSorted()).toEqual(row.fails.toSorted());
  expect(requirementsThat('error', report)).toEqual([]);
  const passed = requirementsThat('passed', report);
  expect(passed).toEqual(expect.arrayContaining([...(row.passes ?? [])]));
  expect([...passed, ...requirementsThat('partly', report)]).toEqual(
    expect.arrayContaining([...(row.verifies ?? [])]),
  );
  expect(requirementsThat('not-verified', report)).toEqual(
    expect.arrayContaining([...(row.leavesOpen ?? [])]),
  );
  expect(report.remarks.map(({ id }) => id)).toEqual(expect.arrayContaining([...(row.remarks ?? [])]));
  const drifting = report.gaps.filter(({ outcome }) => outcome === 'drift').map(({ id }) => id);
  expect(drifting).toEqual(expect.arrayContaining([...(row.drifts ?? [])]));
});
