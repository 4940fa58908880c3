import { createTurns } from '../clock/work.ts';
import { serveConsole, serveRoot } from '../console/serve-console.ts';
import { createControl } from '../control/control.ts';
import { serveControl } from '../control/control-routes.ts';
import type { ControlPlace } from '../control/controlled-mock.ts';
import { createStreamBudget } from '../control/stream/stream-budget.ts';
import type { Subject } from '../docs-site/describe.ts';
import { servePage } from '../http/serve-page.ts';
import { variationsOn } from '../variations/variations.ts';
import { isDemo } from '../world/demo-world.ts';
import { digest } from '../world/digests.ts';
import { mainWorld } from '../world/world.ts';
import { createGate, type Gate } from '../worlds/gate.ts';
import { createNamedWorlds, type NamedWorlds } from '../worlds/named-worlds.ts';
import { createShelf } from '../worlds/shelf.ts';
import { addressesIn, createWorldManager } from '../worlds/world-manager.ts';
import { prefixOf } from '../worlds/world-names.ts';
import { createApp } from './app.ts';
import { createCore, goOnWith, speak } from './create-core.ts';
import { addressesOf } from './listen.ts';
import type { MockOptions } from './mock-options.ts';
import { readRequest } from './read-settings.ts';
import { createDirectRoute, createServiceCaller, routesOf, serveOperations } from './serve-operations.ts';

type AssembledMock = ReturnType<typeof assemble>;

export interface RootMock extends AssembledMock {
  worlds: NamedWorlds;
}

interface Place extends ControlPlace {
  name: string;
  tokenDigests: readonly string[];
  gateTo?(side: 'app' | 'controlApp'): Gate;
}

export function createMock(options: MockOptions): RootMock {
  const { controlToken, storedWorlds } = options;
  const tokenDigest = controlToken === undefined ? undefined : digest(controlToken);
  const tokenDigests = tokenDigest === undefined ? [] : [tokenDigest];
  const addresses = () => addressesOf(main.app, main.controlApp, options.publicUrl);
  const streams = createStreamBudget();
  const shelf = storedWorlds && createShelf(storedWorlds);
  const worlds: NamedWorlds = createNamedWorlds({
    shelf,
    async build({ name, tokenDigest: own, settings, open }) {
      const store = await open?.();
      const mock = assemble(
        { ...options, ...settings, store },
        {
          name,
          addresses: () => addressesIn(name, addresses()),
          streams,
          tokenDigests: own === undefined ? tokenDigests : [...tokenDigests, own],
          // The call that asks for the end is answered first.
          stop: () => void setImmediate(() => worlds.end(name).catch(() => {})),
          manager: undefined,
        },
      );
      for (const app of new Set([mock.app, mock.controlApp])) await app.ready();
      if (!mock.store) return mock;
      await mock.turn(() => goOnWith(mock, store));
      // A persisted world may have jobs that are due.
      mock.scheduler.wake();
      return mock;
    },
  });
  const createdAt = Date.now();
  const main: AssembledMock = assemble(options, {
    name: mainWorld,
    addresses,
    streams,
    tokenDigests,
    stop: options.onStop,
    manager: createWorldManager(worlds, {
      main: () => ({ mock: main, name: mainWorld, number: 0, tokenDigest, createdAt, expiresAt: undefined }),
      readRequest: (request) => readRequest(request, options),
      shelf,
    }),
    gateTo: (side) => createGate(worlds, side, () => main),
  });
  return Object.assign(main, { worlds });
}

function assemble(options: MockOptions, { name, tokenDigests, gateTo, ...place }: Place) {
  const { requestTimeout = 30_000, hostNames = [], cors, seed, profile } = options;
  const spoken = speak(profile);
  const { description, operations } = spoken;
  const core = createCore(options, spoken);
  const common = { requestTimeout, tls: gateTo && options.tls };
  const routes = routesOf(core, operations);
  // Only hooks of Fastify add CORS headers and change the type of answers.
  const isPlain = !cors && !core.settings.habits.answerType;
  const direct = isPlain ? createDirectRoute(core, routes) : undefined;
  const app = createApp(core, { ...common, operations, cors, gate: gateTo?.('app'), direct });
  const mock = Object.assign(core, place, {
    variationIds: variationsOn(options.variations ?? []),
    callService: createServiceCaller(app, operations),
    sessionTokens: new Map<string, string>(),
    isEnding: false,
    inOrder: createTurns(),
  });
  serveOperations(app, mock, routes);
  // Loads faults before the first call, also in a shared world, where another process may turn them on.
  if (mock.world.faults.length > 0 || mock.store?.shared) app.addHook('onReady', mock.faults.load);
  const subject = (): Subject => ({
    description,
    prefix: prefixOf(name),
    profile,
    world: mock.world,
    demo: isDemo(mock.beginning) ? mock.tenants[0] : undefined,
    inbox: `${place.addresses().controlUrl}/inbox/docs`,
  });
  // Imports the documents on the first request, so that the mock starts fast.
  servePage(app, '/docs', async (path) =>
    (await import('../docs-site/documents.ts')).findDocument(path, subject()),
  );
  const controlApp =
    options.controlPort === undefined
      ? app
      : createApp(mock, { ...common, operations: [], gate: gateTo?.('controlApp') });
  const scheme = options.tls ? 'https' : 'http';
  serveControl(controlApp, mock, { tokenDigests, hostNames, scheme });
  serveConsole(controlApp);
  for (const one of new Set([app, controlApp])) serveRoot(one, place.addresses, one !== controlApp);
  return Object.assign(mock, { description, app, controlApp, control: createControl(mock), seed });
}
