import type { Schemas } from '../../../openapi/generated/control-types.ts';
import { statedValues } from '../../../openapi/profile.ts';
import { version } from '../../../openapi/version.ts';
import { oldestDueMs } from '../../clock/jobs.ts';
import { type Journal, journalBound } from '../../http/journal.ts';
import { basePath } from '../../http/paths.ts';
import type { WorldPart } from '../../world/collections.ts';
import { toSnapshot } from '../../world/snapshot.ts';
import type { World } from '../../world/world.ts';
import { findTenant, managerOf, refuse } from '../control-error.ts';
import type { Call, ControlledMock, WaitingCall } from '../controlled-mock.ts';
import { preserveSessions, resetTenant, worldOf } from '../saved-world.ts';
import { noteDelivery, noteEntry, noteInboxes, show, showClock, showTenants } from '../show.ts';

export const getHealth: Call<'getHealth'> = (mock) => {
  const { profile, operations, store, world, journal } = mock;
  return {
    ready: true,
    version,
    base_path: basePath,
    base_url: mock.addresses().baseUrl,
    profile: { name: profile.name, values: { ...statedValues(profile) } },
    operations: [...operations],
    clock: showClock(world),
    kept: showMemory(world, journal),
    ...(store && { store: show({ ...store.status(), oldestDueSeconds: oldestDueMs(world) / 1000 }) }),
  };
};

export const getLive: Call<'getLive'> = () => ({ live: true });

export const getReady: WaitingCall<'getReady'> = async ({ isEnding, store }) => {
  const reason = isEnding ? 'the mock is shutting down' : await store?.check();
  if (reason !== undefined) refuse(503, reason, { 'retry-after': '1' });
  return { ready: true };
};

export const getMetrics: Call<'getMetrics'> = ({ store, metrics }) => {
  const { replicas, worlds } = store?.status() ?? {};
  return metrics.render(show({ sitepub_replicas: replicas, sitepub_kept_worlds: worlds }));
};

const mostRequests = 1000;
const mostDeliveries = 500;

export const getOverview: Call<'getOverview'> = (mock) => {
  const { profile, world, journal } = mock;
  const requests = journal.entries().slice(-mostRequests);
  const deliveries = [...world.deliveries.values()].filter(({ isGreeting }) => !isGreeting);
  return {
    version,
    profile: profile.name,
    base_url: mock.addresses().baseUrl,
    clock: showClock(world),
    operations: [...mock.operations],
    variations: [...mock.variationIds],
    faults: mock.faults.on(),
    requests: requests.map((one) => noteEntry(world, one)),
    evicted: journal.evicted(),
    deliveries: deliveries.slice(-mostDeliveries).map((one) => noteDelivery(profile, one)),
    inboxes: noteInboxes(mock),
  };
};

export const listTenants: Call<'listTenants'> = (mock) => ({ tenants: showTenants(mock) });

export const stop: Call<'stop'> = (mock) => {
  if (!mock.stop)
    refuse(
      409,
      'POST /_mock/stop: this mock runs inside a program, such as `sitepub exec`, and stops when that ends',
    );
  mock.stop();
  return { stopping: true };
};

export const getWorld: WaitingCall<'getWorld'> = async (mock) => {
  await mock.scheduler.settle();
  return await mock.turn(() => toSnapshot(mock.world));
};

export const putWorld: WaitingCall<'putWorld'> = async (mock, { body }) => {
  const world = worldOf(body);
  await turnWhenIdle(mock, () => mock.replaceWorld(world));
  return summarize(mock.world);
};

export const resetWorld: WaitingCall<'resetWorld'> = async (mock, { query: { tenant, sessions } }) => {
  await turnWhenIdle(mock, () => {
    const { world } = mock;
    const tenantId = tenant === undefined ? undefined : findTenant(world, tenant).id;
    const putSessionsBack = preserveSessions(world);
    const seed = mock.createWorld();
    if (tenantId === undefined) mock.replaceWorld(seed);
    else resetTenant(world, seed, tenantId);
    if (sessions === 'keep') putSessionsBack(mock.world);
    mock.journal.clear(tenantId);
  });
  return summarize(mock.world);
};

/** Waits until nothing is in progress, so that no push of the old world is logged in the new one. */
function turnWhenIdle(mock: ControlledMock, work: () => void): Promise<void> {
  return mock.inOrder(async () => {
    mock.dispatcher.abortWaiting();
    await mock.scheduler.settle();
    await mock.turn(work);
    mock.scheduler.wake();
    mock.events.emit('replaced');
    mock.events.emit('clock');
  });
}

export const listWorlds: WaitingCall<'listWorlds'> = async (mock, { query }) =>
  managerOf(mock).listAll(query);

export const createWorld: WaitingCall<'createWorld'> = async (mock, { body }) => managerOf(mock).create(body);

export const endWorld: WaitingCall<'endWorld'> = async (mock, { path: { name } }) => {
  await managerOf(mock).end(name);
  return { ended: name };
};

function showMemory({ byteLimits }: World, journal: Journal): Schemas['Health']['kept'] {
  const part = (name: WorldPart) => ({ bytes: byteLimits[name].bytes, bound: byteLimits[name].most });
  return {
    inboxes: part('inboxes'),
    journal: { bytes: journal.bytes(), bound: journalBound },
    content: part('content'),
    deliveries: part('deliveries'),
    records: part('records'),
  };
}

function summarize(world: World): Schemas['WorldSummary'] {
  return {
    clock: showClock(world),
    tenants: world.tenants.size,
    users: world.users.size,
    sites: world.sites.size,
    subscriptions: world.subscriptions.size,
    deliveries: world.deliveries.size,
    jobs: world.jobs.size,
  };
}
