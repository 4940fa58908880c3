// Events, and the log of what was pushed.
import { eventData } from '../webhooks/event-data.ts';
import { sampleValues } from '../webhooks/sample-values.ts';
import { isoTime, timeOf } from '../world/time.ts';
import type { Delivery, World } from '../world/world.ts';
import type { ControlContext } from './control-context.ts';
import { ControlError } from './control-error.ts';
import type { DeliveryFilter, DeliveryView, DrainView, EventRequest } from './control-views.ts';
import { showDelivery } from './show-delivery.ts';
import { findTenant, sitesOf } from './tenants.ts';

export function pushControl({ service, check, read, change }: ControlContext) {
  return {
    /** Pushes an event to the subscriptions that chose it; the pushes are sent soon after. */
    causeEvent(request: EventRequest): { deliveries: DeliveryView[] } {
      check('causeEvent', request);
      const { event, site_id: siteId, data } = request;
      return change(({ sites, clock }) => {
        const site = sites.get(siteId);
        if (!site) throw new ControlError(404, `POST /_mock/events: there is no site ${siteId}`);
        const given = data ?? eventData(service.profile, event, sampleValues[event]);
        const deliveries = service.dispatcher.emit({ event, at: timeOf(clock), site, data: given });
        return { deliveries: deliveries.map(showDelivery) };
      });
    },

    deliveries: (filter: DeliveryFilter = {}): { deliveries: DeliveryView[]; total: number } =>
      read((world) => {
        const deliveries = [...world.deliveries.values()].filter(filterOf(world, filter)).map(showDelivery);
        return { deliveries, total: deliveries.length };
      }),

    delivery: (id: number): DeliveryView => read((world) => showDelivery(findDelivery(world, id))),

    /** Sends the same bytes again, now, and waits for the result. */
    async redeliver(id: number): Promise<DeliveryView> {
      const delivery = read((world) => findDelivery(world, id));
      await service.scheduler.track(service.dispatcher.attempt(id, 'redelivery'));
      // Newer deliveries may have displaced it meanwhile.
      return read(({ deliveries }) => showDelivery(deliveries.get(id) ?? delivery));
    },

    /** Waits until no push is in progress and nothing is due. */
    async drain(): Promise<DrainView> {
      await service.scheduler.settle();
      return read(({ deliveries, clock }) => ({
        now: isoTime(timeOf(clock)),
        pending: [...deliveries.values()].filter(({ state }) => state === 'pending').length,
      }));
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
  throw new ControlError(404, `there is no delivery ${id}; GET /_mock/deliveries lists them`);
}
