// Whole runs of the suite against deployments that keep every promise; every other one does all that is legal and unusual.
import { isDeepStrictEqual } from 'node:util';
import { variations } from '../../../mock/variations/variations.ts';
import { makeProfile, type Profile, statedValues } from '../../../openapi/profile.ts';
import { randomProfile } from '../../../openapi/testing/random-profile.ts';
import type { SuiteOptions } from '../../core/suite-options.ts';
import type { Report } from '../../reports/report.ts';
import { runAgainstMock } from '../run-against-mock.ts';
import { heldValues, heldVariations } from './held-values.ts';

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

/** Those that are not in "all", one for each. */
const byName = variations.filter(({ id, onlyByName }) => onlyByName && !heldVariations.includes(id));

function named(index: number): string[] {
  const one = byName[Math.floor(index / 2) % byName.length];
  return one ? [one.id] : [];
}

const lists = ['list-sites', 'list-keys', 'list-subscriptions', 'list-deliveries'] as const;

/** Profiles that offer many operations in ways that can't be used. */
export function wildProfiles(seeds: readonly number[]): Profile[] {
  return seeds.map((seed) => withListsInPlace(withoutHeldValues(randomProfile(seed))));
}

function withoutHeldValues(profile: Profile): Profile {
  const isHeld = ([id, value]: [string, unknown]) =>
    heldValues[id]?.some((one) => isDeepStrictEqual(one, value));
  const kept = Object.entries(statedValues(profile)).filter((entry) => !isHeld(entry));
  return makeProfile(Object.fromEntries(kept), { name: profile.name, source: profile.name });
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

/** The checks that fail or go wrong, and how many requirements are verified, at least in part: that none could be would be no good news either. */
export async function runFully(
  { spoken, variations }: Member,
  options: Partial<SuiteOptions> = {},
): Promise<{ alarms: string[]; verified: number; report: Report }> {
  const report = await runAgainstMock({ spoken, variations, options: { tier: 'full', ...options } });
  const alarms = report.requirements
    .flatMap(({ checks }) => checks)
    .filter(({ outcome }) => outcome === 'failed' || outcome === 'error')
    .map(({ id, outcome, reason }) => `${id} ${outcome}: ${reason}`);
  const { passed, partly } = report.summary;
  return { alarms, verified: passed + partly, report };
}
