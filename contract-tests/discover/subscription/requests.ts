// The two webhook calls, with the names that were found.
import { type Exchange, succeeded } from '../../core/exchange.ts';
import { nextPath } from '../../subscriptions/subscription-calls.ts';
import { creationBody, plainEvents, sendCreation, subscriptionIdIn, urlOf } from '../ask/create.ts';
import { keepSession } from '../ask/keep-session.ts';
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
  const exchange = await sendCreation(probe, body, { target });
  return { id: subscriptionIdIn(probe, exchange), path, exchange, channel, events };
}

/** Whether a creation is accepted; undefined where a plain one is refused as well, or no answer is about it. */
export async function tryCreation(
  probe: Probe,
  request: CreationRequest,
): Promise<'accepted' | 'refused' | undefined> {
  const { exchange } = await createSubscription(probe, request);
  if (succeeded(exchange)) return 'accepted';
  if (!isRefused(exchange)) return undefined;
  return succeeded((await createSubscription(probe)).exchange) ? 'refused' : undefined;
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
