// Test pushes: how a discovery causes and receives them.
import { fillTemplate } from '../../../openapi/template.ts';
import { describeAnswer, type Exchange, succeeded } from '../../core/exchange.ts';
import type { Push, PushAnswer } from '../../push-receiver/push-receiver.ts';
import { exactBodyOf, headerOf } from '../../push-receiver/read-push.ts';
import { arrivalMs, comesWithin } from '../../push-receiver/wait-for-push.ts';
import type { DiscoveredSubscription, Probe } from '../discovery-probe.ts';
import { type CreationRequest, createSubscription, testSubscription } from '../probes/probe-subscription.ts';
import { untilAccepted } from '../send-request.ts';

/** Why a step can't be made; the message is the reason for the gaps that it would have filled. */
export class StepImpossible extends Error {}

/** As long as no push has come, this many times as long is waited: the document promises no latency. */
const firstWait = 6;
/** How far a clock is moved until a push is late, in milliseconds. */
const movedMs = 45_000;

/** How long a push may take to arrive, in milliseconds. */
function waitMsFor({ options, clock, slowestPushMs }: Probe): number {
  const usual = arrivalMs({ options });
  if (clock.isMoved) return movedMs;
  return slowestPushMs === undefined ? usual * firstWait : Math.max(usual, 2 * slowestPushMs);
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
  const { listener, slowestPushMs } = probe;
  if (!listener) return undefined;
  // The answer to a test may have waited for its push.
  const isFirst = pushCount(probe, path) === 0 || slowestPushMs === undefined;
  const start = (isFirst ? probe.testedAt.get(path) : undefined) ?? Date.now();
  const waitMs = waitMsFor(probe);
  const seen = () => find(listener.pushesTo(path));
  await comesWithin(probe, () => seen() !== undefined, waitMs);
  const push = seen();
  if (push) probe.slowestPushMs = Math.max(slowestPushMs ?? 0, Date.now() - start);
  else if (slowestPushMs === undefined) giveUpReceiving(probe, waitMs);
  return push;
}

function giveUpReceiving(probe: Probe, waitMs: number): void {
  probe.whyNoReceiver = `no test push arrived at ${probe.listener?.urlOf('/…')} within ${waitMs / 1_000} s; give the address under which the deployment reaches the receiver with --receiver-url`;
  probe.listener = undefined;
}

/** How long a greeting may take to arrive, in milliseconds. */
const greetingMs = 2_000;

/** Where pushes come late, a greeting may too: another new target is watched for as long before it is tested. Returns whether one came. */
export async function watchLateGreeting(probe: Probe): Promise<boolean> {
  const { greets, slowestPushMs = 0 } = probe;
  if (greets || slowestPushMs < greetingMs / 2) return false;
  probe.greets = undefined;
  const watched = await requireSubscription(probe);
  if (!probe.greets) return false;
  // What was measured began with a test, and ended with a greeting that had been sent before.
  probe.slowestPushMs = undefined;
  await requireTest(probe, watched);
  await waitForPush(probe, watched.path);
  return true;
}

/** Forgets what a new target is sent before any event: it is neither an event nor a test message. */
export async function dismissGreeting(probe: Probe, path: string): Promise<void> {
  const { listener, findings } = probe;
  if (!listener || probe.greets === false) return;
  const isGreeted = await comesWithin(probe, () => pushCount(probe, path) > 0, greetingWaitMs(probe));
  probe.greets ??= isGreeted;
  const [value, what] = probe.greets ? ['on-creation', 'a'] : ['none', 'no'];
  findings.found(
    'subscription.greeting',
    value,
    `${what} push came to a new target before anything was tested`,
  );
  listener.dismiss(path);
}

/** As long as other pushes take, where that is known. */
function greetingWaitMs(probe: Probe): number {
  if (probe.clock.isMoved || probe.slowestPushMs !== undefined) return waitMsFor(probe);
  return Math.min(greetingMs, probe.options.arrivalMs ?? greetingMs);
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
  return testAndWait(probe, await requireSubscription(probe, request));
}

/** Tests a subscription of an earlier step that none needs any more, or else a new one; its target answers so. Throws StepImpossible as well. */
export async function testSpare(probe: Probe, answer: PushAnswer): Promise<TestedSubscription> {
  const spare = probe.spares.shift();
  if (spare) await dismissGreeting(probe, spare.path);
  const subscription = spare ?? (await requireSubscription(probe));
  const { path } = subscription;
  probe.listener?.dismiss(path);
  probe.listener?.answer(path, [answer]);
  return testAndWait(probe, subscription);
}

/** Tests a subscription. Throws StepImpossible when that is refused, or no push arrives. */
export async function testAndWait(
  probe: Probe,
  subscription: DiscoveredSubscription,
): Promise<TestedSubscription> {
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

/** Tests a subscription, with the body that the deployment expects. Throws StepImpossible when that is refused. */
async function requireTest(probe: Probe, { id, events }: DiscoveredSubscription): Promise<Exchange> {
  const body = testBody(probe, events[0]);
  const answer = await untilAccepted(probe, () => testSubscription(probe, id, body));
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
  const body = exactBodyOf(push);
  return typeof body === 'object' && body !== null ? Reflect.get(body, name) : undefined;
}

/** The event that a push names, in its body or its header. */
export function eventNameOf(push: Push): unknown {
  return fieldOf(push, 'event') ?? headerOf(push, 'X-Webhook-Event');
}
