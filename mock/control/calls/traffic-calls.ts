import { dropJobs } from '../../clock/jobs.ts';
import { promiseOf } from '../../clock/work.ts';
import type { JournalEntry } from '../../http/journal.ts';
import { configureInbox as changeInbox, clearInbox as emptyInbox } from '../../inbox/inboxes.ts';
import { eventData, sampleValues, siteEventValues } from '../../webhooks/event-values.ts';
import type { Editable } from '../../world/collection.ts';
import type { Delivery, Site } from '../../world/entries.ts';
import { subscriptionIdsOf, subscriptionKey } from '../../world/subscription-rules.ts';
import { isoTime, timeOf } from '../../world/time.ts';
import type { World } from '../../world/world.ts';
import { checkInboxName, checkOperation, findTenant, found, refuse } from '../control-error.ts';
import type { Answer, Body, Call, ControlledMock, WaitingCall } from '../controlled-mock.ts';
import { listOf, noteInboxes, showDelivery, showInbox, showMessage, showRequest } from '../show.ts';

/** Returns before the pushes are sent. */
export const causeEvent: Call<'causeEvent'> = (mock, { body }) => {
  const { event, data, samples } = body;
  const { world, profile } = mock;
  const site = siteOf(world, body);
  const now = timeOf(world.clock);
  const values = () =>
    samples ? sampleValues(event) : siteEventValues({ world, profile, now }, site, event);
  const given = data ?? eventData(profile, event, values());
  const deliveries = mock.dispatcher.emit({ event, at: now, site, data: given });
  return { site_id: site.id, deliveries: deliveries.map((one) => showDelivery(one)) };
};

export const listDeliveries: Call<'listDeliveries'> = ({ world }, { query }) => {
  const { tenant, site_id: siteId, subscription_id: subscriptionId, state } = query;
  const sites = tenant === undefined ? undefined : world.sites.of(findTenant(world, tenant).id);
  const fitting = [...world.deliveries.values()].filter(
    (delivery) =>
      (sites?.has(delivery.siteId) ?? true) &&
      (siteId === undefined || delivery.siteId === siteId) &&
      (subscriptionId === undefined || String(delivery.subscriptionId) === String(subscriptionId)) &&
      (state === undefined || delivery.state === state),
  );
  return listOf('deliveries', fitting, query, (one) => showDelivery(one));
};

export const getDelivery: Call<'getDelivery'> = (mock, { path: { id } }) =>
  showWhole(mock, findDelivery(mock.world, id));

export const redeliver: WaitingCall<'redeliver'> = async (mock, { path: { id } }) => {
  const delivery = findDelivery(mock.world, id);
  const send = await mock.turn(() => mock.dispatcher.begin(id, 'redelivery'));
  if (send) await mock.scheduler.track(promiseOf(send));
  // Newer deliveries may have evicted it.
  return showWhole(mock, mock.world.deliveries.get(id) ?? delivery);
};

export const giveUp: Call<'giveUp'> = (mock, { path: { id } }) => {
  const { world } = mock;
  const { state } = findDelivery(world, id);
  if (state !== 'pending')
    refuse(
      409,
      `POST /_mock/deliveries/${id}/give-up: the delivery is ${state}; only a pending one can be given up`,
    );
  const delivery = world.deliveries.edit(id);
  delivery.state = 'given-up';
  delivery.nextAttemptAt = undefined;
  dropJobs(world, ({ task }) => task.kind === 'attempt' && task.deliveryId === id);
  mock.events.emit('delivery', delivery);
  return showWhole(mock, delivery);
};

export const drain: WaitingCall<'drain'> = async (mock) => {
  await mock.scheduler.settle();
  const { deliveries, clock } = mock.world;
  return {
    now: isoTime(timeOf(clock)),
    pending: [...deliveries.values()].filter(({ state }) => state === 'pending').length,
  };
};

function showWhole({ profile, world }: ControlledMock, delivery: Delivery): Answer<'getDelivery'> {
  const { siteId, subscriptionId: id } = delivery;
  const key = subscriptionKey({ siteId, id }, subscriptionIdsOf(profile));
  return showDelivery(delivery, world.subscriptions.get(key)?.secret);
}

/** Without `site_id`, the only site subscribed to the event, or the first site if none is. */
function siteOf(
  { sites, subscriptions }: World,
  { event, site_id: wanted }: Body<'causeEvent'>,
): Editable<Site> {
  if (wanted !== undefined && sites.has(wanted)) return sites.edit(wanted);
  const all = [...sites.values()];
  if (wanted !== undefined)
    refuse(404, `POST /_mock/events: there is no site ${wanted}; known sites: ${listSites(all)}`);
  const subscribed = all.filter(({ id }) =>
    [...subscriptions.of(id).values()].some(({ events }) => events.includes(event)),
  );
  if (subscribed.length > 1)
    refuse(
      409,
      `POST /_mock/events: several sites have a subscription to ${event}: ${listSites(subscribed)}; send "site_id"`,
    );
  const [{ id } = refuse(409, 'POST /_mock/events: there is no site; create one')] = [...subscribed, ...all];
  return sites.edit(id);
}

const mostListed = 10;

function listSites(sites: readonly Site[]): string {
  const all = sites.map(({ id, name }) => `${id} (${name})`);
  if (all.length === 0) return 'none';
  const more = all.length - mostListed;
  return `${all.slice(0, mostListed).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

function findDelivery({ deliveries }: World, id: number): Delivery {
  return found(deliveries.get(id), `delivery ${id}`, 'deliveries');
}

export const listRequests: Call<'listRequests'> = (mock, { query }) => {
  const { tenant, operation, after = 0 } = query;
  if (operation !== undefined) checkOperation(mock, operation);
  const { journal, world } = mock;
  const tenantId = tenant === undefined ? undefined : findTenant(world, tenant).id;
  const fits = ({ id, exchange }: JournalEntry) =>
    id > after &&
    (operation === undefined || exchange.operation === operation) &&
    (tenantId === undefined || exchange.tenantId === tenantId);
  const show = (entry: JournalEntry) => showRequest(mock, entry);
  return { ...listOf('requests', journal.entries().filter(fits), query, show), evicted: journal.evicted() };
};

export const getRequest: Call<'getRequest'> = (mock, { path: { id } }) =>
  showRequest(mock, found(mock.journal.find(id), `request ${id} in the journal`, 'requests'));

export const clearRequests: Call<'clearRequests'> = (mock, input) => {
  mock.journal.clear();
  return listRequests(mock, input);
};

/** An inbox exists once it was configured or has received a message. */
export const listInboxes: Call<'listInboxes'> = (mock) => ({ inboxes: noteInboxes(mock) });

export const configureInbox: Call<'configureInbox'> = (mock, { path: { name }, body }) => {
  const { robot, ...settings } = body;
  const { sign_secret: signSecret, ...others } = robot ?? {};
  const own = { ...others, ...(signSecret !== undefined && { signSecret }) };
  checkInboxName(name);
  changeInbox(mock.world, name, { ...settings, ...(robot && { robot: own }) });
  return showInbox(mock, name);
};

export const clearInbox: Call<'clearInbox'> = (mock, { path: { name } }) => {
  checkInboxName(name);
  emptyInbox(mock.world, name);
  return showInbox(mock, name);
};

export const listMessages: Call<'listMessages'> = ({ world }, { path: { name }, query }) => {
  checkInboxName(name);
  const { received = 0 } = world.inboxes.get(name) ?? {};
  const { total, ...page } = listOf('messages', world.messages.of(name).values(), query, showMessage);
  return { ...page, received, dropped: received - total };
};
