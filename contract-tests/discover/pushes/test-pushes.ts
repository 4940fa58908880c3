// Tests subscriptions and waits for their pushes.
import { fillTemplate } from '../../../openapi/template.ts';
import { describeAnswer, type Exchange, succeeded } from '../../core/exchange.ts';
import type { Push } from '../../push-receiver/push-receiver.ts';
import { exactBodyOf, headerOf } from '../../push-receiver/read-push.ts';
import { arrivalMs, comesWithin } from '../../push-receiver/wait-for-push.ts';
import { plainEvents } from '../ask/create.ts';
import { untilAccepted } from '../ask/send.ts';
import type { Sent } from '../names/follow-refusals.ts';
import {
  type DiscoveredSubscription,
  type Probe,
  receiverOf,
  StepImpossible,
  type TestedSubscription,
} from '../probe.ts';
import { type CreationRequest, createSubscription, testSubscription } from '../subscription/requests.ts';

export type PushedSubscription = TestedSubscription & { push: Push };

/** Throws StepImpossible if a call fails or no push arrives. */
export async function createAndTest(
  probe: Probe,
  request: CreationRequest = {},
): Promise<PushedSubscription> {
  return testAndWait(probe, await requireSubscription(probe, request));
}

/** Throws StepImpossible if the deployment refuses the test, or no push arrives. */
export async function testAndWait(
  probe: Probe,
  subscription: DiscoveredSubscription,
): Promise<PushedSubscription> {
  const answer = await requireTest(probe, subscription);
  const push = await waitForPush(probe, subscription.path);
  if (push) return { subscription, answer, push };
  throw new StepImpossible(`no push arrived after the test of a subscription (${subscription.channel})`);
}

/** Throws StepImpossible if the deployment refuses the subscription. */
export async function requireSubscription(
  probe: Probe,
  request: CreationRequest = {},
): Promise<DiscoveredSubscription> {
  const subscription = await createSubscription(probe, request);
  const { channel, exchange, path } = subscription;
  if (!succeeded(exchange))
    throw new StepImpossible(
      `the deployment refused a ${channel} subscription (${describeAnswer(exchange)})`,
    );
  if (channel === 'custom') await dismissGreeting(probe, path);
  return subscription;
}

/** Reuses a plain creation, if there is one. Throws StepImpossible. */
export async function firstSubscription(
  probe: Probe,
  created: Sent | undefined,
): Promise<DiscoveredSubscription> {
  if (!created) return requireSubscription(probe);
  await dismissGreeting(probe, created.path);
  return { ...created, id: undefined, channel: 'custom', events: plainEvents };
}

async function requireTest(probe: Probe, subscription: DiscoveredSubscription): Promise<Exchange> {
  const { seen, findings } = probe;
  const [event = 'publish.complete'] = subscription.events;
  const body = seen.needsTestBody ? fillTemplate(findings.value('hook-test.request'), { event }) : undefined;
  const answer = await untilAccepted(probe, () => testSubscription(probe, subscription, body));
  if (!succeeded(answer))
    throw new StepImpossible(`the deployment refused the test of a subscription (${describeAnswer(answer)})`);
  return answer;
}

/** If pushes come late, greetings may as well, so watch another new target longer. Returns whether a greeting came. */
export async function watchLateGreeting(probe: Probe): Promise<boolean> {
  const { pushes } = probe;
  if (pushes.greetings !== 'none' || (pushes.slowestMs ?? 0) < greetingMs / 2) return false;
  pushes.greetings = undefined;
  const watched = await requireSubscription(probe);
  if (probe.pushes.greetings === 'none') return false;
  // The measured delay ended with a greeting, not with the test push.
  pushes.slowestMs = undefined;
  await requireTest(probe, watched);
  await waitForPush(probe, watched.path);
  return true;
}

/** Factor for the wait for the very first push, because the document promises no latency. */
const firstWait = 6;
/** How far a moved clock advances before a push is late, in milliseconds. */
const movedMs = 45_000;

function waitMsFor({ options, clock, pushes: { slowestMs } }: Probe): number {
  const usual = arrivalMs({ options });
  if (clock.isMoved) return movedMs;
  return slowestMs === undefined ? usual * firstWait : Math.max(usual, 2 * slowestMs);
}

/** `number`: 1 for the first push. Undefined if it does not arrive. */
export async function waitForPush(probe: Probe, path: string, number = 1): Promise<Push | undefined> {
  return waitUntilPushed(probe, path, (pushes) => pushes[number - 1]);
}

/** Undefined if the push does not arrive. If the very first one does not, no later step waits for pushes. */
export async function waitUntilPushed(
  probe: Probe,
  path: string,
  find: (pushes: readonly Push[]) => Push | undefined,
): Promise<Push | undefined> {
  const { pushes } = probe;
  const { slowestMs } = pushes;
  const receiver = receiverOf(probe);
  if (!receiver) return undefined;
  const start = Date.now();
  const waitMs = waitMsFor(probe);
  const seen = () => find(receiver.pushesTo(path));
  await comesWithin(probe, () => seen() !== undefined, waitMs);
  const push = seen();
  if (push) pushes.slowestMs = Math.max(slowestMs ?? 0, push.arrived.to - start);
  else if (slowestMs === undefined)
    pushes.unreached = `no test push arrived at ${receiver.urlOf('/…')} within ${waitMs / 1_000} s; pass the URL at which the deployment reaches the receiver with --receiver-url`;
  return push;
}

export function pushCount(probe: Probe, path: string): number {
  return receiverOf(probe)?.pushesTo(path).length ?? 0;
}

/** How long a greeting may take to arrive, in milliseconds. */
export const greetingMs = 2_000;

/** Ignores a push to a new target before any test. A push to only one of several targets was another client's event. */
export async function dismissGreeting(probe: Probe, path: string): Promise<void> {
  const { pushes, findings } = probe;
  if (!receiverOf(probe) || pushes.greetings === 'none') return;
  const isGreeted = await comesWithin(probe, () => pushCount(probe, path) > 0, greetingWaitMs(probe));
  if (isGreeted) pushes.greetings = pushes.greetings === undefined ? 'one' : 'several';
  else if (pushes.greetings !== 'several') pushes.greetings = 'none';
  const [value, what] = pushes.greetings === 'none' ? ['none', 'no'] : ['on-creation', 'a'];
  const evidence = `${what} push came to a new target before its first test`;
  findings.found('subscription.greeting', value, evidence);
  pushes.receiver?.dismiss(path);
}

function greetingWaitMs(probe: Probe): number {
  if (probe.clock.isMoved || probe.pushes.slowestMs !== undefined) return waitMsFor(probe);
  return Math.min(greetingMs, arrivalMs(probe));
}

export function fieldOf(push: Push, name: string): unknown {
  const body = exactBodyOf(push);
  return typeof body === 'object' && body !== null ? Reflect.get(body, name) : undefined;
}

export function eventNameOf(push: Push): unknown {
  return fieldOf(push, 'event') ?? headerOf(push, 'X-Webhook-Event');
}
