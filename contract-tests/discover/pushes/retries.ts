import { minuteMs, retryDelaysMs } from '../../core/documented-limits.ts';
import type { Push } from '../../push-receiver/push-receiver.ts';
import { headerOf } from '../../push-receiver/read-push.ts';
import { type DiscoveredSubscription, mayWait, type Probe, receiverOf } from '../probe.ts';
import { optionalSecret } from '../subscription/requests.ts';
import { causeEvent, hasOperations } from './events.ts';
import { pushCount, requireSubscription, testAndWait, waitForPush } from './test-pushes.ts';

/** How late a retry may come, in milliseconds: usually, and at most if the deployment polls its queue. */
const graceMs = 1_000;
const lateMs = 91_000;
/** A moved clock shows only in which step a push came. */
const stepMs = 5_000;
/** How early a retry may come. */
const earlyMs = 5_000;

const testGap = 'hook-test.retried';
const anchorGap = 'webhook.retry-anchor';
const timestampGap = 'webhook.retry-timestamp';
export const retryGaps = [testGap, timestampGap, anchorGap];
const firstWaitMs = retryDelaysMs[0] + graceMs;
const anchorWaitMs = retryDelaysMs[0] + retryDelaysMs[1] + graceMs;

/** Makes deliveries fail, and finds which ones the deployment retries, and when. */
export async function probeRetries(probe: Probe): Promise<undefined> {
  const { findings, clock } = probe;
  if (!receiverOf(probe)) return undefined;
  if (!mayWait(probe, firstWaitMs)) {
    findings.missed([anchorGap], tooShortForAnchor);
    return findings.missed(retryGaps, 'needs one minute; run with --max-wait 62s');
  }
  const event = await failedEvent(probe);
  const test = await failTest(probe);
  const start = clock.now();
  const latest = start + retryDelaysMs[0] + lateMs;
  const areAllRetried = () => [test, event].every((push) => push === undefined || isRetried(probe, push));
  const what = 'the first retry of a failed delivery';
  await waitUntilSeen(probe, { start, latest, what }, areAllRetried);
  const isComplete = clock.now() >= latest || (event !== undefined && isRetried(probe, event));
  findTestRetried(probe, test, isComplete);
  const push = event ?? (isRetried(probe, test) ? test : undefined);
  if (push) return readRetries(probe, push, start);
  findings.missed(retryGaps, noEvent);
}

const tooShortForAnchor = 'needs 6 minutes; run with --max-wait 362s';
const noEvent =
  'needs an event, because test pushes are not retried; state an operation that causes one, such as operation.publish-site, in a profile and pass --profile';

/** Events that leave little behind come first. */
const likelyEvents = ['publish.failed', 'comment.created', 'form.submit', 'publish.complete'] as const;

/** Subscribes with a failing receiver before other steps cause the event, because waiting for retries comes last. */
export async function beginFailure(probe: Probe): Promise<void> {
  const site = probe.created.site ?? probe.options.siteId;
  const event = likelyEvents.find((one) => hasOperations(probe, one));
  if (event === undefined || !receiverOf(probe) || !mayWait(probe, firstWaitMs)) return;
  const { path } = await subscribeToFail(probe, event, site);
  probe.pushes.failing = { event, site, path };
}

/** Causes the event if no other step did. */
async function failedEvent(probe: Probe): Promise<Push | undefined> {
  const { failing } = probe.pushes;
  if (!failing) return undefined;
  const { event, site, path } = failing;
  if (pushCount(probe, path) === 0) await causeEvent(probe, event, site);
  return waitForPush(probe, path);
}

/** Answers a test push with 500. Subscribes to an event that no later step causes. */
async function failTest(probe: Probe): Promise<Push> {
  const subscription = await subscribeToFail(probe, 'content.delete', probe.options.siteId);
  return (await testAndWait(probe, subscription)).push;
}

async function subscribeToFail(probe: Probe, event: string, site: unknown): Promise<DiscoveredSubscription> {
  const subscription = await requireSubscription(probe, { events: [event], site, ...optionalSecret(probe) });
  probe.pushes.receiver?.answer(subscription.path, [{ status: 500 }]);
  return subscription;
}

/** Gives up at `latest`, or earlier if the allowed wait ends. */
async function waitUntilSeen(
  { clock, options }: Probe,
  { start, latest, what }: { start: number; latest: number; what: string },
  isSeen: () => boolean,
): Promise<void> {
  const end = clock.isMoved ? latest : Math.min(latest, start + options.maxWaitMs);
  for (;;) {
    await clock.settle();
    if (!clock.isMoved) await clock.pass(2_000, 'the arrival of retries');
    if (isSeen() || clock.now() >= end) return;
    await clock.waitUntil(Math.min(end, clock.now() + stepMs), what);
  }
}

function findTestRetried(probe: Probe, push: Push, isComplete: boolean): undefined {
  const { findings } = probe;
  if (isRetried(probe, push))
    return findings.found(testGap, 'retried', 'the deployment sent the failed push again after a minute');
  if (!isComplete) return findings.missed([testGap], 'no retry arrived within --max-wait; pass a longer one');
  findings.found(testGap, 'not-retried', 'the deployment did not send the failed push again after a minute');
}

async function readRetries(probe: Probe, push: Push, start: number): Promise<undefined> {
  const { findings } = probe;
  const attempts = () => attemptsOf(probe, push);
  const [first, second] = attempts();
  if (!first || !second)
    return findings.missed([timestampGap, anchorGap], 'no retry arrived within a minute');
  const [before, after] = [first, second].map((push) => headerOf(push, 'X-Webhook-Timestamp'));
  const evidence = `X-Webhook-Timestamp was ${before} at first and ${after} on the first retry`;
  if (before !== undefined) findings.found(timestampGap, before === after ? 'same' : 'renewed', evidence);
  if (!mayWait(probe, anchorWaitMs)) return findings.missed([anchorGap], tooShortForAnchor);
  const latest = second.arrived.to + retryDelaysMs[1] + lateMs;
  await waitUntilSeen(probe, { start, latest, what: 'the second retry' }, () => attempts().length > 2);
  const third = attempts()[2];
  if (!third) return findings.missed([anchorGap], 'no second retry came within 6 minutes');
  findAnchor(probe, [first, second, third]);
}

/** The delay counts from the first attempt if the second retry comes less than five minutes after the first. */
function findAnchor({ findings }: Probe, [first, second, third]: readonly [Push, Push, Push]): void {
  const isFromFirst = third.arrived.to < second.arrived.from + retryDelaysMs[1] - earlyMs;
  const counted = isFromFirst ? 'first' : 'previous';
  const minutes = Math.floor((third.arrived.to - first.arrived.from) / minuteMs);
  const evidence = `the second retry came ${minutes} minutes after the first attempt, so its delay counts from the ${counted} attempt`;
  findings.found(anchorGap, `${counted}-attempt`, evidence);
}

function isRetried(probe: Probe, push: Push): boolean {
  return attemptsOf(probe, push).length > 1;
}

/** A push that comes sooner is a duplicate of the same attempt. In milliseconds. */
const leastDelayMs = 30_000;

/** A retry repeats the bytes of the first attempt; other pushes to the path do not. */
function attemptsOf({ pushes: { receiver } }: Probe, { path, body }: Push): readonly Push[] {
  const same = (receiver?.pushesTo(path) ?? []).filter((push) => push.body.equals(body));
  return same.filter((push, index) => {
    const before = same[index - 1];
    return before === undefined || push.arrived.to - before.arrived.from >= leastDelayMs;
  });
}
