// Events, and the log of what was pushed.

import { dropJobs } from '../clock/jobs.ts';
import { promiseOf } from '../clock/work.ts';
import { eventData, sampleValues, siteEventValues } from '../webhooks/event-values.ts';
import type { Editable } from '../world/collection.ts';
import type { Delivery, Site } from '../world/entries.ts';
import { subscriptionIdsOf, subscriptionKey } from '../world/subscription-id.ts';
import { isoTime, timeOf } from '../world/time.ts';
import type { World } from '../world/world.ts';
import { checkBody } from './check-body.ts';
import { ControlError } from './control-error.ts';
import type {
  DeliveriesView,
  DeliveryFilter,
  DeliveryView,
  DrainView,
  EventRequest,
} from './control-views.ts';
import type { ControlledMock } from './controlled-mock.ts';
import { pageOf } from './page-of.ts';
import { showDelivery } from './show-delivery.ts';
import { findTenant, sitesOf } from './tenants.ts';

export function pushControl(mock: ControlledMock) {
  return {
    /** Pushes an event to the subscriptions that chose it; the pushes are sent soon after. */
    causeEvent(request: EventRequest): { site_id: number; deliveries: DeliveryView[] } {
      checkBody('causeEvent', request);
      const { event, data, samples } = request;
      const { world } = mock;

      const site = siteOf(world, request);
      const { profile, dispatcher } = mock;
      const now = timeOf(world.clock);
      const values = () =>
        samples ? sampleValues[event] : siteEventValues(world, site, { profile, event, now });
      const given = data ?? eventData(profile, event, values());
      const deliveries = dispatcher.emit({ event, at: now, site, data: given });
      return { site_id: site.id, deliveries: deliveries.map((one) => showDelivery(one)) };
    },

    deliveries: (filter: DeliveryFilter = {}): DeliveriesView => {
      const { world } = mock;

      const fitting = [...world.deliveries.values()].filter(filterOf(world, filter));
      const { shown, total, more } = pageOf(fitting, filter, ({ id }) => id);
      return { deliveries: shown.map((one) => showDelivery(one)), total, ...more };
    },

    delivery: (id: number): DeliveryView => showWhole(mock, mock.world, findDelivery(mock.world, id)),

    /** Sends the same bytes again, now, and waits for the result. */
    async redeliver(id: number): Promise<DeliveryView> {
      const delivery = findDelivery(mock.world, id);
      const send = await mock.turn(() => mock.dispatcher.begin(id, 'redelivery'));
      if (send) await mock.scheduler.track(promiseOf(send));
      // Newer deliveries may have displaced it meanwhile.
      return showWhole(mock, mock.world, mock.world.deliveries.get(id) ?? delivery);
    },

    /** Makes no further attempt by itself. */
    giveUp: (id: number): DeliveryView => {
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
      return showWhole(mock, world, delivery);
    },

    /** Waits until no push is in progress and nothing is due. */
    async drain(): Promise<DrainView> {
      await mock.scheduler.settle();
      const { deliveries, clock } = mock.world;
      return {
        now: isoTime(timeOf(clock)),
        pending: [...deliveries.values()].filter(({ state }) => state === 'pending').length,
      };
    },
  };
}

/** With whether its signatures fit. */
function showWhole(
  { profile }: Pick<ControlledMock, 'profile'>,
  { subscriptions }: World,
  delivery: Delivery,
): DeliveryView {
  const { siteId, subscriptionId: id } = delivery;
  const subscription = subscriptions.get(subscriptionKey({ siteId, id }, subscriptionIdsOf(profile)));
  return showDelivery(delivery, subscription?.secret);
}

function filterOf(world: World, filter: DeliveryFilter): (delivery: Delivery) => boolean {
  const { tenant, site_id: siteId, subscription_id: subscriptionId, state } = filter;
  const sites = tenant === undefined ? undefined : sitesOf(world, findTenant(world, tenant).id);
  return (delivery) =>
    (sites?.has(delivery.siteId) ?? true) &&
    (siteId === undefined || delivery.siteId === siteId) &&
    (subscriptionId === undefined || String(delivery.subscriptionId) === String(subscriptionId)) &&
    (state === undefined || delivery.state === state);
}

/** The site that is named, or else the one that has a subscription to the event. */
function siteOf({ sites, subscriptions }: World, { event, site_id: wanted }: EventRequest): Editable<Site> {
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
