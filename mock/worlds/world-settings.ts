// What a world is made with, and how long it lasts.
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

/** What a world begins with. */
export interface Beginning {
  /** A world file or a saved world. */
  data: WorldSeed | Snapshot;
  /** Makes it, each time anew. */
  create(options: SeedOptions): ReturnType<typeof createWorldFromSeed>;
}

/** When a world was made and expires, in milliseconds since 1970, by the clock of the store where one keeps it. */
export interface Lifetime {
  createdAt: number;
  expiresAt: number | undefined;
  /** The same by the clock of this machine. */
  endsAt: number | undefined;
}

/** A world before its mock is made. */
export interface KeptPlace extends Lifetime {
  name: string;
  /** Of its own control token. */
  tokenDigest: string | undefined;
  settings: WorldSettings;
  /** Opens what a store has of it. */
  open?(): Promise<OpenedWorld>;
}
