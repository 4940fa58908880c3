import { EventEmitter } from 'node:events';
import { operationsOf } from '../../openapi/operations.ts';
import type { Profile } from '../../openapi/profile.ts';
import { resolve } from '../../openapi/resolve.ts';
import { createValidator } from '../../openapi/validate.ts';
import { createOwnAgenda, oldestDueMs } from '../clock/jobs.ts';
import { createScheduler } from '../clock/scheduler.ts';
import { rescheduleInterrupted } from '../control/saved-world.ts';
import { createFaultSwitch } from '../faults/fault-switch.ts';
import { createJournal } from '../http/journal.ts';
import { createHttpDate } from '../http/render-envelope.ts';
import { createMetrics } from '../metrics/metrics.ts';
import { endPublication } from '../operations/sites.ts';
import { defaultRequestSteps } from '../request/route.ts';
import type { Mock, ServiceEvents, Settings, Steps } from '../service.ts';
import { createSharedAgenda } from '../store/shared/agenda.ts';
import type { Store } from '../store/store.ts';
import { StoreError } from '../store/store-error.ts';
import { createVariations, habitsOf } from '../variations/variations.ts';
import { varySending } from '../variations/vary-sending.ts';
import { defaultDeliverySteps } from '../webhooks/delivery-steps.ts';
import { createDispatcher } from '../webhooks/dispatch.ts';
import { createSender } from '../webhooks/send.ts';
import type { TenantAccess } from '../world/create-world.ts';
import { demoSeed } from '../world/demo-world.ts';
import type { Attempt, Job } from '../world/entries.ts';
import { subscriptionIdsOf } from '../world/subscription-rules.ts';
import { clockOf } from '../world/time.ts';
import { turnInMemory } from '../world/turn.ts';
import type { ClockState, World } from '../world/world.ts';
import type { Beginning } from '../worlds/world-settings.ts';
import type { MockOptions } from './mock-options.ts';
import { beginWorld } from './read-settings.ts';

/** Another process may claim an attempt this long after its timeout. */
const graceMs = 5000;

export interface CoreMock extends Mock {
  tenants: readonly TenantAccess[];
  beginning: Beginning;
  beginWith(beginning: Beginning): void;
}

export function createCore(options: MockOptions, { operations, validate }: Spoken): CoreMock {
  const {
    profile,
    log,
    seed,
    latency,
    tls,
    variations: variationIds = [],
    metrics = createMetrics(),
  } = options;
  const habits = habitsOf(variationIds);
  const settings: Settings = {
    refusesPrivateTargets: options.refusePrivateTargets ?? false,
    isUnlimited: options.limits === 'off',
    ...(latency && { latency }),
    ...(tls && { ownCertificate: tls.cert }),
    habits,
  };
  const { clockAheadMs: ahead = 0, longIds: hasLongIds = false } = habits;
  const clock: ClockState =
    options.clock === 'manual'
      ? { mode: 'manual', time: manualStart + ahead }
      : { mode: 'real', offset: ahead };
  const begin = (beginning: Beginning) =>
    beginWorld(beginning, options.clock, {
      seed,
      clock,
      subscriptionIds: subscriptionIdsOf(profile),
      hasLongIds,
    });
  const { beginning = demoSeed } = options;
  const { world: begun, tenants } = begin(beginning);
  const world = options.store?.world ?? begun;
  if (!options.store?.world) world.faults = options.faults ?? [];
  const store = options.store?.persist(world, log);
  const turn = store?.turn ?? turnInMemory;
  const events: ServiceEvents = new EventEmitter();
  const variations = createVariations(variationIds, { seed, profile });
  const base = {
    world,
    get steps(): Steps {
      return faults.steps();
    },
    profile,
    turn,
    ...(store && { store }),
  };
  const faults = createFaultSwitch({ defaults: defaultSteps, state: base, change: turn, seed });
  const timed = Object.assign(base, { clock: clockOf(base) });
  const agenda = store?.shared
    ? createSharedAgenda(timed, {
        holder: store.shared,
        holdMs: profile.values['webhook.timeout'] * 1000 + graceMs,
        targetOf: ({ task }) =>
          (task.kind === 'attempt' && base.world.deliveries.get(task.deliveryId)?.url) || '',
        onPlace: () => scheduler.wake(),
      })
    : createOwnAgenda(timed);
  const report = (error: unknown, kind: Job['task']['kind']) => {
    // The store itself logs what it could not persist.
    if (!(error instanceof StoreError))
      log(`${kind} failed: ${error instanceof Error ? error.stack : String(error)}`);
  };
  const scheduler = createScheduler(timed, {
    agenda,
    begin({ task }, claim) {
      if (claim?.isAgain) metrics.add('sitepub_claims_taken_over_total', 1);
      try {
        if (task.kind === 'attempt') return mock.dispatcher.begin(task.deliveryId, task.cause, claim);
        endPublication(mock, task.publicationId, task.outcome);
      } catch (error) {
        report(error, task.kind);
      }
      return undefined;
    },
    // Attempts are the only jobs that can fail after `begin`.
    report: (failure) => report(failure, 'attempt'),
    abortWaiting: () => mock.dispatcher.abortWaiting(),
  });
  const pushing = Object.assign(timed, { scheduler });
  const sender = createSender({ ...settings, profile });
  const dispatcher = createDispatcher(pushing, {
    sender: variations ? varySending(sender, variations, scheduler) : sender,
    varyBody: variations?.pushBody,
    unknownAtFirstMs: habits.unknownAtFirstMs ?? 0,
    onAttempt: (delivery, attempt) => events.emit('attempt', delivery, attempt),
  });
  const mock: CoreMock = Object.assign(pushing, {
    beginning,
    tenants,
    beginWith(other: Beginning) {
      mock.beginning = other;
      mock.tenants = begin(other).tenants;
    },
    dispatcher,
    replaceWorld(other: World) {
      other.faults = base.world.faults;
      base.world = other;
      store?.replace(other);
    },
    isClosing: false,
    createWorld: () => begin(mock.beginning).world,
    faults,
    settings,
    variations,
    events,
    log,
    metrics,
    validate,
    operations: operations.map(({ id }) => id),
    httpDate: createHttpDate(),
    tokenCache: new WeakMap<object, { header: string | undefined; key: string }>(),
    callsInProgress: new Map(),
    journal:
      store?.shared?.journal ?? createJournal((entry) => events.emit('request', entry.exchange, entry)),
  });
  countWorld(mock);
  if (store) followOthers(mock, store);
  return mock;
}

