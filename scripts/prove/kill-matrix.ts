// The kill matrix: how the suite judges a mock with each fault. matrix.json records the results.
import { requirementsThat, runAgainstMock, type MockRun } from '../../contract-tests/self/run-against-mock.ts';
import type { Fault } from '../../mock/faults/fault.ts';
import { readFileSync, writeFileSync } from 'node:fs';
import type { Check } from '../../contract-tests/check.ts';

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

const file = new URL('./matrix.json', import.meta.url);

export function readMatrix(): Kill[] {
  return JSON.parse(readFileSync(file, 'utf8'));
}

export function writeMatrix(kills: readonly Kill[]): void {
  writeFileSync(file, `[\n${kills.map((kill) => JSON.stringify(kill)).join(',\n')}\n]\n`);
}

/** The faults that are missed or misattributed, and were not recorded so. */
export function newlyWrong(kills: readonly Kill[], recorded: readonly Kill[]): Kill[] {
  const verdicts = new Map(recorded.map(({ fault, verdict }) => [fault, verdict]));
  return kills.filter(({ fault, verdict }) => verdict !== 'caught' && verdict !== verdicts.get(fault));
}

/** Checks that no fault of a deployment can break, each with the reason. */
export const beyondFaults: Readonly<Record<string, string>> = {
  'version-1-base-address':
    'it looks at the address that the suite was given, before anything is sent; nothing that a deployment does can break it',
  'hook-7-url-host': 'the faults in reach complete the address, which is a remark',
  'hook-9-site-with-a-letter':
    'the fault in reach reads the identifier to its first letter, which is a remark',
};

/** The checks that no fault makes fail, though one could. */
export function unbrokenChecks(
  kills: readonly Pick<Kill, 'checks'>[],
  checks: readonly Pick<Check, 'id'>[],
): string[] {
  const broken = new Set(kills.flatMap((kill) => kill.checks));
  return checks.map(({ id }) => id).filter((id) => !broken.has(id) && !(id in beyondFaults));
}
