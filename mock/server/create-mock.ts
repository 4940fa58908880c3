// Assembles a mock, which answers requests with a socket or without one.
import { EventEmitter } from 'node:events';
import type { FastifyInstance } from 'fastify';
import type { Description } from '../../openapi/description.ts';
import type { Profile } from '../../openapi/profile.ts';
import { clockOf } from '../clock/clock.ts';
import { createScheduler } from '../clock/scheduler.ts';
import { createControlContext } from '../control/control-context.ts';
import { lazyContract } from '../control/control-contract.ts';
import { serveControl } from '../control/control-routes.ts';
import { type Control, createControl } from '../control/create-control.ts';
import { serveDocs } from '../docs-site/serve-docs.ts';
import { createFaultSwitch } from '../faults/fault-switch.ts';
import { createHttpDate } from '../http/http-date.ts';
import { createJournal } from '../http/journal.ts';
import { defaultRequestSteps } from '../request/default-steps.ts';
import type { Log, Service, ServiceEvents, Settings, Steps } from '../service.ts';
import { createVariations, habitsOf } from '../variations/variations.ts';
import { varySending } from '../variations/vary-sending.ts';
import { defaultDeliverySteps } from '../webhooks/delivery-steps.ts';
import { createDispatcher } from '../webhooks/dispatch.ts';
import { createSender } from '../webhooks/send.ts';
import { createWorldFromSeed, type TenantAccess } from '../world/create-world.ts';
import { demoSeed } from '../world/demo-world.ts';
import type { ClockState, Job, World } from '../world/world.ts';
import type { WorldSeed } from '../world/world-seed.ts';
import { prefixOf } from '../worlds/choose-world.ts';
import { createNamedWorlds, type NamedWorlds } from '../worlds/named-worlds.ts';
import { addressesIn, createKeeper, type WorldSettings } from '../worlds/world-keeper.ts';
import { createApp } from './app.ts';
import { allowBrowsers } from './cors.ts';
import { createGates } from './gates.ts';
import { performJob } from './perform-job.ts';
import { type Place, type Spoken, speak } from './place.ts';
import { addressesOf, serveOperations } from './serve-operations.ts';
import { worldSetup } from './world-setup.ts';

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
  /** Lets web pages of any origin call the services of worlds by name, as `allowBrowsers` does for main. */
  opensToBrowsers?: boolean;
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
  /** Those besides main. */
  worlds: NamedWorlds<WorldSettings>;
}

export function createMock(options: MockOptions): Mock {
  const spoken = speak(options.profile);
  const contract = lazyContract();
  const tokens = options.controlToken === undefined ? [] : [options.controlToken];
  const addresses = () => addressesOf(main.app, main.controlApp);
  const worlds = createNamedWorlds<WorldSettings>(async (settings, { name, controlToken, end }) => {
    const own = { ...options, ...settings };
    const world = assemble(own, {
      spoken: settings.profile ? speak(settings.profile) : spoken,
      contract,
      prefix: prefixOf(name),
      addresses: () => addressesIn(name, addresses()),
      tokens: controlToken === undefined ? tokens : [...tokens, controlToken],
      // The call that asks for it is answered first.
      stop: () => void setImmediate(end),
      worlds: undefined,
    });
    if (options.opensToBrowsers) await allowBrowsers(world.app, world.service);
    for (const app of new Set([world.app, world.controlApp])) await app.ready();
    return { ...world, seed: own.seed };
  });
  const root = { seed: options.seed, createdAt: Date.now(), hasControlToken: tokens.length > 0, addresses };
  const main = assemble(options, {
    spoken,
    contract,
    addresses,
    tokens,
    stop: options.onStop,
    worlds: createKeeper(worlds, () => ({ ...main, ...root })),
    gates: createGates(worlds, () => main.service),
  });
  return { ...main, worlds };
}

function assemble(
  options: MockOptions,
  { spoken, tokens, gates, prefix = '', ...place }: Place,
): Omit<Mock, 'worlds'> {
  const { requestTimeout = 30_000, hostNames = [], faults = [] } = options;
  const { description, operations } = spoken;
  const { service, tenants } = createService(options, spoken);
  const app = createApp(service, { operations, requestTimeout, gate: gates?.service });
  serveOperations(app, service, operations);
  // Only a mock with faults loads their table, before it answers its first call.
  if (faults.length > 0) app.addHook('onReady', () => service.faults.set(faults));
  serveDocs(app, () => ({
    description,
    prefix,
    profile: options.profile,
    world: service.world,
    demo: options.world ? undefined : tenants[0],
    inbox: `${place.addresses().controlUrl}/inbox/docs`,
  }));
  const controlApp = options.hasControlApart
    ? createApp(service, { operations: [], requestTimeout, gate: gates?.control })
    : app;
  const context = createControlContext(service, place);
  const control = createControl(context);
  serveControl(controlApp, context, { control, tokens, hostNames });
  return { description, app, controlApp, service, control, tenants };
}

function createService(options: MockOptions, { operations, validate }: Spoken) {
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
    ...createDelivery(options, state, (job) => performJob(service, job)),
    profile,
    log,
    validate,
    operations: operations.map(({ id }) => id),
    httpDate: createHttpDate(),
    tokenCache: new WeakMap(),
    callsInProgress: new Map(),
    journal: createJournal(),
  };
  return { service, tenants };
}

/** Read both anew each time: they can be replaced as a whole. */
type State = { world: World; steps: Steps };

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
