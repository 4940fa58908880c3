import type { FastifyInstance } from 'fastify';
import type { Description } from '../../openapi/description.ts';
import { serveConsole, serveRoot } from '../console/serve-console.ts';
import { createControlContext } from '../control/control-context.ts';
import { serveControl } from '../control/control-routes.ts';
import { type Control, createControl } from '../control/create-control.ts';
import { createStreamBudget } from '../control/stream-budget.ts';
import { serveDocs } from '../docs-site/serve-docs.ts';
import type { Service } from '../service.ts';
import { variationsOn } from '../variations/variations.ts';
import type { TenantAccess } from '../world/create-world.ts';
import { demoSeed, isDemo } from '../world/demo-world.ts';
import { digest } from '../world/digests.ts';
import type { WorldSeed } from '../world/world-seed.ts';
import { prefixOf } from '../worlds/choose-world.ts';
import { createNamedWorlds, type NamedWorlds, type WorldPlace } from '../worlds/named-worlds.ts';
import { createShelf, type Shelf } from '../worlds/shelf.ts';
import { addressesIn, createKeeper, type WorldSettings } from '../worlds/world-keeper.ts';
import { createApp } from './app.ts';
import { createServiceCaller } from './call-service.ts';
import { createService } from './create-service.ts';
import { createGates } from './gates.ts';
import { goOnWith } from './go-on.ts';
import type { Beginning, MockOptions, WorldData } from './mock-options.ts';
import { type Place, speak } from './place.ts';
import { readBeginning } from './read-beginning.ts';
import { addressesOf, serveOperations } from './serve-operations.ts';

export interface Mock {
  description: Description;
  app: FastifyInstance;
  /** The same app, unless `hasControlApart`. */
  controlApp: FastifyInstance;
  service: Service;
  control: Control;
  tenants: TenantAccess[];
  /** Those besides main. */
  worlds: NamedWorlds<WorldSettings>;
  /** What the next reset begins with. Returns its tenants. */
  beginWith(world: Beginning): TenantAccess[];
}

export function createMock(options: MockOptions): Mock {
  const spoken = speak(options.profile);
  const tokenDigests = options.controlToken === undefined ? [] : [digest(options.controlToken)];
  const addresses = () => addressesOf(main.app, main.controlApp, options.publicUrl);
  const streams = createStreamBudget();
  const shelf = options.keptWorlds && createShelf(options.keptWorlds);
  const worlds = createNamedWorlds<WorldSettings>({
    shelf,
    begin: (settings, place) => {
      // Its own store alone keeps it.
      const { store: _store, keptWorlds: _keptWorlds, ...unkept } = options;
      const { world: _world, createWorld: _createWorld, data: _data, ...others } = unkept;
      const own = { ...(hasBeginning(settings) ? others : unkept), ...settings };
      return shelf ? beginKept(shelf, own, place) : beginUnkept(own, place);
    },
    async goOn(kept, place) {
      if (!shelf) throw new Error('there is no store');
      const { data, ...settings } = kept.settings;
      const beginning = await readBeginning({ world: data as WorldData, ...settings });
      return build({ ...options, ...settings, ...beginning, store: await shelf.open(kept) }, place);
    },
  });

  async function build(own: MockOptions, { name, tokenDigest, end, onGone }: WorldPlace) {
    const world = assemble(own, {
      spoken: own.profile === options.profile ? spoken : speak(own.profile),
      prefix: prefixOf(name),
      addresses: () => addressesIn(name, addresses()),
      tokenDigests: tokenDigest === undefined ? tokenDigests : [...tokenDigests, tokenDigest],
      streams,
      // The call that asks for it is answered first.
      stop: () => void setImmediate(end),
      worlds: undefined,
    });
    for (const app of new Set([world.app, world.controlApp])) await app.ready();
    const { store } = world.service;
    store?.onEnd(onGone);
    await store?.run(() => goOnWith(world.service, own.store));
    // It may have something to do.
    if (store) world.service.scheduler.wake();
    return { ...world, seed: own.seed };
  }

  async function beginUnkept(own: MockOptions, { expiresInMs, ...place }: NewPlace) {
    const createdAt = Date.now();
    const expiresAt = expiresInMs === undefined ? undefined : createdAt + expiresInMs;
    return { ...(await build(own, place)), createdAt, expiresAt, endsAt: expiresAt };
  }

  async function beginKept(keeper: Shelf, own: MockOptions, place: NewPlace) {
    const { profile, seed, clock, data = demoSeed, variations = [] } = own;
    const settings = { profile, seed, clock, data, variations };
    const kept = await keeper.add({ ...place, settings });
    const { createdAt, expiresAt, endsAt } = kept;
    try {
      const built = await build({ ...own, store: await keeper.open(kept) }, place);
      return { ...built, createdAt, expiresAt, endsAt };
    } catch (error) {
      await keeper.remove(place.name);
      throw error;
    }
  }

  const root = {
    seed: options.seed,
    createdAt: Date.now(),
    hasControlToken: tokenDigests.length > 0,
    addresses,
  };
  const main = assemble(options, {
    spoken,
    addresses,
    tokenDigests,
    streams,
    stop: options.onStop,
    worlds: createKeeper(worlds, {
      main: () => ({ ...main, ...root }),
      readWorld: (world, choice) => readBeginning({ world: world as WorldSeed, ...choice }),
      shelf,
    }),
    gates: createGates(worlds, () => main.service),
  });
  return { ...main, worlds };
}

type NewPlace = WorldPlace & { expiresInMs: number | undefined };

function hasBeginning({ world, createWorld }: Beginning): boolean {
  return world !== undefined || createWorld !== undefined;
}

function assemble(
  options: MockOptions,
  { spoken, tokenDigests, gates, prefix = '', ...place }: Place,
): Omit<Mock, 'worlds'> {
  const { requestTimeout = 30_000, hostNames = [], opensToBrowsers } = options;
  const { description, operations } = spoken;
  const { service, tenants, beginWith } = createService(options, spoken);
  // A world by name has no port of its own.
  const tls = gates && options.tls;
  const app = createApp(service, {
    operations,
    requestTimeout,
    opensToBrowsers,
    gate: gates?.service,
    tls,
  });
  serveOperations(app, service, operations);
  // Loaded before the first call, and only where there may be faults: another mock may turn them on in a world that it shares.
  if (service.world.faults.length > 0 || service.store?.shared) app.addHook('onReady', service.faults.load);
  serveDocs(app, () => ({
    description,
    prefix,
    profile: options.profile,
    world: service.world,
    demo: !options.createWorld && isDemo(options.world) ? tenants[0] : undefined,
    inbox: `${place.addresses().controlUrl}/inbox/docs`,
  }));
  const controlApp = options.hasControlApart
    ? createApp(service, { operations: [], requestTimeout, gate: gates?.control, tls })
    : app;
  let known = tenants;
  const context = createControlContext(service, {
    ...place,
    tenants: () => known,
    variations: variationsOn(options.variations ?? []),
    callService: createServiceCaller(app, operations),
  });
  const control = createControl(context);
  serveControl(controlApp, context, {
    control,
    tokenDigests,
    hostNames,
    scheme: options.tls ? 'https' : 'http',
  });
  serveConsole(controlApp);
  for (const one of new Set([app, controlApp])) serveRoot(one, place.addresses, one !== controlApp);
  return {
    description,
    app,
    controlApp,
    service,
    control,
    tenants,
    beginWith(world) {
      known = beginWith(world);
      return known;
    },
  };
}
