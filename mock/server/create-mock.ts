// Makes mocks: one at the root, and one under a prefix for each world by name.
import type { Description } from '../../openapi/description.ts';
import { createTurns } from '../clock/work.ts';
import { serveConsole, serveRoot } from '../console/serve-console.ts';
import { createControl } from '../control/control.ts';
import { serveControl } from '../control/control-routes.ts';
import type { ControlledMock, ControlPlace } from '../control/controlled-mock.ts';
import { createStreamBudget } from '../control/stream/stream-budget.ts';
import { serveDocs } from '../docs-site/serve-docs.ts';
import { variationsOn } from '../variations/variations.ts';
import type { TenantAccess } from '../world/create-world.ts';
import { demoSeed, isDemo } from '../world/demo-world.ts';
import { digest } from '../world/digests.ts';
import type { WorldSeed } from '../world/world-seed.ts';
import { createGate, type Gate } from '../worlds/gate.ts';
import {
  type Beginning,
  type Builder,
  createNamedWorlds,
  type NamedWorlds,
  type ServedMock,
  type WorldPlace,
} from '../worlds/named-worlds.ts';
import { createShelf, type Shelf } from '../worlds/shelf.ts';
import { addressesIn, createKeeper } from '../worlds/world-keeper.ts';
import { prefixOf } from '../worlds/world-names.ts';
import { createApp } from './app.ts';
import { createServiceCaller } from './call-service.ts';
import { createCore, goOnWith } from './create-core.ts';
import { addressesOf } from './listen.ts';
import type { MockOptions } from './mock-options.ts';
import { readBeginning } from './read-beginning.ts';
import { createDirectRoute, routesOf, serveOperations } from './serve-operations.ts';
import { type Spoken, speak } from './speak.ts';

/** A mock, at the root or under a prefix. */
interface AssembledMock extends ServedMock {
  description: Description;
  /** What the next reset begins with. Returns its tenants. */
  beginWith(world: Beginning): readonly TenantAccess[];
}

export interface RootMock extends AssembledMock {
  /** Those besides main. */
  worlds: NamedWorlds;
}

/** What all worlds have of the root. */
interface Root extends Pick<ControlPlace, 'addresses' | 'streams'> {
  spoken: Spoken;
  /** What control calls must carry one of. */
  tokenDigests: readonly string[];
}

interface Place extends Root, ControlPlace {
  /** What stands before its paths. */
  prefix: string;
  /** Leads requests to the worlds by name; at the root alone, which has the port. */
  gateTo?(side: Side): Gate;
}

/** The same app serves both, unless the control API is apart. */
type Side = 'app' | 'controlApp';

export function createMock(options: MockOptions): RootMock {
  const tokenDigests = options.controlToken === undefined ? [] : [digest(options.controlToken)];
  const root: Root = {
    spoken: speak(options.profile),
    tokenDigests,
    addresses: () => addressesOf(main.app, main.controlApp, options.publicUrl),
    streams: createStreamBudget(),
  };
  const shelf = options.storedWorlds && createShelf(options.storedWorlds);
  const worlds = createNamedWorlds(worldBuilder(options, root, shelf));
  const createdAt = Date.now();
  const main: AssembledMock = assemble(options, {
    ...root,
    prefix: '',
    stop: options.onStop,
    keeper: createKeeper(worlds, {
      main: () => ({ mock: main, createdAt, hasControlToken: tokenDigests.length > 0 }),
      readWorld: (world, choice) => readBeginning({ world: world as WorldSeed, ...choice }),
      shelf,
    }),
    gateTo: (side) => createGate(worlds, side, () => main),
  });
  return Object.assign(main, { worlds });
}

