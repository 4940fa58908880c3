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
  const trial: Trial = { seed: 1, only: checksFor(fault.requirement, checks, turn), open };
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
export function checksFor(
  requirement: string,
  checks: readonly Pick<Check, 'id' | 'requirement'>[],
  turn: number,
): string[] {
  const isNear = (check: Pick<Check, 'requirement'>) => topicOf(check.requirement) === topicOf(requirement);
  const near = checks.filter(isNear);
  const far = checks.filter((check) => !isNear(check));
  const start = turn * others;
  const sample = Array.from(
    { length: Math.min(others, far.length) },
    (_, at) => far[(start + at) % far.length],
  );
  return [...near, ...sample].flatMap((check) => check?.id ?? []);
}

function topicOf(requirement: string): string {
  return requirement.slice(0, requirement.lastIndexOf('-'));
}
