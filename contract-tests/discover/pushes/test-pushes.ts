// Subscriptions that are tested, and their test pushes.
import { fillTemplate } from '../../../openapi/template.ts';
import { describeAnswer, type Exchange, succeeded } from '../../core/exchange.ts';
import type { Push } from '../../push-receiver/push-receiver.ts';
import { plainEvents } from '../ask/create.ts';
import { untilAccepted } from '../ask/look-again.ts';
import type { Sent } from '../names/send-names.ts';
import {
  type DiscoveredSubscription,
  type Probe,
  StepImpossible,
  type TestedSubscription,
} from '../probe.ts';
import { type CreationRequest, createSubscription, testSubscription } from '../subscription/requests.ts';
import { dismissGreeting, greetingMs, waitForPush } from './wait.ts';

export type PushedSubscription = TestedSubscription & { push: Push };

/** Creates and tests a subscription. Throws StepImpossible when that fails or no push arrives. */
export async function createAndTest(
  probe: Probe,
  request: CreationRequest = {},
): Promise<PushedSubscription> {
  return testAndWait(probe, await requireSubscription(probe, request));
}

/** Tests a subscription. Throws StepImpossible when that is refused, or no push arrives. */
export async function testAndWait(
  probe: Probe,
  subscription: DiscoveredSubscription,
): Promise<PushedSubscription> {
  const answer = await requireTest(probe, subscription);
  const push = await waitForPush(probe, subscription.path);
  if (push) return { subscription, answer, push };
  throw new StepImpossible(`no push arrived after the test of a subscription (${subscription.channel})`);
}

/** Creates a subscription, whose target has got nothing yet. Throws StepImpossible when it is refused. */
export async function requireSubscription(
  probe: Probe,
  request: CreationRequest = {},
): Promise<DiscoveredSubscription> {
  const subscription = await createSubscription(probe, request);
  const { channel, exchange, path } = subscription;
  if (!succeeded(exchange))
    throw new StepImpossible(`a subscription (${channel}) was refused (${describeAnswer(exchange)})`);
  if (channel === 'custom') await dismissGreeting(probe, path);
  return subscription;
}

/** The first subscription: that of a plain creation, or else a new one. Throws StepImpossible as well. */
export async function firstSubscription(
  probe: Probe,
  created: Sent | undefined,
): Promise<DiscoveredSubscription> {
  if (!created) return requireSubscription(probe);
  await dismissGreeting(probe, created.path);
  return { ...created, id: undefined, channel: 'custom', events: plainEvents };
}

/** Tests a subscription, with the body that the deployment expects. Throws StepImpossible when that is refused. */
async function requireTest(probe: Probe, subscription: DiscoveredSubscription): Promise<Exchange> {
  const { seen, findings } = probe;
  const [event = 'publish.complete'] = subscription.events;
  const body = seen.needsTestBody ? fillTemplate(findings.value('hook-test.request'), { event }) : undefined;
  const answer = await untilAccepted(probe, () => testSubscription(probe, subscription, body));
  if (!succeeded(answer))
    throw new StepImpossible(`the test of a subscription was refused (${describeAnswer(answer)})`);
  return answer;
}

/** Where pushes come late, a greeting may too: another new target is watched for as long before it is tested. Returns whether one came. */
export async function watchLateGreeting(probe: Probe): Promise<boolean> {
  const { pushes } = probe;
  if (pushes.greetings !== 'none' || (pushes.slowestMs ?? 0) < greetingMs / 2) return false;
  pushes.greetings = undefined;
  const watched = await requireSubscription(probe);
  if (probe.pushes.greetings === 'none') return false;
  // What was measured began with a test, and ended with a greeting that had been sent before.
  pushes.slowestMs = undefined;
  await requireTest(probe, watched);
  await waitForPush(probe, watched.path);
  return true;
}
