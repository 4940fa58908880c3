// A mock, at the root or under a prefix: one object with its world, what works on it, and what answers for it.
import type { Description } from '../../openapi/description.ts';
import { createTurns } from '../clock/turns.ts';
import { serveConsole, serveRoot } from '../console/serve-console.ts';
import { createControl } from '../control/control.ts';
import { serveControl } from '../control/control-routes.ts';
import type { ControlledMock } from '../control/controlled-mock.ts';
import { serveDocs } from '../docs-site/serve-docs.ts';
import { variationsOn } from '../variations/variations.ts';
import type { TenantAccess } from '../world/create-world.ts';
import { isDemo } from '../world/demo-world.ts';
import type { ServedMock } from '../worlds/named-worlds.ts';
import { createApp } from './app.ts';
import { createServiceCaller } from './call-service.ts';
import { createCore } from './create-core.ts';
import type { Beginning, MockOptions } from './mock-options.ts';
import type { Place } from './place.ts';
import { createDirectRoute, routesOf, serveOperations } from './serve-operations.ts';

export interface AssembledMock extends ServedMock {
  description: Description;
  /** What the next reset begins with. Returns its tenants. */
  beginWith(world: Beginning): readonly TenantAccess[];
}

export function assembleMock(
  options: MockOptions,
  { spoken, tokenDigests, gates, prefix = '', ...place }: Place,
): AssembledMock {
  const { requestTimeout = 30_000, hostNames = [], opensToBrowsers, seed } = options;
  const { description, operations } = spoken;
  const { mock: core, tenants, beginWith } = createCore(options, spoken);
  // A named world shares the port of the main mock.
  const tls = gates && options.tls;
  const common = { requestTimeout, tls };
  const routes = routesOf(core, operations);
  // Pages of other origins, and answers of another type, have further headers.
  const isPlain = !opensToBrowsers && !core.settings.habits.answerType;
  const direct = isPlain ? createDirectRoute(core, routes) : undefined;
  const app = createApp(core, { ...common, operations, opensToBrowsers, gate: gates?.service, direct });
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
    demo: !options.createWorld && isDemo(options.world) ? tenants[0] : undefined,
    inbox: `${place.addresses().controlUrl}/inbox/docs`,
  }));
  const controlApp = options.hasControlApart
    ? createApp(mock, { ...common, operations: [], gate: gates?.control })
    : app;
  const control = createControl(mock);
  serveControl(controlApp, mock, {
    tokenDigests,
    hostNames,
    scheme: options.tls ? 'https' : 'http',
  });
  serveConsole(controlApp);
  for (const one of new Set([app, controlApp])) serveRoot(one, place.addresses, one !== controlApp);
  return Object.assign(mock, {
    description,
    app,
    direct,
    controlApp,
    control,
    seed,
    beginWith(world: Beginning) {
      mock.tenants = beginWith(world);
      return mock.tenants;
    },
  });
}
