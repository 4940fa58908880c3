// Whole runs against conforming deployments; every other one uses all legal variations.
import { isDeepStrictEqual } from 'node:util';
import { variations } from '../../../mock/variations/variations.ts';
import { makeProfile, type Profile, statedValues } from '../../../openapi/profile.ts';
import { randomProfile } from '../../../openapi/testing/random-profile.ts';
import type { SuiteOptions } from '../../core/suite-options.ts';
import type { Report } from '../../reports/report.ts';
import { alarmsIn, profileWithout, runAgainstMock } from '../run-against-mock.ts';
import { heldValues } from './profiles.ts';

interface Member {
  name: string;
  spoken: Profile;
  variations: readonly string[];
}

export function membersOf(profiles: readonly Profile[]): Member[] {
  return profiles.map((spoken, index) => ({
    spoken,
    name: spoken.name,
    variations: index % 2 === 0 ? [] : ['all', ...named(index)],
  }));
}

/** Variations outside "all", one per member. */
const byName = variations.filter(({ onlyByName }) => onlyByName);

function named(index: number): string[] {
  const one = byName[Math.floor(index / 2) % byName.length];
  return one ? [one.id] : [];
}

const lists = ['list-sites', 'list-keys', 'list-subscriptions', 'list-deliveries'] as const;

/** Profiles with many unusable operations. */
export function wildProfiles(seeds: readonly number[]): Profile[] {
  return seeds.map((seed) => withListsInPlace(profileWithout(isHeld, randomProfile(seed))));
}

function isHeld(gap: string, value: unknown): boolean {
  return heldValues[gap]?.some((one) => isDeepStrictEqual(one, value)) ?? false;
}

/** A list outside `data.list` breaks a promise (section 2.1). */
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

/** Returns failed checks and errors, and the number of requirements verified at least in part. */
export async function runFully(
  { spoken, variations }: Member,
  options: Partial<SuiteOptions> = {},
): Promise<{ alarms: string[]; verified: number; report: Report }> {
  const report = await runAgainstMock({ spoken, variations, options: { tier: 'full', ...options } });
  const { passed, partly } = report.summary;
  return { alarms: alarmsIn(report), verified: passed + partly, report };
}