function assemble(
  options: MockOptions,
  { spoken, tokenDigests, prefix, gateTo, ...place }: Place,
): AssembledMock {
  const { requestTimeout = 30_000, hostNames = [], opensToBrowsers, seed } = options;
  const { description, operations } = spoken;
  const { mock: core, tenants, beginWith } = createCore(options, spoken);
  const common = { requestTimeout, tls: gateTo && options.tls };
  const routes = routesOf(core, operations);
  // Pages of other origins, and answers of another type, have further headers.
  const isPlain = !opensToBrowsers && !core.settings.habits.answerType;
  const direct = isPlain ? createDirectRoute(core, routes) : undefined;
  const app = createApp(core, { ...common, operations, opensToBrowsers, gate: gateTo?.('app'), direct });
  const mock: ControlledMock = Object.assign(core, place, {
    tenants: tenants as readonly TenantAccess[],
    variationIds: variationsOn(options.variations ?? []),
    callService: createServiceCaller(app, operations),
    sessionTokens: new Map<string, string>(),
    isEnding: false,
    inOrder: createTurns(),
  });
  serveOperations(app, mock, routes);
  // Loaded before the first call, and only where there may be faults: another mock may turn them on in a world that it shares.
  if (mock.world.faults.length > 0 || mock.store?.shared) app.addHook('onReady', mock.faults.load);
  serveDocs(app, () => ({
    description,
    prefix,
    profile: options.profile,
    world: mock.world,
    demo: isDemo(options.beginning?.data as WorldSeed) ? tenants[0] : undefined,
    inbox: `${place.addresses().controlUrl}/inbox/docs`,
  }));
  const controlApp = options.hasControlApart
    ? createApp(mock, { ...common, operations: [], gate: gateTo?.('controlApp') })
    : app;
  const scheme = options.tls ? 'https' : 'http';
  serveControl(controlApp, mock, { tokenDigests, hostNames, scheme });
  serveConsole(controlApp);
  for (const one of new Set([app, controlApp])) serveRoot(one, place.addresses, one !== controlApp);
  return Object.assign(mock, {
    description,
    app,
    direct,
    controlApp,
    control: createControl(mock),
    seed,
    beginWith(world: Beginning) {
      mock.tenants = beginWith(world);
      return mock.tenants;
    },
  });
}

/** How worlds by name come to be: with a store of their own, gone on with from there, or in memory. */
function worldBuilder(options: MockOptions, root: Root, shelf: Shelf | undefined): Builder {
  async function build(
    own: MockOptions,
    { name, tokenDigest, end, onGone }: WorldPlace,
  ): Promise<ServedMock> {
    const mock = assemble(own, {
      spoken: own.profile === options.profile ? root.spoken : speak(own.profile),
      prefix: prefixOf(name),
      addresses: () => addressesIn(name, root.addresses()),
      tokenDigests: tokenDigest === undefined ? root.tokenDigests : [...root.tokenDigests, tokenDigest],
      streams: root.streams,
      // Answer the call that asks for the end first.
      stop: () => void setImmediate(end),
      keeper: undefined,
    });
    for (const app of new Set([mock.app, mock.controlApp])) await app.ready();
    if (!mock.store) return mock;
    mock.store.events.once('end', onGone);
    await mock.turn(() => goOnWith(mock, own.store));
    // It may have something to do.
    mock.scheduler.wake();
    return mock;
  }

  return {
    shelf,
    async begin(settings, { expiresInMs, ...place }) {
      // What is left out is as the mock was started, but for its store.
      const { store: _store, storedWorlds: _storedWorlds, ...unkept } = options;
      const own: MockOptions = { ...unkept, ...settings };
      const begunAt = Date.now();
      const endsAt = expiresInMs === undefined ? undefined : begunAt + expiresInMs;
      if (!shelf) return { mock: await build(own, place), createdAt: begunAt, expiresAt: endsAt, endsAt };
      const { profile, seed, clock, beginning, variations = [] } = own;
      const persisted = { profile, seed, clock, data: beginning?.data ?? demoSeed, variations };
      const stored = await shelf.add({ ...place, expiresInMs, settings: persisted });
      const { createdAt, expiresAt } = stored;
      try {
        const mock = await build({ ...own, store: await shelf.open(stored) }, place);
        return { mock, createdAt, expiresAt, endsAt: stored.endsAt };
      } catch (error) {
        await shelf.remove(place.name);
        throw error;
      }
    },
    async goOn(stored, place) {
      if (!shelf) throw new Error('there is no store');
      const { data, ...settings } = stored.settings;
      const beginning = await readBeginning({ world: data as Beginning['data'], ...settings });
      return build({ ...options, ...settings, beginning, store: await shelf.open(stored) }, place);
    },
  };
}
