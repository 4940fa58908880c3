// Which groups and trials of the campaign are wanted, and can be made here.
import { UsageError } from '../options/usage-error.ts';
import type { Group, Trial } from './group.ts';

/** Whether a trial is among those that `--only` names: a group, a trial, or what a trial begins with, such as a deployment. Nothing named is all. */
export function isNamed(only: readonly string[], { id }: Trial, group: Group): boolean {
  return (
    only.length === 0 || only.some((one) => one === group.id || one === id || id.startsWith(`${one} × `))
  );
}

/** Throws UsageError for names that lead to no trial. */
export function requireKnown(only: readonly string[], groups: readonly Group[], seeds: readonly number[]) {
  const isKnown = (one: string) =>
    groups.some((group) => group.trials(seeds).some((trial) => isNamed([one], trial, group)));
  const unknown = only.filter((one) => !isKnown(one));
  if (unknown.length === 0) return;
  const ids = groups.map(({ id }) => id).join(', ');
  throw new UsageError(
    `--only: there is no group and no deployment ${unknown.join(', ')}; the groups are ${ids}`,
  );
}

/** What this machine lacks for groups of which trials are wanted, each with a line. */
export function findMissing(
  groups: readonly Group[],
  isWanted: (group: Group) => boolean,
): ReadonlyMap<Group, string> {
  return new Map(
    groups.flatMap((group) => {
      const missing = isWanted(group) ? group.missing?.() : undefined;
      return missing === undefined ? [] : [[group, `${group.id}: not tried, ${missing}`] as const];
    }),
  );
}
