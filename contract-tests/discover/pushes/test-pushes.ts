// Subscriptions that are tested, and waiting for their pushes, of which a greeting is none.
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

/** As long as no push has come, this many times as long is waited: the document promises no latency. */
const firstWait = 6;
/** How far a clock is moved until a push is late, in milliseconds. */
const movedMs = 45_000;

/** How long a push may take to arrive, in milliseconds. */
function waitMsFor({ options, clock, pushes: { slowestMs } }: Probe): number {
  const usual = arrivalMs({ options });
  if (clock.isMoved) return movedMs;
  return slowestMs === undefined ? usual * firstWait : Math.max(usual, 2 * slowestMs);
}

/** The push with a number (1 for the first) to a path, or undefined when it does not arrive. */
export async function waitForPush(probe: Probe, path: string, number = 1): Promise<Push | undefined> {
  return waitUntilPushed(probe, path, (pushes) => pushes[number - 1]);
}

/** The push to a path that `find` finds, or undefined when it does not arrive. When the very first one does not, no others are waited for. */
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
    pushes.unreached = `no test push arrived at ${receiver.urlOf('/…')} within ${waitMs / 1_000} s; give the address under which the deployment reaches the receiver with --receiver-url`;
  return push;
}

/** How many pushes have come to a path. */
export function pushCount(probe: Probe, path: string): number {
  return receiverOf(probe)?.pushesTo(path).length ?? 0;
}

/** How long a greeting may take to arrive, in milliseconds. */
export const greetingMs = 2_000;

/** Forgets what a new target is sent before any event: it is neither an event nor a test message. What came to one target alone was an event of others. */
export async function dismissGreeting(probe: Probe, path: string): Promise<void> {
  const { pushes, findings } = probe;
  if (!receiverOf(probe) || pushes.greetings === 'none') return;
  const isGreeted = await comesWithin(probe, () => pushCount(probe, path) > 0, greetingWaitMs(probe));
  if (isGreeted) pushes.greetings = pushes.greetings === undefined ? 'one' : 'several';
  else if (pushes.greetings !== 'several') pushes.greetings = 'none';
  const [value, what] = pushes.greetings === 'none' ? ['none', 'no'] : ['on-creation', 'a'];
  const evidence = `${what} push came to a new target before anything was tested`;
  findings.found('subscription.greeting', value, evidence);
  pushes.receiver?.dismiss(path);
}

/** As long as other pushes take, where that is known. */
function greetingWaitMs(probe: Probe): number {
  if (probe.clock.isMoved || probe.pushes.slowestMs !== undefined) return waitMsFor(probe);
  return Math.min(greetingMs, arrivalMs(probe));
}

/** The field of a push's body, if it is an object with it. */
export function fieldOf(push: Push, name: string): unknown {
  const body = exactBodyOf(push);
  return typeof body === 'object' && body !== null ? Reflect.get(body, name) : undefined;
}

/** The event that a push names, in its body or its header. */
export function eventNameOf(push: Push): unknown {
  return fieldOf(push, 'event') ?? headerOf(push, 'X-Webhook-Event');
}
