// How good the suite has been, which it may not fall behind.
import type { Check } from '../../contract-tests/check.ts';
import type { Kill, KillVerdict } from './kill-matrix.ts';

/** What is counted of a kill matrix. */
export interface Tally {
  faults: number;
  caught: number;
  misattributed: number;
  missed: number;
  /** Checks that no fault makes fail. */
  checks_unbroken: number;
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

export function tallyOf(kills: readonly Kill[], checks: readonly Pick<Check, 'id'>[]): Tally {
  const count = (verdict: KillVerdict) => kills.filter((kill) => kill.verdict === verdict).length;
  return {
    faults: kills.length,
    caught: count('caught'),
    misattributed: count('misattributed'),
    missed: count('missed'),
    checks_unbroken: unbrokenChecks(kills, checks).length,
  };
}

const moreIsBetter: Readonly<Record<keyof Tally, boolean>> = {
  faults: true,
  caught: true,
  misattributed: false,
  missed: false,
  checks_unbroken: false,
};

/** In what a tally falls behind the one that was recorded; empty where in nothing. */
export function fallsBehind(recorded: Tally, now: Tally): string[] {
  const names = Object.keys(moreIsBetter) as (keyof Tally)[];
  return names
    .filter((name) => (moreIsBetter[name] ? now[name] < recorded[name] : now[name] > recorded[name]))
    .map((name) => `${name.replace('_', ' ')}: ${now[name]}, where it was ${recorded[name]}`);
}
