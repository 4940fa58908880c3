// Assembles a mock, which answers requests with a socket or without one.
import { EventEmitter } from 'node:events';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Description } from '../../openapi/description.ts';
import { type Operation, operationsOf } from '../../openapi/operations.ts';
import type { Profile } from '../../openapi/profile.ts';
import { resolve } from '../../openapi/resolve.ts';
import { createValidator } from '../../openapi/validate.ts';
import { clockOf } from '../clock/clock.ts';
import { createScheduler } from '../clock/scheduler.ts';
import { leadBrowsers, serveConsole } from '../console/serve-console.ts';
import { createControlContext } from '../control/control-context.ts';
import { serveControl } from '../control/control-routes.ts';
import { type Control, createControl } from '../control/create-control.ts';
import { serveDocs } from '../docs-site/serve-docs.ts';
import { createFaultSwitch } from '../faults/fault-switch.ts';
import { createHttpDate } from '../http/http-date.ts';
import { createJournal } from '../http/journal.ts';
import { basePath, toFastifyPath } from '../http/paths.ts';
import { handlerOf } from '../operations/index.ts';
import { endPublication } from '../operations/publishing.ts';
import { defaultRequestSteps } from '../request/default-steps.ts';
import { handleRequest, handleShared, type Route } from '../request/pipeline.ts';
import type { Log, Service, ServiceEvents, Settings, Steps } from '../service.ts';
import { createVariations, habitsOf, variationsOn } from '../variations/variations.ts';
import { varySending } from '../variations/vary-sending.ts';
import { defaultDeliverySteps } from '../webhooks/delivery-steps.ts';
import { createDispatcher } from '../webhooks/dispatch.ts';
import { createSender } from '../webhooks/send.ts';
import { createWorldFromSeed, type TenantAccess } from '../world/create-world.ts';
import { demoSeed } from '../world/demo-world.ts';
import { subscriptionIdsOf } from '../world/subscription-id.ts';
import type { ClockState, Job, World } from '../world/world.ts';
import type { WorldSeed } from '../world/world-seed.ts';
import { createApp, send } from './app.ts';
import { createServiceCaller } from './call-service.ts';

export interface MockOptions {
  profile: Profile;
  /** The same seed and the same calls result in the same world. */
  seed: number;
  /** What the world starts with. Default: the demo world. */
  world?: WorldSeed;
  /** `manual` starts at a fixed time and moves only on request; `real` runs by itself and can be moved too. */
  clock: ClockState['mode'];
  settings?: Partial<Settings>;
  /** Ids of legal variations of the usual behaviour (see docs/mock.md), or "all". */
  variations?: readonly string[];
  /** Ids of faults, which break the interface on purpose (see docs/mock.md). */
  faults?: readonly string[];
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
  /** Whether the control API is served by a separate app. */
  hasControlApart?: boolean;
}

export interface Mock {
  description: Description;
  app: FastifyInstance;
  /** The same app, unless `hasControlApart`. */
  controlApp: FastifyInstance;
  service: Service;
  control: Control;
  tenants: TenantAccess[];
}

export function createMock(options: MockOptions): Mock {
  const { requestTimeout = 30_000, controlToken: token, hostNames = [], faults = [] } = options;
  const description = resolve(options.profile);
  const operations = operationsOf(description);
  const { service, tenants } = createService(options, { description, operations });
  const app = createApp(service, { operations, requestTimeout });
  const routes = operations.map((operation) => ({ operation, handler: handlerOf(operation.id) }));
  const shared = Map.groupBy(routes, ({ operation: { method, path } }) => `${method} ${path}`);
  for (const [first, ...others] of shared.values()) if (first) serve(app, service, [first, ...others]);
  // Only a mock with faults loads their table, before it answers its first call.
  if (faults.length > 0) app.addHook('onReady', () => service.faults.set(faults));
  serveDocs(app, description, options.profile);
  const controlApp = options.hasControlApart ? createApp(service, { operations: [], requestTimeout }) : app;
  const context = createControlContext(service, {
    addresses: () => addressesOf(app, controlApp),
    stop: options.onStop,
    tenants,
    variations: variationsOn(options.variations ?? []),
    callService: createServiceCaller(app, operations),
  });
  const control = createControl(context);
  serveControl(controlApp, context, { control, token, hostNames });
  serveConsole(controlApp);
  leadBrowsers(app, { controlPort: () => portApart(app, controlApp) });
  if (controlApp !== app) leadBrowsers(controlApp);
  return { description, app, controlApp, service, control, tenants };
}

