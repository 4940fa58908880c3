// What the mock is, and the whole of its world.
import { statedValues } from '../../../openapi/profile.ts';
import { version } from '../../../openapi/version.ts';
import { basePath } from '../../http/paths.ts';
import { toSnapshot } from '../../world/snapshot.ts';
import { ControlError } from '../control-error.ts';
import type { ControlledMock } from '../controlled-mock.ts';
import { keepSessions, putSessionsBack } from '../keep-sessions.ts';
import { resetTenant } from '../reset-tenant.ts';
import { worldOf } from '../saved-world.ts';
import { noteDelivery } from '../show-delivery.ts';
import { noteInbox } from '../show-inbox.ts';
import { noteRequest } from '../show-request.ts';
import { showInside } from '../show-site.ts';
import { showTenants } from '../show-tenants.ts';
import { showClock, showKept, showStore, summarize } from '../show-world.ts';
import { findTenant } from '../tenants.ts';
import type { Answer, Input } from './call.ts';

export function getHealth(mock: ControlledMock): Answer<'getHealth'> {
  const { profile, operations, store } = mock;
  return {
    ready: true,
    version,
    base_path: basePath,
    base_url: mock.addresses().baseUrl,
    profile: { name: profile.name, values: { ...statedValues(profile) } },
    operations: [...operations],
    clock: showClock(mock.world),
    kept: showKept(mock.world, mock.journal),
    ...(store && { store: showStore(store, mock.world) }),
  };
}

export function getLive(): Answer<'getLive'> {
  return { live: true };
}

/** Throws a ControlError (503) with the reason. */
export async function getReady({ isEnding, store }: ControlledMock): Promise<Answer<'getReady'>> {
  const reason = isEnding ? 'the mock is ending' : await store?.check();
  if (reason !== undefined) throw new ControlError(503, reason, { 'retry-after': '1' });
  return { ready: true };
}

/** In the text format of Prometheus. */
export function getMetrics({ store, metrics }: ControlledMock): Answer<'getMetrics'> {
  const { replicas, worlds } = store?.status() ?? {};
  return metrics.render({
    ...(replicas !== undefined && { sitepub_replicas: replicas }),
    ...(worlds !== undefined && { sitepub_kept_worlds: worlds }),
  });
}

const mostRequests = 1000;
const mostDeliveries = 500;

export function getOverview(mock: ControlledMock): Answer<'getOverview'> {
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
    requests: requests.map(({ id, exchange }) => ({ id, ...noteRequest(world, exchange) })),
    evicted: journal.evicted(),
    deliveries: deliveries.slice(-mostDeliveries).map((one) => noteDelivery(profile, one)),
    inboxes: [...world.inboxes.keys()].flatMap((name) => noteInbox(mock, name)),
  };
}

export function listTenants(mock: ControlledMock): Answer<'listTenants'> {
  return { tenants: showTenants(mock) };
}

export function getSite(
  { world }: ControlledMock,
  { path: { siteId } }: Input<'getSite'>,
): Answer<'getSite'> {
  const site = world.sites.get(siteId);
  if (site) return showInside(world, site);
  throw new ControlError(404, `there is no site ${siteId}; GET /_mock/tenants lists them`);
}

/** Ends a mock that `sitepub mock` has started; one within a program ends by its `close`. */
export function stop(mock: ControlledMock): Answer<'stop'> {
  if (!mock.stop)
    throw new ControlError(
      409,
      'POST /_mock/stop: this mock runs within a program, such as `sitepub exec`, and ends with that',
    );
  mock.stop();
  return { stopping: true };
}

/** Takes a snapshot when nothing is in progress. */
export async function getWorld(mock: ControlledMock): Promise<Answer<'getWorld'>> {
  await mock.scheduler.settle();
  return await mock.turn(() => toSnapshot(mock.world));
}

/** Replaces the whole world, including its clock, by a snapshot. */
export async function putWorld(
  mock: ControlledMock,
  { body }: Input<'putWorld'>,
): Promise<Answer<'putWorld'>> {
  const world = worldOf(body);
  await turnWhenIdle(mock, () => mock.replaceWorld(world));
  return summarize(mock.world);
}

/** Resets the world to its seed, or only one tenant. */
export async function resetWorld(
  mock: ControlledMock,
  { query: { tenant, sessions } }: Input<'resetWorld'>,
): Promise<Answer<'resetWorld'>> {
  await turnWhenIdle(mock, () => {
    const { world } = mock;
    const tenantId = tenant === undefined ? undefined : findTenant(world, tenant).id;
    const kept = sessions === 'keep' ? keepSessions(world) : undefined;
    const seed = mock.createWorld();
    if (tenantId === undefined) mock.replaceWorld(seed);
    else resetTenant(world, seed, tenantId);
    if (kept) putSessionsBack(tenantId === undefined ? seed : world, kept);
    mock.journal.clear(tenantId);
  });
  return summarize(mock.world);
}

/** Changes the world as a whole when nothing is under way: no push of the old world is logged in the new one. */
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
