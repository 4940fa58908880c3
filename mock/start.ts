// Starts the mock on a port, for the library and for the command line.
import { randomBytes } from 'node:crypto';
import { loadProfile, type Profile } from '../openapi/profile.ts';
import { isThisMachine } from '../openapi/this-machine.ts';
import { type Control, createKeptControl, type KeptControl } from './control/control.ts';
import { show, withLongIds } from './control/long-id-control.ts';
import { explainUnknownFault } from './faults/fault-switch.ts';
import { createMetrics, type Metrics } from './metrics/metrics.ts';
import { createMock } from './server/create-mock.ts';
import { addressesOf, listen, readHostNames, readPublicUrl } from './server/listen.ts';
import { type Certificate, MockError, type MockOptions } from './server/mock-options.ts';
import { readBeginning, type WorldChoice } from './server/read-beginning.ts';
import { createShutdown, type Shutdown } from './server/shutdown.ts';
import type { Settings } from './service.ts';
import { explainUnknown } from './variations/variations.ts';
import type { TenantAccess } from './world/create-world.ts';
import type { ServedMock, WorldSettings } from './worlds/named-worlds.ts';
import { type StartedWorlds, startedWorlds } from './worlds/started-worlds.ts';

export { MockError };

/** Defaults of the inherited ones: seed 1, a real clock, no variations, no faults, no log. */
export interface StartOptions
  extends Partial<
    Pick<
      MockOptions,
      'seed' | 'clock' | 'variations' | 'faults' | 'controlToken' | 'hostNames' | 'log' | 'onStop'
    >
  > {
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
  /** The address under which others reach the mock, such as that of a tunnel: what the control API answers is at it, and its host is one of `hostNames`. `baseUrl` and `controlUrl` are where it listens. */
  publicUrl?: string;
  /** Lets web pages of any origin call the service, but never the control API. */
  cors?: boolean;
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

/** In what a world by name may differ from the mock. */
export type WorldOptions = Pick<
  StartOptions,
  'profile' | 'world' | 'clock' | 'seed' | 'variations' | 'faults'
>;

/** `Controlled`: with a store, KeptControl. */
export interface StartedMock<Controlled = Control> extends Shutdown {
  /** Where it listens; ends with /api/v1. */
  baseUrl: string;
  /** The address of the control API. */
  controlUrl: string;
  /** The token that the control API requires, if any. */
  controlToken: string | undefined;
  /** With https, the certificate in PEM: who calls the mock has to trust it, or who has signed it. */
  certificate: string | undefined;
  tenants: TenantAccess<number | bigint>[];
  /** The control API without HTTP. */
  control: Controlled;
  /** Worlds by name: for each test worker one of its own, for example. */
  worlds: StartedWorlds<WorldOptions, Controlled>;
  /** Begins anew with another world, which `reset` then goes back to. Throws as `startMock` does, and then changes nothing. */
  reload(world: WorldChoice): Promise<void>;
}

/** A mock whose world a store keeps: each method of its `control` gives a promise. */
export type KeptMock = StartedMock<KeptControl>;

/** Throws MockError (StoreUnreachable where the database is not there), ProfileError or WorldFileError if the mock can't be started with these options. */
export function startMock(options: KeptOptions): Promise<KeptMock>;
export function startMock(options?: StartOptions): Promise<StartedMock>;
export async function startMock(
  options: StartOptions & Partial<KeptOptions> = {},
): Promise<StartedMock | KeptMock> {
  const { port = 0, host = '127.0.0.1', controlPort } = options;
  const controlToken =
    options.controlToken ?? (isThisMachine(host) ? undefined : randomBytes(24).toString('hex'));
  const tls = await readCertificate(options, host);
  const metrics = createMetrics();
  const kept = options.store === undefined ? undefined : await openStoreOf(options, { metrics, host, tls });
  const beginning = await readOptions(kept?.options ?? options);
  const main = createMock({
    ...beginning,
    metrics,
    ...(tls && { tls }),
    ...(options.onStop && { onStop: options.onStop }),
    hostNames: readHostNames(options),
    ...(options.publicUrl !== undefined && { publicUrl: readPublicUrl(options.publicUrl) }),
    hasControlApart: controlPort !== undefined,
    opensToBrowsers: options.cors ?? false,
    ...(controlToken !== undefined && { controlToken }),
    ...(kept && { store: kept.store.main, storedWorlds: kept.store.worlds }),
  });
  const { app, controlApp, worlds } = main;
  const apps = [...new Set([app, controlApp])];
  const mocks = () => [main, ...worlds.list().map(({ mock }) => mock)];
  const closeStore = async () => kept?.store.close();
  const shutdown = createShutdown({ apps, mocks, endWorlds: worlds.endAll, closeStore });
  const addresses = () => addressesOf(app, controlApp);
  try {
    await kept?.begin(main);
    await listen(app, port, host);
    if (controlPort !== undefined) await listen(controlApp, controlPort, host);
    // A saved world may have something to do already.
    main.scheduler.wake();
    worlds.loadDue();
  } catch (error) {
    await shutdown.close();
    throw error;
  }
  const startedWith = <Controlled extends object>(
    openControl: (mock: ServedMock) => Controlled,
  ): StartedMock<Controlled> => {
    const controlOf = (mock: ServedMock) => withLongIds(openControl(mock));
    const mock: StartedMock<Controlled> = {
      ...addresses(),
      controlToken,
      certificate: tls?.cert,
      tenants: show([...main.tenants]),
      control: controlOf(main),
      worlds: startedWorlds({ worlds, control: main.control, controlOf, addresses, readSettings }),
      async reload(world) {
        if (kept)
          throw new MockError(
            'a mock with a store goes on with its world; begin another one with another store',
          );
        const { seed, profile } = beginning;
        const begun = main.beginWith(await readBeginning({ clock: options.clock, world, seed, profile }));
        mock.tenants = show([...begun]);
        await main.control.reset();
      },
      ...shutdown,
    };
    return mock;
  };
  return kept ? startedWith(createKeptControl) : startedWith(({ control }) => control);
}

/** Loaded on demand: most mocks live in memory. */
async function openStoreOf(
  options: StartOptions & Partial<KeptOptions>,
  { metrics, host, tls }: { metrics: Metrics; host: string; tls: Certificate | undefined },
) {
  const { openKept } = await import('./server/kept-start.ts');
  const { waitForStore } = await import('./server/wait-for-store.ts');
  const { storeWait: waitMs = 0, port = 0, controlPort = 0, log = () => {} } = options;
  return waitForStore(() => openKept(options, metrics), {
    waitMs,
    host,
    ports: [port, controlPort],
    tls,
    log,
  });
}

async function readOptions(options: StartOptions): Promise<MockOptions> {
  const { profile = 'default', seed = 1, clock = 'real', log = () => {}, latency } = options;
  const { variations = [], faults = [] } = options;
  const unknown = explainUnknown(variations) ?? (await explainUnknownFault(faults));
  if (unknown !== undefined) throw new MockError(unknown);
  const spoken = typeof profile === 'string' ? loadProfile(profile) : profile;
  return {
    profile: spoken,
    seed,
    clock,
    variations,
    faults,
    log,
    ...(await readBeginning({ ...options, seed, profile: spoken })),
    settings: {
      ...(latency && { latency }),
      refusesPrivateTargets: options.refusePrivateTargets ?? false,
      isUnlimited: options.limits === 'off',
    },
  };
}

/** Those that were given alone: all others are as the mock was started. */
async function readSettings(options: WorldOptions): Promise<WorldSettings> {
  const read = await readOptions(options);
  const isGiven = (name: string) => options[name as keyof WorldOptions] !== undefined;
  // A saved world is none to read, but one to make.
  const given = Object.entries(read).filter(([name]) => isGiven(name === 'createWorld' ? 'world' : name));
  return Object.fromEntries(given);
}

async function readCertificate(options: StartOptions, host: string): Promise<Certificate | undefined> {
  const { https } = options;
  if (!https) return undefined;
  // Loaded on demand, as few need it.
  const { explainCertificate, makeCertificate, serverNames } = await import('./tls/index.ts');
  if (https === true) return makeCertificate(serverNames(host, readHostNames(options)));
  const problem = explainCertificate(https);
  if (problem !== undefined) throw new MockError(`https can't be served: ${problem}`);
  return https;
}
