// Events, and the log of what was pushed.
import { dropJobs } from '../../clock/jobs.ts';
import { promiseOf } from '../../clock/work.ts';
import { eventData, sampleValues, siteEventValues } from '../../webhooks/event-values.ts';
import type { Editable } from '../../world/collection.ts';
import type { Delivery, Site } from '../../world/entries.ts';
import { subscriptionIdsOf, subscriptionKey } from '../../world/subscription-id.ts';
import { isoTime, timeOf } from '../../world/time.ts';
import type { World } from '../../world/world.ts';
import { ControlError } from '../control-error.ts';
import type { ControlledMock } from '../controlled-mock.ts';
import { listOf } from '../page-of.ts';
import { showDelivery } from '../show-delivery.ts';
import { findTenant, sitesOf } from '../tenants.ts';
import type { Answer, Input } from './call.ts';

/** The pushes are sent soon after. */
export function causeEvent(mock: ControlledMock, { body }: Input<'causeEvent'>): Answer<'causeEvent'> {
  const { event, data, samples } = body;
  const { world, profile } = mock;
  const site = siteOf(world, body);
  const now = timeOf(world.clock);
  const values = () =>
    samples ? sampleValues[event] : siteEventValues(world, site, { profile, event, now });
  const given = data ?? eventData(profile, event, values());
  const deliveries = mock.dispatcher.emit({ event, at: now, site, data: given });
  return { site_id: site.id, deliveries: deliveries.map((one) => showDelivery(one)) };
}

export function listDeliveries(
  { world }: ControlledMock,
  { query }: Input<'listDeliveries'>,
): Answer<'listDeliveries'> {
  const { tenant, site_id: siteId, subscription_id: subscriptionId, state } = query;
  const sites = tenant === undefined ? undefined : sitesOf(world, findTenant(world, tenant).id);
  const fitting = [...world.deliveries.values()].filter(
    (delivery) =>
      (sites?.has(delivery.siteId) ?? true) &&
      (siteId === undefined || delivery.siteId === siteId) &&
      (subscriptionId === undefined || String(delivery.subscriptionId) === String(subscriptionId)) &&
      (state === undefined || delivery.state === state),
  );
  return listOf('deliveries', fitting, query, (one) => showDelivery(one));
}

export function getDelivery(
  mock: ControlledMock,
  { path: { id } }: Input<'getDelivery'>,
): Answer<'getDelivery'> {
  return showWhole(mock, findDelivery(mock.world, id));
}

/** Sends the same bytes again, now, and waits for the result. */
export async function redeliver(
  mock: ControlledMock,
  { path: { id } }: Input<'redeliver'>,
): Promise<Answer<'redeliver'>> {
  const delivery = findDelivery(mock.world, id);
  const send = await mock.turn(() => mock.dispatcher.begin(id, 'redelivery'));
  if (send) await mock.scheduler.track(promiseOf(send));
  // Newer deliveries may have displaced it meanwhile.
  return showWhole(mock, mock.world.deliveries.get(id) ?? delivery);
}

/** Makes no further attempt by itself. */
export function giveUp(mock: ControlledMock, { path: { id } }: Input<'giveUp'>): Answer<'giveUp'> {
  const { world } = mock;
  const { state } = findDelivery(world, id);
  if (state !== 'pending')
    throw new ControlError(
      409,
      `POST /_mock/deliveries/${id}/give-up: it is ${state}; only one that is pending can be given up`,
    );
  const delivery = world.deliveries.edit(id);
  delivery.state = 'given-up';
  delivery.nextAttemptAt = undefined;
  dropJobs(world, ({ task }) => task.kind === 'attempt' && task.deliveryId === id);
  mock.events.emit('delivery', delivery);
  return showWhole(mock, delivery);
}

/** Waits until no push is in progress and nothing is due. */
export async function drain(mock: ControlledMock): Promise<Answer<'drain'>> {
  await mock.scheduler.settle();
  const { deliveries, clock } = mock.world;
  return {
    now: isoTime(timeOf(clock)),
    pending: [...deliveries.values()].filter(({ state }) => state === 'pending').length,
  };
}

/** With whether its signatures fit. */
function showWhole({ profile, world }: ControlledMock, delivery: Delivery): Answer<'getDelivery'> {
  const { siteId, subscriptionId: id } = delivery;
  const key = subscriptionKey({ siteId, id }, subscriptionIdsOf(profile));
  return showDelivery(delivery, world.subscriptions.get(key)?.secret);
}

/** The site that is named, or else the one that has a subscription to the event. */
function siteOf(
  { sites, subscriptions }: World,
  { event, site_id: wanted }: Input<'causeEvent'>['body'],
): Editable<Site> {
  if (wanted !== undefined && sites.has(wanted)) return sites.edit(wanted);
  if (wanted !== undefined)
    throw new ControlError(
      404,
      `POST /_mock/events: there is no site ${wanted}; there ${listSites(sites.values())}`,
    );
  const subscribed = new Set(
    [...subscriptions.values()].filter(({ events }) => events.includes(event)).map(({ siteId }) => siteId),
  );
  const [first, ...others] = [...sites.values()].filter(
    ({ id }) => subscribed.size === 0 || subscribed.has(id),
  );
  if (!first) throw new ControlError(409, 'POST /_mock/events: there is no site yet; create one');
  if (subscribed.size === 0 || others.length === 0) return sites.edit(first.id);
  throw new ControlError(
    409,
    `POST /_mock/events: several sites have a subscription to ${event}; there ${listSites([first, ...others])}; send "site_id"`,
  );
}

const mostListed = 10;

function listSites(sites: Iterable<Site>): string {
  const all = [...sites].map(({ id, name }) => `${id} (${name})`);
  if (all.length === 0) return 'is none yet';
  const more = all.length - mostListed;
  return `${all.length === 1 ? 'is' : 'are'} ${all.slice(0, mostListed).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

function findDelivery({ deliveries }: World, id: number): Delivery {
  const delivery = deliveries.get(id);
  if (delivery) return delivery;
  throw new ControlError(404, `there is no delivery ${id}; GET /_mock/deliveries lists them`);
}
