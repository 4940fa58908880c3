// Events, and the log of what was pushed.
import { eventData } from '../webhooks/event-data.ts';
import { sampleValues } from '../webhooks/sample-values.ts';
import type { Delivery, World } from '../world/world.ts';
import type { ControlContext } from './control-context.ts';
import { ControlError } from './control-error.ts';
import type { DeliveryFilter, DeliveryView, DrainView, EventRequest } from './control-views.ts';
import { showDelivery } from './show-delivery.ts';
import { isoTime } from './show-world.ts';
import { findTenant, sitesOf } from './tenants.ts';

export function pushControl({ service, check }: ControlContext) {
  return {
    /** Pushes an event to those who subscribed to it; the pushes are sent soon after. */
    causeEvent(request: EventRequest): { deliveries: DeliveryView[] } {
      check('causeEvent', request);
      const { event, site_id: siteId, data } = request;
      const site = service.world.sites.get(siteId);
      if (!site) throw new ControlError(404, `POST /_mock/events: there is no site ${siteId}`);
      const given = data ?? eventData(service.profile, event, sampleValues[event]);
      const deliveries = service.dispatcher.emit({ event, at: service.clock.now(), site, data: given });
      return { deliveries: deliveries.map(showDelivery) };
    },

    deliveries(filter: DeliveryFilter = {}): { deliveries: DeliveryView[]; total: number } {
      const fits = filterOf(service.world, filter);
      const deliveries = [...service.world.deliveries.values()].filter(fits).map(showDelivery);
      return { deliveries, total: deliveries.length };
    },

    delivery: (id: number): DeliveryView => showDelivery(findDelivery(service.world, id)),

    /** Sends the same bytes again, now, and waits for what comes of it. */
    async redeliver(id: number): Promise<DeliveryView> {
      const delivery = findDelivery(service.world, id);
      await service.scheduler.track(service.dispatcher.attempt(id, 'redelivery'));
      return showDelivery(delivery);
    },

    /** Waits until no push is in flight and nothing is due. */
    async drain(): Promise<DrainView> {
      await service.scheduler.settle();
      const pending = [...service.world.deliveries.values()].filter(
        ({ state }) => state === 'pending',
      ).length;
      return { now: isoTime(service.clock.now()), pending };
    },
  };
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

function findDelivery({ deliveries }: World, id: number): Delivery {
  const delivery = deliveries.get(id);
  if (delivery) return delivery;
  throw new ControlError(404, `there is no delivery ${id}; GET /_mock/deliveries lists those that there are`);
}
