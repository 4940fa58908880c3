// Whole runs of the suite against deployments that keep every promise; every other one does all that is legal and unusual.
import { makeProfile, type Profile, statedValues } from '../../../openapi/profile.ts';
import { randomProfile } from '../../../openapi/random-profile.ts';
import type { SuiteOptions } from '../../core/suite-options.ts';
import { requirementsThat, runAgainstMock } from '../run-against-mock.ts';

interface Member {
  name: string;
  spoken: Profile;
  variations: readonly string[];
}

export function membersOf(profiles: readonly Profile[]): Member[] {
  return profiles.map((spoken, index) => ({
    spoken,
    name: spoken.name,
    variations: index % 2 === 0 ? [] : ['all'],
  }));
}

const lists = ['list-sites', 'list-keys', 'list-subscriptions', 'list-deliveries'] as const;

/** Profiles that offer many operations in ways that can't be used. */
export function wildProfiles(seeds: readonly number[]): Profile[] {
  return seeds.map((seed) => withListsInPlace(randomProfile(seed)));
}

/** A list elsewhere than in `data.list` is no gap but a broken promise (section 2.1). */
function withListsInPlace(profile: Profile): Profile {
  const stated = statedValues(profile);
  for (const id of lists) {
    const call = stated[`operation.${id}`];
    if (typeof call !== 'object') continue;
    const { list: _list, total: _total, ...rest } = call as { list?: unknown; total?: unknown };
    Object.assign(stated, { [`operation.${id}`]: rest });
  }
  return makeProfile(stated, { name: profile.name, source: profile.name });
}

/** The checks that fail or go wrong, and how many requirements pass: that nothing could be verified would be no good news either. */
export async function runFully(
  { spoken, variations }: Member,
  options: Partial<SuiteOptions> = {},
): Promise<{ alarms: string[]; passed: number }> {
  const report = await runAgainstMock({ spoken, variations, options: { tier: 'full', ...options } });
  const alarms = report.requirements
    .flatMap(({ checks }) => checks)
    .filter(({ outcome }) => outcome === 'failed' || outcome === 'error')
    .map(({ id, outcome, reason }) => `${id} ${outcome}: ${reason}`);
  return { alarms, passed: requirementsThat('passed', report).length };
}
