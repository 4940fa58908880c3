// What a mock is made with.
import type { Profile } from '../../openapi/profile.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { Log, Settings } from '../service.ts';
import type { OpenedWorld, StoredWorlds } from '../store/open-store.ts';
import type { ClockState } from '../world/world.ts';
import type { Beginning } from '../worlds/world-keeper.ts';

/** In PEM. */
export interface Certificate {
  cert: string;
  key: string;
}

export interface MockOptions {
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
  /** Default: the demo world. */
  beginning?: Beginning;
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

/** Why the mock can't be started, and what to do. */
export class MockError extends Error {}

/** The store can't be reached; it may be soon. */
export class StoreUnreachable extends MockError {}
