// Webhook subscriptions and the log of their deliveries (section 6.5).
import type { Channel, EventName } from '../../openapi/generated/types.ts';
import { formatPointer } from '../../openapi/json-pointer.ts';
import type { Operation } from '../../openapi/operations.ts';
import { slotsOf } from '../../openapi/template.ts';
import { invalidRequest, tooManySubscriptions } from '../http/api-errors.ts';
import type { Call, Values } from '../service.ts';
import { greeting, testPush } from '../webhooks/event-values.ts';
import { isPrivateHost } from '../webhooks/private-targets.ts';
import type { Attempt, Delivery, Site, Subscription } from '../world/entries.ts';
import {
  isReceivingUrl,
  newSubscriptionId,
  subscriptionIdsOf,
  subscriptionKey,
} from '../world/subscription-rules.ts';
import { isoTime } from '../world/time.ts';
import { type Id, type OfSite, siteOf, subscriptionOf } from './lookups.ts';
import { answerList, listedAt, type Page } from './pages.ts';

interface NewSubscription extends OfSite {
  url: string;
  events: EventName[];
  channel: Channel;
  secret?: string;
}

interface OfSubscription {
  /** Undefined if the profile addresses subscriptions without their sites. */
  siteID?: Id;
  subscriptionID: Id;
}

export function createSubscription(call: Call<NewSubscription>): Values {
  const { world, input, profile, now } = call;
  const site = siteOf(call, input.siteID);
  checkTarget(call);
  checkSecret(call);
  checkQuota(call, site);
  const ids = subscriptionIdsOf(profile);
  const subscription: Subscription = {
    id: newSubscriptionId(world, site, ids),
    siteId: site.id,
    url: input.url,
    events: [...new Set<EventName>(input.events)],
    channel: input.channel,
    ...(input.secret && { secret: input.secret }),
    createdAt: now,
  };
  world.subscriptions.set(subscriptionKey(subscription, ids), subscription);
  if (profile.values['subscription.greeting'] === 'on-creation')
    call.dispatcher.test(greeting(call, site), subscription).catch(() => {});
  return { ...subscription };
}

export function listSubscriptions(call: Call<OfSite & Page>): Values {
  const site = siteOf(call, call.input.siteID);
  const shown = subscriptionsOf(call, site).filter(({ createdAt }) => createdAt <= listedAt(call));
  return answerList(call, shown, ({ id, url, events, channel }) => ({ id, url, events, channel }));
}

/** Pending retries are given up when they become due. */
export function deleteSubscription(call: Call<OfSubscription>): Values {
  const subscription = subscriptionOf(call, call.input.siteID, call.input.subscriptionID);
  call.world.subscriptions.delete(subscriptionKey(subscription, subscriptionIdsOf(call.profile)));
  return {};
}

/** Waits for the target only if the answer shows whether the message was delivered. */
export async function testSubscription(call: Call<OfSite & { id: Id; event?: EventName }>): Promise<Values> {
  const { dispatcher, input, operation } = call;
  const site = siteOf(call, input.siteID);
  const subscription = subscriptionOf(call, input.siteID, input.id);
  const push = testPush(call, { site, subscription, named: input.event });
  if ('delivered' in operation.success.layout.values)
    return { delivered: await dispatcher.test(push, subscription) };
  dispatcher.queue(push, subscription);
  return {};
}

function subscriptionsOf({ world }: Call<unknown>, { id }: Site): Subscription[] {
  return [...world.subscriptions.of(id).values()];
}

function checkTarget({ input, operation, profile, settings }: Call<NewSubscription>): void {
  const refusal = (expected: string) => invalidRequest([{ at: pointerTo(operation, 'url'), expected }]);
  if (!isReceivingUrl(input.url)) throw refusal('an http or https URL with a host');
  const rule = profile.values['subscription.url-rule'];
  if (rule === 'any' && !settings.refusesPrivateTargets) return;
  const { protocol, hostname } = new URL(input.url);
  if (rule === 'https-only' && protocol !== 'https:') throw refusal('an https URL');
  if (rule === 'allow-list' && !allowedHosts.includes(hostname))
    throw refusal(`one of the allowed hosts: ${allowedHosts.join(', ')}`);
  if ((settings.refusesPrivateTargets || rule === 'public-only') && isPrivateHost(hostname))
    throw refusal('a target outside private networks');
}

/** Stands in for the list of a deployment: receivers on this machine. */
const allowedHosts = ['127.0.0.1', 'localhost', '[::1]'];

function checkSecret({ input, operation, profile }: Call<NewSubscription>): void {
  const { secret } = input;
  const rule = profile.values['subscription.secret-rule'];
  if (!secret || rule === 'any') return;
  const refusal = (expected: string) => invalidRequest([{ at: pointerTo(operation, 'secret'), expected }]);
  if (rule === 'min-32' && [...secret].length < 32) throw refusal('32 characters or more');
  if (rule === 'ascii' && !/^[ -~]*$/.test(secret)) throw refusal('printable ASCII only');
}

function checkQuota(call: Call<unknown>, site: Site): void {
  const most = call.profile.values['subscription.quota'];
  if (most !== 'none' && subscriptionsOf(call, site).length >= most) throw tooManySubscriptions(most);
}

export function listDeliveries(call: Call<OfSubscription & Page>): Values {
  const { world, input } = call;
  const subscription = subscriptionOf(call, input.siteID, input.subscriptionID);
  const deliveries = [...world.deliveries.of(subscription.siteId).values()].filter(
    ({ subscriptionId, isGreeting }) => subscriptionId === subscription.id && !isGreeting,
  );
  return answerList(call, deliveries.reverse(), showDelivery);
}

function showDelivery({ id, event, state, createdAt, nextAttemptAt, attempts }: Delivery): Values {
  return {
    id,
    event,
    state,
    created_at: isoTime(createdAt),
    ...(nextAttemptAt !== undefined && { next_attempt_at: isoTime(nextAttemptAt) }),
    attempts: attempts.map(showAttempt),
  };
}

function showAttempt({ at, durationMs, outcome }: Attempt): Values {
  const came =
    'error' in outcome ? { error: outcome.error } : { status: outcome.status, answer: outcome.body };
  return { at: isoTime(at), ...came, duration_ms: durationMs };
}

function pointerTo({ request }: Operation, name: string): string {
  const slots = slotsOf(request?.template);
  const slot = slots.find(({ names, template }) => template === undefined && names[0] === name);
  return formatPointer(slot?.path ?? []);
}
