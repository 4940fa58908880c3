// What a mock is started and made with.
import type { Profile } from '../../openapi/profile.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { Log, Settings } from '../service.ts';
import type { OpenedWorld, StoredWorlds } from '../store/open-store.ts';
import type { Snapshot } from '../world/entries.ts';
import type { WorldSeed } from '../world/world-seed.ts';
import type { WorldSettings } from '../worlds/world-settings.ts';

/** In PEM. */
export interface Certificate {
  cert: string;
  key: string;
}

/** The path of a world file or of a saved world, or the contents of either. */
export type WorldChoice = string | WorldSeed<number | bigint> | Snapshot;

/** Defaults of the inherited ones: seed 1, a real clock, no variations, no faults. */
export interface StartOptions
  extends Partial<Pick<WorldSettings, 'seed' | 'clock' | 'variations' | 'faults'>> {
  /** Default: 0, any free port. */
  port?: number;
  /** The address to listen on. Default: 127.0.0.1. Any but a loopback address needs a control token, by default a random one. */
  host?: string;
  /** The path of a profile, the name of a packaged one, or a profile that has been read. */
  profile?: string | Profile;
  /** The path of a world file or of a saved world, or the contents of either. A saved world brings its clock. */
  world?: WorldChoice;
  /** Bounds of the delay of each answer of the service, in milliseconds. */
  latency?: NonNullable<Settings['latency']>;
  /** The host names by which the control API may be called without a token, besides loopback names and IP addresses. */
  hostNames?: readonly string[];
  /** The address under which others reach the mock, such as that of a tunnel: what the control API answers is at it, and its host is one of `hostNames`. `baseUrl` and `controlUrl` are where it listens. */
  publicUrl?: string;
  /** Lets web pages of any origin call the service, but never the control API. */
  cors?: boolean;
  /** The Bearer token that control calls must carry. */
  controlToken?: string;
  /** A separate port for the control API. */
  controlPort?: number;
  /** Rejects subscriptions and pushes to private networks, as a service in another network does. */
  refusePrivateTargets?: boolean;
  /** `off` accepts any number of logins, publishes and AI calls a minute, for tests that run side by side. Default: on. */
  limits?: 'on' | 'off';
  /** Serves https, by a certificate of one's own in PEM, or by one that is made for it. */
  https?: true | { cert: string; key: string };
  /** How many tenants the demo world has. Default: 2. */
  tenants?: number;
  /** Called with each internal error. Default: none is told. */
  log?: Log;
  /** Ends the mock, when the control API is asked to. Without it, it refuses. */
  onStop?: () => void;
}

/** With what keeps the world; without it, the world lives in memory. */
export interface KeptOptions extends StartOptions {
  /** Keeps the world main, so that it outlives the mock: a file of one mock at a time, such as `file:mock.db`. Profile, seed and beginning of a world that is found are kept with it. */
  store: string;
  /** How long a database is waited for that can't be reached, in milliseconds; meanwhile `/_mock/live` is answered and `/_mock/ready` is 503, unless the port is 0. Default: 0. */
  storeWait?: number;
  /** Whether the tables of a store are made at the start where there are none, or only checked. Default: start. */
  storeMigrate?: 'start' | 'never';
}

/** The start options that were read, and what they have come to. */
export interface MockOptions
  extends WorldSettings,
    Omit<StartOptions, keyof WorldSettings | 'port' | 'host' | 'world' | 'https' | 'tenants'> {
  log: Log;
  /** How long a request may take to arrive completely, in milliseconds. */
  requestTimeout?: number;
  /** Serves https by this certificate. */
  tls?: Certificate | undefined;
  /** Keeps the world. One that it has found is gone on with. */
  store?: Pick<OpenedWorld, 'world' | 'keep'> | undefined;
  /** Persists the worlds by name. */
  storedWorlds?: StoredWorlds | undefined;
  /** Counts what happens in this process. Default: for this mock alone. */
  metrics?: Metrics;
}

/** Why the mock can't be started, and what to do. */
export class MockError extends Error {}

/** The store can't be reached; it may be soon. */
export class StoreUnreachable extends MockError {}
