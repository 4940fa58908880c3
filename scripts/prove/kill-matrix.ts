// The kill matrix: what becomes of each fault of the mock when the whole suite is run against it.
import {
  type MockRun,
  requirementsThat,
  runAgainstMock,
} from '../../contract-tests/self/run-against-mock.ts';
import type { Fault } from '../../mock/faults/fault.ts';

/** `caught`: the requirement that the fault breaks fails, and no other, or its remark is made and nothing fails; `misattributed`: another fails, too or instead, or the suite itself goes wrong. */
export type KillVerdict = 'caught' | 'misattributed' | 'missed';

/** What a run against a mock with one fault came to. */
export interface Kill {
  fault: string;
  requirement: string;
  verdict: KillVerdict;
  /** Requirements that failed, or that the suite went wrong at. */
  failed: string[];
  /** Checks that failed or, for a remark, that were not applicable. */
  checks: string[];
}

export interface Trial {
  /** Draws the world, whatever is random in the fault, and the generated cases. */
  seed: number;
  cases?: number;
  /** Checks by id; all of them unless some are given. */
  only?: readonly string[];
  /** How the mock is started: in memory, unless stated. */
  open?: MockRun['open'];
}

/** Generated cases are most of a run's requests: what is seen without most of them is tried with a few. */
export const fewCases = 4;

/** Runs the suite's tier `full` against a mock with a fault, and once more with all generated cases where a few show nothing. */
export async function tryFault(fault: Fault, trial: Trial): Promise<Kill> {
  const kill = await tryWith(fault, { ...trial, cases: fewCases });
  return kill.verdict === 'missed' ? tryWith(fault, trial) : kill;
}

export async function tryWith(fault: Fault, { seed, open, ...choice }: Trial): Promise<Kill> {
  const { id, requirement, remark } = fault;
  const options = { tier: 'full', seed, ...choice } as const;
  const report = await runAgainstMock({ faults: [id], seed, options, ...(open && { open }) });
  const failed = requirementsThat('failed', report);
  const broke = requirementsThat('error', report);
  const checks = report.requirements
    .filter((one) => remark === undefined || one.id === requirement)
    .flatMap((one) => one.checks)
    .filter(({ outcome }) => outcome === (remark === undefined ? 'failed' : 'not-applicable'))
    .map((check) => check.id);
  const isMisattributed = failed.some((one) => remark !== undefined || one !== requirement);
  const isSeen = remark === undefined ? failed.length > 0 : report.remarks.some((one) => one.id === remark);
  const verdict = isSeen ? 'caught' : 'missed';
  return {
    fault: id,
    requirement,
    verdict: broke.length > 0 || isMisattributed ? 'misattributed' : verdict,
    failed: [...failed, ...broke],
    checks,
  };
}
