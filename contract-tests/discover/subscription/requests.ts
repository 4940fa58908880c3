// The two webhook calls, with the names that were found.
import { type Exchange, succeeded } from '../../core/exchange.ts';
import { isSameId } from '../../core/parse-json.ts';
import { nextPath } from '../../subscriptions/subscription-calls.ts';
import { creationBody, plainEvents, sendCreation, subscriptionIdIn, urlOf } from '../ask/create.ts';
import { keepSession } from '../ask/keep-session.ts';
import { callOperation, hasSucceeded, isGiven, isOwn } from '../ask/operations.ts';
import { isRefused } from '../ask/refusals.ts';
import { sendRequest } from '../ask/send.ts';
import type { DiscoveredSubscription, Probe } from '../probe.ts';

export interface CreationRequest {
  channel?: string;
  events?: readonly string[];
  secret?: string;
  /** Further fields, by name. */
  extra?: Record<string, unknown>;
}

/** The answer to a creation with a new address. */
export async function createSubscription(
  probe: Probe,
  { channel = 'custom', events = plainEvents, secret, extra = {} }: CreationRequest = {},
): Promise<DiscoveredSubscription> {
  const path = nextPath(probe);
  const target = urlOf(probe, path);
  probe.secrets.add('SITEPUB_WEBHOOK_SECRET', secret);
  const body = { ...creationBody(probe, { url: target, events, channel, secret }), ...extra };
  await keepSession(probe);
  const exchange = await withRoom(probe, () => sendCreation(probe, body, { target }));
  return { id: subscriptionIdIn(probe, exchange), path, exchange, channel, events };
}

/** Sends a creation, and once more with room for it: a site may have as many subscriptions as it can. */
export async function withRoom(probe: Probe, send: () => Promise<Exchange>): Promise<Exchange> {
  const first = await send();
  return !succeeded(first) && (await makeRoom(probe)) ? send() : first;
}

/** Subscriptions that a step may still use. */
const inUse = 4;

/** Deletes subscriptions of earlier steps, where that is possible. Returns whether any is gone. */
async function makeRoom(probe: Probe): Promise<boolean> {
  if (!isGiven(probe, 'deleteSubscription')) return false;
  const { created } = probe;
  const mine = created.resources
    .remaining()
    .filter(({ what, id }) => what === 'subscription' && id !== undefined);
  let isRoom = false;
  for (const one of mine.slice(0, -inUse)) {
    if (!(await isOwn(probe, one))) continue;
    const { id, site } = one;
    const values = { siteID: site, subscriptionID: id };
    if (!hasSucceeded(await callOperation(probe, 'deleteSubscription', values))) continue;
    created.resources.markDeleted('subscription', id, site);
    created.spares = created.spares.filter((spare) => !isSameId(spare.id, id));
    isRoom = true;
  }
  return isRoom;
}

/** Whether a creation is accepted; undefined where a plain one is refused as well, or no answer is about it. What is created serves later steps. */
export async function tryCreation(
  probe: Probe,
  request: CreationRequest,
): Promise<'accepted' | 'refused' | undefined> {
  const { spares } = probe.created;
  const tried = await createSubscription(probe, request);
  if (succeeded(tried.exchange)) {
    spares.push(tried);
    return 'accepted';
  }
  if (!isRefused(tried.exchange)) return undefined;
  const plain = await createSubscription(probe);
  if (!succeeded(plain.exchange)) return undefined;
  spares.push(plain);
  return 'refused';
}

/** The call that tests a subscription. `path`: where its pushes arrive. */
export async function testSubscription(
  probe: Probe,
  { id, path }: { id: unknown; path?: string },
  body?: unknown,
): Promise<Exchange> {
  const { testedAt } = probe.pushes;
  await keepSession(probe);
  const isFirst = path !== undefined && !testedAt.has(path);
  if (isFirst) testedAt.set(path, Date.now());
  const answer = await sendRequest(probe, {
    operation: 'testSubscription',
    path: `/tenant/sites/${probe.options.siteId}/webhooks/${encodeURIComponent(String(id))}/test`,
    token: probe.session.token,
    body,
  });
  // Nothing comes of a test that is refused.
  if (isFirst && !succeeded(answer)) testedAt.delete(path);
  return answer;
}
