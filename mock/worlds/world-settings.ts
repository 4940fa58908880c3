import type { Profile } from '../../openapi/profile.ts';
import type { OpenedWorld } from '../store/open-store.ts';
import type { createWorldFromSeed, SeedOptions } from '../world/create-world.ts';
import type { Snapshot } from '../world/entries.ts';
import type { ClockState } from '../world/world.ts';
import type { WorldSeed } from '../world/world-seed.ts';

export interface WorldSettings {
  profile: Profile;
  /** The same seed and the same calls result in the same world. */
  seed: number;
  /** `manual` starts at a fixed time and moves only on request; `real` runs by itself and can be moved too. */
  clock: ClockState['mode'];
  /** Ids of legal variations of the usual behaviour (see docs/mock.md), or "all". */
  variations?: readonly string[];
  /** Ids of faults, which break the interface on purpose (see docs/mock.md). */
  faults?: readonly string[];
  /** Default: the demo world. */
  beginning?: Beginning;
}

export interface Beginning {
  data: WorldSeed | Snapshot;
  create(options: SeedOptions): ReturnType<typeof createWorldFromSeed>;
}

/** Milliseconds since 1970, by the clock of the store if there is one. */
export interface Lifetime {
  createdAt: number;
  expiresAt: number | undefined;
  /** `expiresAt` by the clock of this machine. */
  endsAt: number | undefined;
}

export interface KeptPlace extends Lifetime {
  name: string;
  tokenDigest: string | undefined;
  settings: WorldSettings;
  open?(): Promise<OpenedWorld>;
}
