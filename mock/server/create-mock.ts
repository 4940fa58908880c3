import type { FastifyInstance } from 'fastify';
import type { Description } from '../../openapi/description.ts';
import { serveConsole, serveRoot } from '../console/serve-console.ts';
import { createControlContext } from '../control/control-context.ts';
import { serveControl } from '../control/control-routes.ts';
import { type Control, createControl } from '../control/create-control.ts';
import { serveDocs } from '../docs-site/serve-docs.ts';
import type { Service } from '../service.ts';
import { variationsOn } from '../variations/variations.ts';
import type { TenantAccess } from '../world/create-world.ts';
import { demoSeed, isDemo } from '../world/demo-world.ts';
import type { WorldSeed } from '../world/world-seed.ts';
import { prefixOf } from '../worlds/choose-world.ts';
import { createNamedWorlds, type NamedWorlds, type WorldPlace } from '../worlds/named-worlds.ts';
import { createShelf, type Shelf } from '../worlds/shelf.ts';
import { addressesIn, createKeeper, type WorldSettings } from '../worlds/world-keeper.ts';
import { createApp } from './app.ts';
import { createServiceCaller } from './call-service.ts';
import { allowBrowsers } from './cors.ts';
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
  const tokens = options.controlToken === undefined ? [] : [options.controlToken];
  const addresses = () => addressesOf(main.app, main.controlApp, options.publicUrl);
  const shelf = options.keptWorlds && createShelf(options.keptWorlds);
  const worlds = createNamedWorlds<WorldSettings>({
    shelf,
    begin: (settings, place) => {
      // Its own store alone keeps it.
      const { store: _store, keptWorlds: _keptWorlds, ...unkept } = options;
      const { world: _world, createWorld: _createWorld, data: _data, ...others } = unkept;
      const own = { ...(hasBeginning(settings) ? others : unkept), ...settings };
      return shelf ? beginKept(shelf, own, place) : build(own, place);
    },
    async goOn(kept, place) {
      if (!shelf) throw new Error('there is no store');
      const { data, ...settings } = kept.settings;
      const beginning = await readBeginning({ world: data as WorldData, ...settings });
      return build({ ...options, ...settings, ...beginning, store: await shelf.open(kept) }, place);
    },
  });

  async function build(own: MockOptions, { name, controlToken, end, onGone }: WorldPlace) {
    const world = assemble(own, {
      spoken: own.profile === options.profile ? spoken : speak(own.profile),
      prefix: prefixOf(name),
      addresses: () => addressesIn(name, addresses()),
      tokens: controlToken === undefined ? tokens : [...tokens, controlToken],
      // The call that asks for it is answered first.
      stop: () => void setImmediate(end),
      worlds: undefined,
    });
    if (options.opensToBrowsers) await allowBrowsers(world.app, world.service);
    for (const app of new Set([world.app, world.controlApp])) await app.ready();
    const { store } = world.service;
    store?.onEnd(onGone);
    await store?.run(() => goOnWith(world.service, own.store));
    // It may have something to do.
    if (store) world.service.scheduler.wake();
    return { ...world, seed: own.seed };
  }

  async function beginKept(keeper: Shelf, own: MockOptions, place: WorldPlace) {
    const { profile, seed, clock, data = demoSeed, variations = [] } = own;
    const settings = { profile, seed, clock, data, variations };
    const store = await keeper.add({ ...place, settings });
    try {
      return await build({ ...own, store }, place);
    } catch (error) {
      await keeper.remove(place.name);
      throw error;
    }
  }

  const root = { seed: options.seed, createdAt: Date.now(), hasControlToken: tokens.length > 0, addresses };
  const main = assemble(options, {
    spoken,
    addresses,
    tokens,
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

function hasBeginning({ world, createWorld }: Beginning): boolean {
  return world !== undefined || createWorld !== undefined;
}

function assemble(
  options: MockOptions,
  { spoken, tokens, gates, prefix = '', ...place }: Place,
): Omit<Mock, 'worlds'> {
  const { requestTimeout = 30_000, hostNames = [] } = options;
  const { description, operations } = spoken;
  const { service, tenants, beginWith } = createService(options, spoken);
  // A world by name has no port of its own.
  const tls = gates && options.tls;
  const app = createApp(service, { operations, requestTimeout, gate: gates?.service, tls });
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
  serveControl(controlApp, context, { control, tokens, hostNames, scheme: options.tls ? 'https' : 'http' });
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
