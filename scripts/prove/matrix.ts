// The recorded kill matrix, and how new results compare with it.
import { readFileSync, writeFileSync } from 'node:fs';
import type { Check } from '../../contract-tests/check.ts';
import type { Kill } from './kill-matrix.ts';

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
