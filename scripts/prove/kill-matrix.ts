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

/** Generated cases are most of a run's requests: what is seen without most of them is tried with a few. */
const fewCases = 4;

/**
 * Runs the suite's tier `full` against a mock with a fault, and once more with all generated cases where a few show nothing. The seed
 * draws the world, whatever is random in the fault, and the cases.
 */
export async function tryFault(fault: Fault, seed = 1, open?: MockRun['open']): Promise<Kill> {
  const kill = await tryWith(fault, { seed, cases: fewCases, open });
  return kill.verdict === 'missed' ? tryWith(fault, { seed, open }) : kill;
}

/**
 * Tries a fault with some of the checks, which takes a fraction of the time: with a few generated cases, then with all of them, and at last
 * with all checks, until it is caught and every check fails that is recorded to. A check may need what others did before it, and what a
 * fault is attributed to may depend on it.
 */
export async function tryWithSome(
  fault: Fault,
  only: readonly string[],
  recorded: Kill,
  open?: MockRun['open'],
): Promise<Kill> {
  const isAsRecorded = ({ verdict, checks }: Kill) =>
    verdict === 'caught' && recorded.checks.every((id) => checks.includes(id));
  const first = await tryWith(fault, { seed: 1, cases: fewCases, only, open });
  const kill = isAsRecorded(first) ? first : await tryWith(fault, { seed: 1, only, open });
  return isAsRecorded(kill) ? kill : tryFault(fault, 1, open);
}

async function tryWith({ id, requirement, remark }: Fault, { seed, open, ...choice }: Choice): Promise<Kill> {
  const options = { tier: 'full', seed, ...choice } as const;
  const report = await runAgainstMock({ faults: [id], seed, options, ...(open && { open }) });
  const failed = requirementsThat('failed', report);
  const broke = requirementsThat('error', report);
  const checks = report.requirements
    .filter((one) => remark === undefined || one.id === requirement)
    .flatMap((one) => one.checks)
    .filter(({ outcome }) => outcome === (remark === undefined ? 'failed' : 'not-applicable'))
    .map((check) => check.id);
  const isRemarked = report.remarks.some((one) => one.id === remark);
  const asWanted = remark === undefined ? judge(requirement, failed) : judgeRemark(isRemarked, failed);
  const verdict = broke.length > 0 ? 'misattributed' : asWanted;
  return { fault: id, requirement, verdict, failed: [...failed, ...broke], checks };
}

interface Choice {
  seed: number;
  cases?: number;
  /** Checks by id; all of them unless some are given. */
  only?: readonly string[];
  /** How the mock is started: in memory, unless stated. */
  open?: MockRun['open'];
}

function judgeRemark(isRemarked: boolean, failed: readonly string[]): KillVerdict {
  if (failed.length > 0) return 'misattributed';
  return isRemarked ? 'caught' : 'missed';
}

function judge(requirement: string, failed: readonly string[]): KillVerdict {
  if (failed.some((id) => id !== requirement)) return 'misattributed';
  return failed.length > 0 ? 'caught' : 'missed';
}
