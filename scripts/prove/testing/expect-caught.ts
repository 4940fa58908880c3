// Tries a fault with some of the checks, which takes a fraction of the time.
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

/**
 * Expects that the fault fails its requirement alone: with a few generated cases, with all of them, or at last with all checks.
 * A check may need what others did before it, and what a fault is attributed to may depend on it.
 */
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

/** How many checks of other topics a fault is tried with. */
const others = 4;

/**
 * The checks, by id, that a fault is tried with: all of its topic (HOOK for HOOK-3), to which it would most likely be attributed by
 * mistake, and a few others, the next ones with each turn, so that every check meets faults of other topics.
 */
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
