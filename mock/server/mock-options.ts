import type { Metrics } from '../metrics/metrics.ts';
import type { Log, Settings } from '../service.ts';
import type { OpenedWorld, StoredWorlds } from '../store/open-store.ts';
import type { WorldOptions, WorldSettings } from '../worlds/world-settings.ts';

/** Certificate and private key in PEM. */
export interface Certificate {
  cert: string;
  key: string;
}

/** Defaults of the inherited options: seed 1, a real clock, no variations, no faults. */
export interface StartOptions extends WorldOptions {
  /** Default: 0, any free port. */
  port?: number;
  /** The address to listen on. Default: 127.0.0.1. Any but a loopback address needs a control token, by default a random one. */
  host?: string;
  /** Bounds of the delay of each answer of the service, in milliseconds. Default: no delay. */
  latency?: NonNullable<Settings['latency']>;
  /** The host names for which the control API requires no token, in addition to loopback names and IP addresses. */
  hostNames?: readonly string[];
  /** The public URL of the mock, for example of a tunnel. The control API shows it, and accepts its host; `baseUrl` and `controlUrl` don't change. */
  publicUrl?: string;
  /** Lets web pages of any origin call the service, but never the control API. */
  cors?: boolean;
  /** The Bearer token that control calls must carry. */
  controlToken?: string;
  /** A separate port for the control API. Default: the port of the service. */
  controlPort?: number;
  /** Rejects subscriptions and pushes to private networks, as a service in another network does. */
  refusePrivateTargets?: boolean;
  /** `off` accepts any number of logins, publishes and AI calls a minute, for tests that run in parallel. Default: `on`. */
  limits?: 'on' | 'off';
  /** Serves https with this certificate in PEM, or with a generated one if `true`. */
  https?: true | { cert: string; key: string };
  /** The number of tenants of the demo world. Default: 2. */
  tenants?: number;
  /** Called with a line for each internal error. Default: errors are dropped. */
  log?: Log;
  /** Ends the mock when `POST /_mock/stop` asks for it; without it, that call is refused. */
  onStop?: () => void;
}

/** Options of a mock whose world a store persists; without a store, the world lives in memory. */
export interface KeptOptions extends StartOptions {
  /** Where to persist the worlds: a PostgreSQL URL or, for one mock at a time, a file such as `file:mock.db`. A world found there has its own profile, seed and beginning. */
  store: string;
  /** How long to wait for a database that can't be reached, in milliseconds. Meanwhile `/_mock/live` is 200 and `/_mock/ready` 503, unless the port is 0. Default: 0. */
  storeWait?: number;
  /** `start` makes missing tables at the start; `never` only checks the tables. Default: `start`. */
  storeMigrate?: 'start' | 'never';
}

export interface MockOptions
  extends WorldSettings,
    Omit<StartOptions, keyof WorldSettings | 'port' | 'host' | 'world' | 'https' | 'tenants'> {
  log: Log;
  /** How long a request may take to arrive completely, in milliseconds. Default: 30 000. */
  requestTimeout?: number;
  tls?: Certificate | undefined;
  store?: Pick<OpenedWorld, 'world' | 'persist'> | undefined;
  storedWorlds?: StoredWorlds | undefined;
  /** Shared by the mocks of this process. Default: metrics of this mock only. */
  metrics?: Metrics;
}

/** Says why the mock can't be started, and what to do. */
export class MockError extends Error {}

/** The store can't be reached now; a later attempt may succeed. */
export class StoreUnreachable extends MockError {}
