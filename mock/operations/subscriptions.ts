import type { EventName } from '../../openapi/generated/types.ts';
import type { Profile } from '../../openapi/profile.ts';
import { invalidRequest } from '../problems.ts';
import { drawText, drawUuid } from '../random.ts';
import { testPush } from '../webhooks/test-push.ts';
import type { Subscription, World } from '../world.ts';
import type { Call, Inputs, Values } from './call.ts';
import { siteOf, subscriptionOf, subscriptionOfTenant } from './lookups.ts';
import { pointerTo } from './pointer-to.ts';

export function createSubscription(call: Call<Inputs['createSubscription']>): Values {
  const { world, operation, input, profile } = call;
  const site = siteOf(call, input.siteID);
  if (!isReceivingUrl(input.url)) {
    throw invalidRequest([{ at: pointerTo(operation, 'url'), expected: 'an http or https URL with a host' }]);
  }
  const subscription: Subscription = {
    id: newId(world, profile.values['subscription.id-type']),
    siteId: site.id,
    url: input.url,
    events: [...new Set<EventName>(input.events)],
    channel: input.channel,
    ...(input.secret && { secret: input.secret }),
  };
  world.subscriptions[subscription.id] = subscription;
  return { ...subscription };
}

export function listSubscriptions(call: Call<Inputs['listSubscriptions']>): Values {
  const site = siteOf(call, call.input.siteID);
  const list = Object.values(call.world.subscriptions).filter(({ siteId }) => siteId === site.id);
  return { list, total: list.length };
}

export function deleteSubscription(call: Call<Inputs['deleteSubscription']>): Values {
  const { world, input } = call;
  const { id } =
    input.siteID === undefined
      ? subscriptionOfTenant(call, input.subscriptionID)
      : subscriptionOf(world, siteOf(call, input.siteID), input.subscriptionID);
  delete world.subscriptions[id];
  return {};
}

/** Answers without waiting for the target, unless the deployment says in its answer whether the message was delivered. */
export async function testSubscription(call: Call<Inputs['testSubscription']>): Promise<Values> {
  const { dispatcher, input, operation } = call;
  const site = siteOf(call, input.siteID);
  const subscription = subscriptionOf(call.world, site, input.id);
  const sent = dispatcher.push(testPush(call, { site, subscription, named: input.event }), subscription);
  return 'delivered' in operation.success.layout.values ? { delivered: await sent } : {};
}

function isReceivingUrl(text: string): boolean {
  // URL alone would take "http:///x" and "http:x" for addresses of a host "x".
  return /^https?:\/\/[^/?#]/i.test(text) && URL.canParse(text);
}

function newId(world: World, type: Profile['values']['subscription.id-type']): number | string {
  const number = ++world.counters.subscription;
  if (type === 'uuid') return drawUuid(world);
  return type === 'string' ? `wh_${drawText(world, 10)}` : number;
}
