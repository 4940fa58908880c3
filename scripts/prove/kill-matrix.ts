// The kill matrix: what becomes of each fault of the mock when the whole suite is run against it.

import type { SuiteOptions } from '../../contract-tests/core/suite-options.ts';
import { requirementsThat, runAgainstMock } from '../../contract-tests/self/run-against-mock.ts';
import type { Fault } from '../../mock/faults/fault.ts';

/** `caught`: the requirement that the fault breaks fails, and no other; `misattributed`: another fails, too or instead, or the suite itself goes wrong. */
export type Verdict = 'caught' | 'misattributed' | 'missed';

/** What a run against a mock with one fault came to. */
export interface Kill {
  fault: string;
  requirement: string;
  verdict: Verdict;
  /** Requirements that failed, or that the suite went wrong at. */
  failed: string[];
  /** Checks that failed. */
  checks: string[];
}

/** Generated cases are most of a run's requests: what is seen without most of them is tried with a few. */
const fewCases = 4;

interface Trial {
  /** Draws the world, whatever is random in the fault, and the generated cases. */
  seed?: number;
  /** The checks to run first, by id; all of them unless some are named. */
  only?: readonly string[];
}

/**
 * Runs the suite's tier `full` against a mock with a fault. Where that shows nothing it is run again with more: with all checks if only
 * some were run, then with all generated cases.
 */
export async function tryFault(fault: Fault, { seed = 1, only = [] }: Trial = {}): Promise<Kill> {
  const attempts = [...(only.length > 0 ? [{ only, cases: fewCases }] : []), { cases: fewCases }, {}];
  let kill: Kill | undefined;
  for (const attempt of attempts) {
    kill = await tryWith(fault, { seed, ...attempt });
    if (kill.verdict !== 'missed') break;
  }
  return kill as Kill;
}

async function tryWith({ id, requirement }: Fault, options: Partial<SuiteOptions>): Promise<Kill> {
  const report = await runAgainstMock({
    faults: [id],
    ...(options.seed !== undefined && { seed: options.seed }),
    options: { tier: 'full', ...options },
  });
  const failed = requirementsThat('failed', report);
  const broke = requirementsThat('error', report);
  const checks = report.requirements
    .flatMap((one) => one.checks)
    .filter(({ outcome }) => outcome === 'failed')
    .map((check) => check.id);
  const verdict = broke.length > 0 ? 'misattributed' : judge(requirement, failed);
  return { fault: id, requirement, verdict, failed: [...failed, ...broke], checks };
}

function judge(requirement: string, failed: readonly string[]): Verdict {
  if (failed.some((id) => id !== requirement)) return 'misattributed';
  return failed.length > 0 ? 'caught' : 'missed';
}
