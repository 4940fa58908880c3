// A store persists the setup of a world as text, from which other processes and later starts rebuild it.
import { makeProfile, statedValues } from '../../openapi/profile.ts';
import { readKept } from '../store/store-error.ts';
import { keepLongJson, showLongIds } from '../world/long-ids.ts';
import type { Beginning, WorldSettings } from './world-settings.ts';

/** Main is stored without token, clock and variations, which each start chooses. */
interface Setup
  extends Pick<WorldSettings, 'profile' | 'seed'>,
    Partial<Pick<WorldSettings, 'clock' | 'variations'>> {
  world: Beginning['data'];
  tokenDigest?: string | undefined;
}

/** Equal setups give equal texts, which processes that start together compare. */
export function writeSetup({ profile, ...others }: Setup): string {
  const { name } = profile;
  return showLongIds(JSON.stringify({ profile: { name, values: statedValues(profile) }, ...others }));
}

/** Throws a StoreError that names `place` if the text is damaged. `source` names the profile in messages. */
export function readSetup(text: string, { place, source }: { place: string; source: string }): Setup {
  const written = readKept(place, () => JSON.parse(keepLongJson(text)) as WrittenSetup);
  const { profile, ...others } = written;
  return { ...others, profile: makeProfile(profile.values, { name: profile.name, source }) };
}

interface WrittenSetup extends Omit<Setup, 'profile'> {
  profile: { name: string; values: Readonly<Record<string, unknown>> };
}
