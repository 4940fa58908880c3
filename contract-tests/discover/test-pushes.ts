// Test pushes: how a discovery causes and receives them.
import { fillTemplate } from '../../openapi/template.ts';
import { describeAnswer, type Exchange, succeeded } from '../core/exchange.ts';
import type { Push } from '../push-receiver/push-receiver.ts';
import { bodyOf, headerOf } from '../push-receiver/read-push.ts';
import type { Probe } from './discovery-probe.ts';
import {
  type CreationRequest,
  createSubscription,
  type DiscoveredSubscription,
  testSubscription,
} from './probe-subscription.ts';

/** Why a step can't be made; the message is the reason for the gaps that it would have filled. */
export class StepImpossible extends Error {}

/** How long a push may take to arrive, in milliseconds. */
export function arrivalMs({ options }: Probe): number {
  return options.arrivalMs ?? 10_000;
}

/** The push with a number (1 for the first) to a path, or undefined when it does not arrive. */
export async function waitForPush(probe: Probe, path: string, number = 1): Promise<Push | undefined> {
  const { clock, listener } = probe;
  await clock.settle();
  // When a mock has reported that everything is sent, the rest arrives soon.
  return listener?.waitFor(path, clock.isMoved ? Math.min(500, arrivalMs(probe)) : arrivalMs(probe), number);
}

/** How many pushes have come to a path. */
export function pushCount({ listener }: Probe, path: string): number {
  return listener?.pushesTo(path).length ?? 0;
}

export interface TestedSubscription {
  subscription: DiscoveredSubscription;
  answer: Exchange;
  push: Push;
}

/** Creates and tests a subscription. Throws StepImpossible when that fails or no push arrives. */
export async function createAndTest(
  probe: Probe,
  request: CreationRequest = {},
): Promise<TestedSubscription> {
  const subscription = await requireSubscription(probe, request);
  const answer = await requireTest(probe, subscription);
  const push = await waitForPush(probe, subscription.path);
  if (!push)
    throw new StepImpossible(
      `no push arrived after the test of a subscription (${request.channel ?? 'custom'})`,
    );
  return { subscription, answer, push };
}

/** Creates a subscription. Throws StepImpossible when that is refused. */
export async function requireSubscription(
  probe: Probe,
  request: CreationRequest = {},
): Promise<DiscoveredSubscription> {
  const subscription = await createSubscription(probe, request);
  if (!succeeded(subscription.exchange))
    throw new StepImpossible(
      `a subscription (${request.channel ?? 'custom'}) was refused (${describeAnswer(subscription.exchange)})`,
    );
  return subscription;
}

/** Tests a subscription, with the body that the deployment expects. Throws StepImpossible when that is refused. */
export async function requireTest(probe: Probe, { id, events }: DiscoveredSubscription): Promise<Exchange> {
  const answer = await testSubscription(probe, id, testBody(probe, events[0]));
  if (!succeeded(answer))
    throw new StepImpossible(`the test of a subscription was refused (${describeAnswer(answer)})`);
  return answer;
}

/** The body of the test call, when it is refused without one. */
function testBody({ findings, needsTestBody }: Probe, event = 'publish.complete'): unknown {
  return needsTestBody ? fillTemplate(findings.value('hook-test.request'), { event }) : undefined;
}

/** The field of a push's body, if it is an object with it. */
export function fieldOf(push: Push, name: string): unknown {
  const body = bodyOf(push);
  return typeof body === 'object' && body !== null ? Reflect.get(body, name) : undefined;
}

/** The event that a push names, in its body or its header. */
export function eventNameOf(push: Push): unknown {
  return fieldOf(push, 'event') ?? headerOf(push, 'X-Webhook-Event');
}
