import { randomBytes } from 'node:crypto';
import type { Server } from 'node:net';
import { isThisMachine } from '../openapi/this-machine.ts';
import { type AsyncControl, type Control, createAsyncControl } from './control/control.ts';
import { show, withLongIds } from './control/long-id-control.ts';
import { createMetrics, type Metrics } from './metrics/metrics.ts';
import { createMock } from './server/create-mock.ts';
import { addressesOf, listen, readHostNames, readPublicUrl } from './server/listen.ts';
import { type Certificate, type KeptOptions, MockError, type StartOptions } from './server/mock-options.ts';
import { readBeginning, readSettings } from './server/read-settings.ts';
import { createShutdown, type Shutdown } from './server/shutdown.ts';
import type { TenantAccess } from './world/create-world.ts';
import type { ServedMock } from './worlds/named-worlds.ts';
import { type StartedWorlds, startedWorlds } from './worlds/started-worlds.ts';
import type { WorldChoice } from './worlds/world-settings.ts';

export { type KeptOptions, MockError, type StartOptions };

/** A running mock. `Controlled` is AsyncControl for a mock with a store. */
export interface StartedMock<Controlled = Control> extends Shutdown {
  /** The URL of the service; ends with /api/v1. */
  baseUrl: string;
  /** The URL of the control API. */
  controlUrl: string;
  /** The token that the control API requires, if any. */
  controlToken: string | undefined;
  /** With https, the certificate in PEM: clients must trust it, or its issuer. */
  certificate: string | undefined;
  tenants: TenantAccess<number | bigint>[];
  /** The control API without HTTP. */
  control: Controlled;
  /** Named worlds, for example one for each test worker. */
  worlds: StartedWorlds<Controlled>;
  /** Starts over with another world, which `reset` then restores. Throws like `startMock`, and MockError with a store; then nothing has changed. */
  reload(world: WorldChoice): Promise<void>;
}

/** A mock whose world a store persists: the methods of its `control` return promises. */
export type KeptMock = StartedMock<AsyncControl>;

/** Throws MockError, ProfileError or WorldFileError if the mock can't start with these options; StoreUnreachable, a MockError, if the database can't be reached. */
export function startMock(options: KeptOptions): Promise<KeptMock>;
export function startMock(options?: StartOptions): Promise<StartedMock>;
export async function startMock(
  options: StartOptions & Partial<KeptOptions> = {},
): Promise<StartedMock | KeptMock> {
  const { store, ...given } = options;
  const { port = 0, host = '127.0.0.1', controlPort, publicUrl, log = () => {} } = given;
  const controlToken =
    options.controlToken ?? (isThisMachine(host) ? undefined : randomBytes(24).toString('hex'));
  const tls = await readCertificate(options, host);
  const metrics = createMetrics();
  const reached = {
    hostNames: readHostNames(options),
    ...(publicUrl !== undefined && { publicUrl: readPublicUrl(publicUrl) }),
  };
  const stored =
    store === undefined ? undefined : await openStoreOf({ ...options, store }, { metrics, host, tls });
  const settings = stored?.settings ?? (await readSettings(options, { profile: 'default', seed: 1 }));
  const main = createMock({
    ...given,
    ...settings,
    ...(controlToken !== undefined && { controlToken }),
    ...reached,
    log,
    metrics,
    tls,
    store: stored?.store.main,
    storedWorlds: stored?.store.worlds,
  });
  const { app, controlApp, worlds } = main;
  const elsewhere: Server[] = [];
  const shutdown = createShutdown(main, { elsewhere, store: stored?.store });
  const addresses = () => addressesOf(app, controlApp);
  try {
    await stored?.begin(main);
    elsewhere.push(...(await listen(app, port, host)));
    if (controlPort !== undefined)
      elsewhere.push(...(await listen(controlApp, controlPort, host, '--control-port')));
    // A saved world may have jobs that are due.
    main.scheduler.wake();
    worlds.loadDue();
  } catch (error) {
    await shutdown.close();
    throw error;
  }
  // One type serves both cases; the overloads of startMock tell them apart.
  const controlOf = (mock: ServedMock) =>
    withLongIds(stored ? (createAsyncControl(mock) as unknown as Control) : mock.control);
  const started: StartedMock = {
    ...addresses(),
    controlToken,
    certificate: tls?.cert,
    tenants: show([...main.tenants]),
    control: controlOf(main),
    worlds: startedWorlds({
      worlds,
      control: main.control,
      controlOf,
      addresses,
      readSettings: (chosen) => readSettings(chosen, settings),
    }),
    async reload(world) {
      if (stored) throw new MockError('a mock with a store cannot load another world; use another store');
      main.beginWith(await readBeginning(world));
      started.tenants = show([...main.tenants]);
      await main.control.reset();
    },
    ...shutdown,
  };
  return started;
}

/** Imported on demand, since most mocks live in memory. */
async function openStoreOf(
  options: KeptOptions,
  { metrics, host, tls }: { metrics: Metrics; host: string; tls: Certificate | undefined },
) {
  const { openStored } = await import('./server/stored-start.ts');
  const { waitForStore } = await import('./server/wait-for-store.ts');
  const { storeWait: waitMs = 0, port = 0, controlPort = 0, log = () => {} } = options;
  const ports = [port, controlPort];
  return waitForStore(() => openStored(options, metrics), { waitMs, host, ports, tls, log });
}

async function readCertificate(options: StartOptions, host: string): Promise<Certificate | undefined> {
  const { https } = options;
  if (!https) return undefined;
  // Imported on demand, since few mocks serve https.
  const { explainCertificate, makeCertificate, serverNames } = await import('./tls/certificate.ts');
  if (https === true) return makeCertificate(serverNames(host, readHostNames(options)));
  const problem = explainCertificate(https);
  if (problem !== undefined) throw new MockError(`can't serve https: ${problem}`);
  return https;
}
