// No false alarm over a whole population: deployments as unlike as the gaps allow, every other one with all that is legal and
// unusual, and each keeps every promise.
import { test } from 'vitest';
import { makeProfile, type Profile, statedValues } from '../../openapi/profile.ts';
import { randomProfile } from '../../openapi/random-profile.ts';
import type { Report } from '../reports/report.ts';
import { populationProfiles } from './population/profiles.ts';
import { requirementsThat, runAgainstMock } from './run-against-mock.ts';

const lists = ['list-sites', 'list-keys', 'list-subscriptions', 'list-deliveries'] as const;

/** They offer many operations in ways that can't be used. */
const wild = Array.from({ length: 6 }, (_, seed) => withListsInPlace(randomProfile(seed)));
const population = [...populationProfiles(60, 1), ...wild].map((spoken, index) => ({
  spoken,
  name: spoken.name,
  variations: index % 2 === 0 ? [] : ['all'],
}));

test.concurrent.for(population)(
  'nothing fails of $name with variations: $variations',
  async (one, context) => {
    const report = await runFully(one);
    context.expect(alarms(report)).toEqual([]);
    // That nothing could be verified would be no good news either.
    context.expect(requirementsThat('passed', report).length).toBeGreaterThan(40);
  },
);

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

function runFully({ spoken, variations }: { spoken: Profile; variations: string[] }): Promise<Report> {
  return runAgainstMock({ spoken, variations, control: true, options: { tier: 'full', cases: 8 } });
}

function alarms({ requirements }: Report): string[] {
  return requirements
    .flatMap(({ checks }) => checks)
    .filter(({ outcome }) => outcome === 'failed' || outcome === 'error')
    .map(({ id, outcome, reason }) => `${id} ${outcome}: ${reason}`);
}
