// The kill matrix: how the suite judges a mock with each fault. matrix.json records the results.
import { readFileSync, writeFileSync } from 'node:fs';
import type { Check } from '../../contract-tests/check.ts';
import {
  type MockRun,
  requirementsThat,
  runAgainstMock,
} from '../../contract-tests/self/run-against-mock.ts';
import type { Fault } from '../../mock/faults/fault.ts';

/** `caught`: only the named requirement fails, or the remark of the fault appears and nothing fails. `misattributed`: another requirement fails, or the suite itself fails. */
export type KillVerdict = 'caught' | 'misattributed' | 'missed';

export interface Kill {
  fault: string;
  requirement: string;
  verdict: KillVerdict;
  /** Requirements that failed, or in which the suite itself failed. */
  failed: string[];
  /** Checks that failed or, if the fault has a remark, were not applicable. */
  checks: string[];
}

export interface Trial {
  /** Seed of the world, of random parts of the fault, and of the generated cases. */
  seed: number;
  cases?: number;
  /** Ids of checks; all if missing. */
  only?: readonly string[];
  /** In memory if missing. */
  open?: MockRun['open'];
}

/** Most requests of a run are generated cases, so a few are tried first. */
export const fewCases = 4;

/** Runs the tier `full`, and repeats it with all generated cases if a few show nothing. */
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

/** Faults that are missed or misattributed, but were caught before. */
export function newlyWrong(kills: readonly Kill[], recorded: readonly Kill[]): Kill[] {
  const verdicts = new Map(recorded.map(({ fault, verdict }) => [fault, verdict]));
  return kills.filter(({ fault, verdict }) => verdict !== 'caught' && verdict !== verdicts.get(fault));
}

/** Checks that no fault can break, with the reason. */
export const beyondFaults: Readonly<Record<string, string>> = {
  'version-1-base-address':
    'it looks at the address that the suite was given, before anything is sent; nothing that a deployment does can break it',
  'hook-7-url-host': 'the faults in reach complete the address, which is a remark',
  'hook-9-site-with-a-letter':
    'the fault in reach reads the identifier to its first letter, which is a remark',
};

export function unbrokenChecks(
  kills: readonly Pick<Kill, 'checks'>[],
  checks: readonly Pick<Check, 'id'>[],
): string[] {
  const broken = new Set(kills.flatMap((kill) => kill.checks));
  return checks.map(({ id }) => id).filter((id) => !broken.has(id) && !(id in beyondFaults));
}
