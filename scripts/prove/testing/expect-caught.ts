// Tries a fault with some checks, which is much faster than with all.
import { expect } from 'vitest';
import type { Check } from '../../../contract-tests/check.ts';
import { checks } from '../../../contract-tests/checks/index.ts';
import type { Fault } from '../../../mock/faults/fault.ts';
import { fewCases, type Trial, tryFault, tryWith } from '../kill-matrix.ts';

interface Choice {
  /** Chooses the checks of other topics. */
  turn?: number;
  open?: Trial['open'];
}

/** Tries few generated cases, then all, then all checks, because a check may need what other checks did before. */
export async function expectCaught(fault: Fault, { turn = 0, open }: Choice = {}): Promise<void> {
  const trial: Trial = { seed: 1, only: checksFor(fault.requirement, turn), open };
  const attempts = [
    () => tryWith(fault, { ...trial, cases: fewCases }),
    () => tryWith(fault, trial),
    () => tryFault(fault, { seed: 1, open }),
  ];
  for (const attempt of attempts) {
    const kill = await attempt();
    if (kill.verdict !== 'caught' && attempt !== attempts.at(-1)) continue;
    expect(kill).toMatchObject({ verdict: 'caught', failed: fault.remark ? [] : [fault.requirement] });
    return;
  }
}

/** Number of checks of other topics. */
const others = 4;

/** Chooses all checks of the topic (HOOK for HOOK-3), which could be blamed by mistake, and some others that change with `turn`. */
function checksFor(requirement: string, turn: number): string[] {
  const isNear = (check: Check) => topicOf(check.requirement) === topicOf(requirement);
  const far = checks.filter((check) => !isNear(check));
  const sample = Array.from({ length: others }, (_, at) => far[(turn * others + at) % far.length]);
  return [...checks.filter(isNear), ...sample].flatMap((check) => check?.id ?? []);
}

function topicOf(requirement: string): string {
  return requirement.slice(0, requirement.lastIndexOf('-'));
}
