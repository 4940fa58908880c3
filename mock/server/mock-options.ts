// What a mock is made with.
import type { Profile } from '../../openapi/profile.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { Log, Settings } from '../service.ts';
import type { OpenedWorld, StoredWorlds } from '../store/open-store.ts';
import type { createWorldFromSeed } from '../world/create-world.ts';
import type { Snapshot } from '../world/snapshot.ts';
import type { ClockState } from '../world/world.ts';
import type { WorldSeed } from '../world/world-seed.ts';

/** In PEM. */
export interface Certificate {
  cert: string;
  key: string;
}

export interface MockOptions extends Beginning {
  profile: Profile;
  /** The same seed and the same calls result in the same world. */
  seed: number;
  /** `manual` starts at a fixed time and moves only on request; `real` runs by itself and can be moved too. */
  clock: ClockState['mode'];
  settings?: Partial<Settings>;
  /** Ids of legal variations of the usual behaviour (see docs/mock.md), or "all". */
  variations?: readonly string[];
  /** Ids of faults, which break the interface on purpose (see docs/mock.md). */
  faults?: readonly string[];
  /** Called with each internal error. */
  log: Log;
  /** How long a request may take to arrive completely, in milliseconds. */
  requestTimeout?: number;
  /** The Bearer token that control calls must carry. */
  controlToken?: string;
  /** Ends the mock, when the control API is asked to. Without it, it refuses. */
  onStop?: () => void;
  /** The host names by which the control API may be called without a token, besides loopback names and IP addresses. */
  hostNames?: readonly string[];
  /** The address under which others reach the service, and the control API unless it is apart; without a slash at the end. Default: where it listens. */
  publicUrl?: string;
  /** Lets web pages of any origin call the service. */
  opensToBrowsers?: boolean;
  /** Serves https by this certificate. */
  tls?: Certificate;
  /** Keeps the world. One that it has found is gone on with. */
  store?: Pick<OpenedWorld, 'world' | 'keep'>;
  /** Persists the worlds by name. */
  storedWorlds?: StoredWorlds;
  /** Counts what happens in this process. Default: for this mock alone. */
  metrics?: Metrics;
  /** Whether the control API is served by a separate app. */
  hasControlApart?: boolean;
}

/** What a world begins with. */
export interface Beginning {
  /** What it starts with. Default: the demo world. */
  world?: WorldSeed;
  /** Creates what it starts with, in place of a seed. */
  createWorld?: () => ReturnType<typeof createWorldFromSeed>;
  /** The same as data, where it was read. */
  data?: WorldData;
}

/** A world file or a saved world. */
export type WorldData = WorldSeed | Snapshot;

/** Why the mock can't be started, and what to do. */
export class MockError extends Error {}

/** The store can't be reached; it may be soon. */
export class StoreUnreachable extends MockError {}
