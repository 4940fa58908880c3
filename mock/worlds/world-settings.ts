import { makeProfile, type Profile, statedValues } from '../../openapi/profile.ts';
import type { OpenedWorld } from '../store/open-store.ts';
import { readStored } from '../store/store-error.ts';
import type { Snapshot } from '../world/entries.ts';
import { assignLongJson, showLongIds } from '../world/long-ids.ts';
import type { ClockState } from '../world/world.ts';
import type { WorldSeed } from '../world/world-seed.ts';

export interface WorldSettings {
  profile: Profile;
  /** The same seed and the same calls result in the same world. */
  seed: number;
  /** Undefined: real, or the clock of the saved world. */
  clock?: ClockState['mode'] | undefined;
  /** Ids of legal variations of the usual behaviour (see docs/guides/mock.md), or "all". */
  variations?: readonly string[];
  /** Ids of faults, which break the interface on purpose (see docs/guides/mock.md). */
  faults?: readonly string[];
  /** Default: the demo world. */
  beginning?: Beginning;
}

/** The path of a world file or of a saved world, or the contents of either. */
export type WorldChoice = string | WorldSeed<number | bigint> | Snapshot;

/** The options in which a named world may differ from the mock. */
export interface WorldOptions extends Partial<Pick<WorldSettings, 'seed' | 'variations' | 'faults'>> {
  /** `manual` starts at a fixed time and moves only on request; `real` runs by itself and can be moved too. */
  clock?: ClockState['mode'];
  /** The path of a profile, the name of a packaged profile, or a parsed profile. Default: `default`. */
  profile?: string | Profile;
  /** The path of a world file or of a saved world, or the contents of either. A saved world brings its clock. Default: the demo world. */
  world?: WorldChoice;
}

/** What a reset restores; it must have been checked. */
export type Beginning = WorldSeed | Snapshot;

/** Milliseconds since 1970, by the clock of the store if there is one. */
export interface Lifetime {
  createdAt: number;
  expiresAt: number | undefined;
  /** `expiresAt` by the clock of this machine. */
  endsAt: number | undefined;
}

export interface WorldBlueprint extends Lifetime {
  name: string;
  tokenDigest: string | undefined;
  settings: WorldSettings;
  open?(): Promise<OpenedWorld>;
}

/** A store persists it as text, from which other processes and later starts rebuild the world. Main is stored without token, clock and variations, which each start chooses. */
interface Setup extends Omit<WorldSettings, 'faults'> {
  tokenDigest?: string | undefined;
}

/** Equal setups give equal texts, which processes that start together compare. */
export function writeSetup({ profile, ...others }: Setup): string {
  const { name } = profile;
  return showLongIds(JSON.stringify({ profile: { name, values: statedValues(profile) }, ...others }));
}

/** Throws a StoreError that names `place` if the text is damaged. `source` names the profile in messages. */
export function readSetup(text: string, { place, source }: { place: string; source: string }): Setup {
  const written = readStored(place, () => JSON.parse(assignLongJson(text)) as WrittenSetup);
  const { profile, ...others } = written;
  return { ...others, profile: makeProfile(profile.values, { name: profile.name, source }) };
}

interface WrittenSetup extends Omit<Setup, 'profile'> {
  profile: { name: string; values: Readonly<Record<string, unknown>> };
}
