// Test pushes as a discovery makes them and takes them in.
import { describeAnswer, type Exchange, succeeded } from '../core/exchange.ts';
import type { Push } from '../push-receiver/push-receiver.ts';
import { bodyOf, headerOf } from '../push-receiver/read-push.ts';
import type { Probe } from './discovery-probe.ts';
import {
  createSubscription,
  type DiscoveredSubscription,
  type SubscriptionRequest,
  testSubscription,
} from './probe-subscription.ts';

/** Why a step can't be made; the message is the reason for the gaps that it would have filled. */
export class Impossible extends Error {}

/** How long a push may take to arrive, in milliseconds. */
export function arrivalMs({ options }: Probe): number {
  return options.arrivalMs ?? 10_000;
}

/** The push of a number to a path, or undefined where it does not come. */
export async function arrivalAt(probe: Probe, path: string, number = 1): Promise<Push | undefined> {
  const { clock, listener } = probe;
  await clock.settle();
  // When a mock has said that all is sent, what has not arrived is not far.
  return listener?.waitFor(path, clock.isMoved ? Math.min(500, arrivalMs(probe)) : arrivalMs(probe), number);
}

export interface Tested {
  hook: DiscoveredSubscription;
  answer: Exchange;
  push: Push;
}

/** Creates a subscription, tests it, and gives the push. Throws Impossible where one of these fails. */
export async function testedSubscription(probe: Probe, wish: SubscriptionRequest = {}): Promise<Tested> {
  const hook = await createdSubscription(probe, wish);
  const answer = await testOnce(probe, hook);
  const push = await arrivalAt(probe, hook.path);
  if (!push)
    throw new Impossible(`no push arrived after the test of a subscription (${wish.channel ?? 'custom'})`);
  return { hook, answer, push };
}

/** Throws Impossible where the creation is refused. */
export async function createdSubscription(
  probe: Probe,
  wish: SubscriptionRequest = {},
): Promise<DiscoveredSubscription> {
  const hook = await createSubscription(probe, wish);
  if (!succeeded(hook.exchange))
    throw new Impossible(
      `a subscription (${wish.channel ?? 'custom'}) was refused (${describeAnswer(hook.exchange)})`,
    );
  return hook;
}

/** A test that is to pass, with the body that the deployment asks for. Throws Impossible where it is refused. */
export async function testOnce(probe: Probe, hook: DiscoveredSubscription): Promise<Exchange> {
  const answer = await testSubscription(
    probe,
    hook.id,
    testBody(probe, hook.events[0] ?? 'publish.complete'),
  );
  if (!succeeded(answer))
    throw new Impossible(`the test of a subscription was refused (${describeAnswer(answer)})`);
  return answer;
}

/** Only where the call does not pass without one. */
function testBody({ findings, needsTestBody }: Probe, event: string): unknown {
  const template = findings.value('hook-test.request');
  return needsTestBody ? JSON.parse(JSON.stringify(template).replaceAll('{event}', event)) : undefined;
}

/** The field of a push's body, if it is an object with it. */
export function fieldOf(push: Push, name: string): unknown {
  const body = bodyOf(push);
  return typeof body === 'object' && body !== null ? Reflect.get(body, name) : undefined;
}

/** The event that a push names, in its body or in its header. */
export function eventOf(push: Push): unknown {
  return fieldOf(push, 'event') ?? headerOf(push, 'X-Webhook-Event');
}
