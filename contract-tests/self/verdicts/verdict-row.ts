import { expect } from 'vitest';
import type { RemarkId } from '../../deployment/remarks.ts';
import { alarmsIn, type MockRun, requirementsThat, runAgainstMock } from '../run-against-mock.ts';

/** A deployment and its expected verdicts. Other requirements may have any verdict except failed and error. */
export interface VerdictRow {
  /** Test title, for example "a limit as a token bucket". */
  behaviour: string;
  run(): MockRun;
  passes?: readonly string[];
  /** Passed or partly verified. */
  verifies?: readonly string[];
  /** Not verified. */
  leavesOpen?: readonly string[];
  /** Exactly these fail. */
  fails?: readonly string[];
  remarks?: readonly RemarkId[];
  /** Parts of notes, each of which appears once. */
  notes?: readonly string[];
  /** Gaps with drift. */
  drifts?: readonly string[];
}

export function row(
  behaviour: string,
  wanted: Omit<VerdictRow, 'behaviour' | 'run'>,
  run: VerdictRow['run'],
): VerdictRow {
  return { behaviour, ...wanted, run };
}

/** A deployment with one fault, which fails one requirement. */
export function broken(behaviour: string, fault: string, requirement: string, trial: MockRun): VerdictRow {
  return row(behaviour, { fails: [requirement] }, () => ({ faults: [fault], ...trial }));
}

/** Runs the suite against the deployment of a row, and checks the verdicts. */
export async function judgeRow(row: VerdictRow): Promise<void> {
  const report = await runAgainstMock(row.run());
  if (!row.fails) expect(alarmsIn(report)).toEqual([]);
  expect(requirementsThat('failed', report).toSorted()).toEqual((row.fails ?? []).toSorted());
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
  for (const part of row.notes ?? [])
    expect(report.notes?.filter((note) => note.includes(part))).toHaveLength(1);
  const drifting = report.gaps.filter(({ outcome }) => outcome === 'drift').map(({ id }) => id);
  expect(drifting).toEqual(expect.arrayContaining([...(row.drifts ?? [])]));
}
