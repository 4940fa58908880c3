// Waits for pushes, and tells the greeting of a new target from them.
import type { Push } from '../../push-receiver/push-receiver.ts';
import { exactBodyOf, headerOf } from '../../push-receiver/read-push.ts';
import { arrivalMs, comesWithin } from '../../push-receiver/wait-for-push.ts';
import { type Probe, receiverOf } from '../probe.ts';

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
  // The answer to a test may have waited for its push.
  const isFirst = pushCount(probe, path) === 0 || slowestMs === undefined;
  const start = (isFirst ? pushes.testedAt.get(path) : undefined) ?? Date.now();
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
