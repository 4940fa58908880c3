import type { EventName } from '../../openapi/generated/types.ts';
import { invalidRequest } from '../http/api-errors.ts';
import type { Call, Values } from '../service.ts';
import { isPrivateHost } from '../webhooks/private-targets.ts';
import { testPush } from '../webhooks/test-push.ts';
import { bounds, keepNewest } from '../world/bounds.ts';
import { isReceivingUrl } from '../world/receiving-url.ts';
import { newSubscriptionId } from '../world/subscription-id.ts';
import type { Subscription } from '../world/world.ts';
import type { Inputs } from './inputs.ts';
import { siteOf, subscriptionOf } from './lookups.ts';
import { answerList } from './pages.ts';
import { pointerTo } from './pointer-to.ts';

export function createSubscription(call: Call<Inputs['createSubscription']>): Values {
  const { world, input, profile, now } = call;
  const site = siteOf(call, input.siteID);
  checkTarget(call);
  const subscription: Subscription = {
    id: newSubscriptionId(world, profile.values['subscription.id-type']),
    siteId: site.id,
    url: input.url,
    events: [...new Set<EventName>(input.events)],
    channel: input.channel,
    ...(input.secret && { secret: input.secret }),
    createdAt: now,
  };
  world.subscriptions.set(String(subscription.id), subscription);
  keepNewest(world.subscriptions, bounds.subscriptions);
  return { ...subscription };
}

export function listSubscriptions(call: Call<Inputs['listSubscriptions']>): Values {
  const site = siteOf(call, call.input.siteID);
  const subscriptions = [...call.world.subscriptions.values()].filter(({ siteId }) => siteId === site.id);
  return answerList(call, subscriptions, ({ id, url, events, channel }) => ({ id, url, events, channel }));
}

/** Pending retries are given up when they are due. */
export function deleteSubscription(call: Call<Inputs['deleteSubscription']>): Values {
  const { id } = subscriptionOf(call, call.input.siteID, call.input.subscriptionID);
  call.world.subscriptions.delete(String(id));
  return {};
}

/** Waits for the target only if the deployment's answer says whether the message was delivered. */
export async function testSubscription(call: Call<Inputs['testSubscription']>): Promise<Values> {
  const { dispatcher, input, operation } = call;
  const site = siteOf(call, input.siteID);
  const subscription = subscriptionOf(call, input.siteID, input.id);
  const sent = dispatcher.test(testPush(call, { site, subscription, named: input.event }), subscription);
  return 'delivered' in operation.success.layout.values ? { delivered: await sent } : {};
}

function checkTarget({ input, operation, settings }: Call<Inputs['createSubscription']>): void {
  const refusal = (expected: string) => invalidRequest([{ at: pointerTo(operation, 'url'), expected }]);
  if (!isReceivingUrl(input.url)) throw refusal('an http or https URL with a host');
  if (settings.refusesPrivateTargets && isPrivateHost(new URL(input.url).hostname))
    throw refusal('a target that is not in a private network');
}