export const defaultSteps: Steps = { ...defaultRequestSteps, ...defaultDeliverySteps };

function followOthers({ events, scheduler }: Mock, store: Store): void {
  store.events.on('request', (entry, isElsewhere) =>
    events.emit('request', entry.exchange, entry, isElsewhere),
  );
  store.events.on('news', (news) => {
    // Another process may have left jobs to this one.
    scheduler.wake();
    if (!news) events.emit('replaced');
    for (const { delivery, attempt } of news?.attempts ?? []) events.emit('attempt', delivery, attempt, true);
    for (const delivery of news?.deliveries ?? []) events.emit('delivery', delivery);
    for (const message of news?.messages ?? []) events.emit('message', message);
    if (!news || news.hasClockMoved) events.emit('clock');
  });
}

/** A manual clock starts at a fixed time, so that two runs are the same. */
const manualStart = Date.parse('2026-01-01T00:00:00.000Z');

export function goOnWith({ store, world }: Mock, opened: MockOptions['store']): void {
  // In a shared world, another process may be working on what looks interrupted.
  if (opened?.world && !store?.shared) rescheduleInterrupted(world);
}

export type Spoken = ReturnType<typeof derive>;

/** Keyed by the contents of the profile: each persisted world reads its own copy. */
const spokenByText = new Map<string, WeakRef<Spoken>>();

export function speak(profile: Profile): Spoken {
  const text = JSON.stringify([profile.name, profile.values, [...profile.stated].sort()]);
  const known = spokenByText.get(text)?.deref();
  if (known) return known;
  const derived = derive(profile);
  for (const [other, ref] of spokenByText) if (!ref.deref()) spokenByText.delete(other);
  spokenByText.set(text, new WeakRef(derived));
  return derived;
}

function derive(profile: Profile) {
  const description = resolve(profile);
  return { description, operations: operationsOf(description), validate: createValidator(description) };
}

function countWorld(mock: Mock): void {
  const { events, metrics, store } = mock;
  const requests = remember((operation: string) =>
    remember((status: number) => metrics.counter('sitepub_requests_total', { operation, status })),
  );
  events.on('request', ({ operation = 'none', answer }, _entry, isElsewhere) => {
    if (!isElsewhere) requests(operation)(answer?.status ?? 0).value++;
  });
  const attempts = remember((outcome: string) => metrics.counter('sitepub_attempts_total', { outcome }));
  events.on('attempt', (_delivery, attempt, isElsewhere) => {
    if (!isElsewhere) attempts(outcomeOf(attempt)).value++;
  });
  const leave = metrics.watch({
    oldestDueSeconds: () => oldestDueMs(mock.world) / 1000,
    claims: () =>
      [...mock.world.jobs.values()].filter(({ held }) => held && held.by === store?.shared?.id).length,
  });
  events.on('closing', leave);
}

/** Caches counters, since building the text of their labels would cost more than counting a request. */
function remember<Key, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const made = new Map<Key, Value>();
  return (key) => {
    const known = made.get(key);
    if (known !== undefined) return known;
    const value = make(key);
    made.set(key, value);
    return value;
  };
}

function outcomeOf({ outcome }: Attempt): string {
  if ('error' in outcome) return 'no-answer';
  const { status, refusal } = outcome;
  return status >= 200 && status <= 299 && refusal === undefined ? 'delivered' : 'refused';
}