/** The addresses of a mock; placeholders until it listens. */
export function addressesOf(app: FastifyInstance, controlApp: FastifyInstance) {
  // The getter throws until the app listens.
  const originOf = (one: FastifyInstance) =>
    one.server.listening ? one.listeningOrigin : 'http://127.0.0.1';
  return { baseUrl: `${originOf(app)}${basePath}`, controlUrl: `${originOf(controlApp)}/_mock` };
}

/** The port of a control API of its own. */
function portApart(app: FastifyInstance, controlApp: FastifyInstance): number | undefined {
  return controlApp === app ? undefined : Number(new URL(controlApp.listeningOrigin).port);
}

function createService(
  options: MockOptions,
  { description, operations }: { description: Description; operations: readonly Operation[] },
) {
  const { profile, log, seed } = options;
  const createSeededWorld = () => createWorldFromSeed(options.world ?? demoSeed, worldSetup(options));
  const { world, tenants } = createSeededWorld();
  const state: State = { world, steps: defaultSteps };
  const service: Service = {
    get world() {
      return state.world;
    },
    get steps() {
      return state.steps;
    },
    replaceWorld(other) {
      state.world = other;
    },
    createWorld: () => createSeededWorld().world,
    faults: createFaultSwitch({
      defaults: defaultSteps,
      use(steps) {
        state.steps = steps;
      },
      seed,
    }),
    ...createDelivery(options, state, (job) => perform(service, job)),
    profile,
    log,
    validate: createValidator(description),
    operations: operations.map(({ id }) => id),
    httpDate: createHttpDate(),
    tokenCache: new WeakMap(),
    callsInProgress: new Map(),
    journal: createJournal(),
  };
  return { service, tenants };
}

/** Read both anew each time: they can be replaced as a whole. */
interface State {
  world: World;
  steps: Steps;
}

/** The clock, the jobs that become due by it, and the sending of pushes. */
function createDelivery(options: MockOptions, state: State, perform: (job: Job) => Promise<void>) {
  const { profile, seed } = options;
  const variations = createVariations(options.variations ?? [], { seed, profile });
  const settings: Settings = {
    refusesPrivateTargets: false,
    habits: habitsOf(options.variations ?? []),
    ...options.settings,
  };
  const events: ServiceEvents = new EventEmitter();
  const clock = clockOf(state);
  const scheduler = createScheduler(
    { state, clock },
    { perform, abortWaiting: () => dispatcher.abortWaiting() },
  );
  const sender = createSender(settings);
  const dispatcher = createDispatcher({
    state,
    profile,
    clock,
    scheduler,
    sender: variations ? varySending(sender, variations, scheduler) : sender,
    varyBody: variations?.pushBody,
    unknownAtFirstMs: settings.habits.unknownAtFirstMs ?? 0,
    onAttempt: (delivery, attempt) => events.emit('attempt', delivery, attempt),
  });
  return { settings, variations, events, clock, scheduler, dispatcher };
}

export const defaultSteps: Steps = { ...defaultRequestSteps, ...defaultDeliverySteps };

/** A manual clock starts at a fixed time, so that two runs are the same. */
const manualStart = Date.parse('2026-01-01T00:00:00.000Z');

function worldSetup({ profile, seed, clock: mode, variations = [] }: MockOptions) {
  const { clockAheadMs: ahead = 0 } = habitsOf(variations);
  const clock: ClockState = mode === 'manual' ? { mode, time: manualStart + ahead } : { mode, offset: ahead };
  return { seed, clock, subscriptionIds: subscriptionIdsOf(profile) };
}

async function perform(service: Service, { task }: Job): Promise<void> {
  try {
    if (task.kind === 'attempt') await service.dispatcher.attempt(task.deliveryId, task.cause);
    else endPublication(service, task.publicationId, task.outcome);
  } catch (error) {
    service.log(`${task.kind} failed: ${error instanceof Error ? error.stack : String(error)}`);
  }
}

function serve(app: FastifyInstance, service: Service, routes: readonly [Route, ...Route[]]): void {
  const [route] = routes;
  const answer = (request: FastifyRequest) =>
    routes.length === 1 ? handleRequest(service, route, request) : handleShared(service, routes, request);
  app.route({
    method: route.operation.method,
    url: toFastifyPath(route.operation.path),
    handler: async (request, reply) => send(reply, service, await answer(request)),
  });
}
