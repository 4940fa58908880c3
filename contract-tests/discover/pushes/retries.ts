// Retries, which take minutes.
import { minuteMs, retryDelaysMs } from '../../core/documented-limits.ts';
import type { Push } from '../../push-receiver/push-receiver.ts';
import { headerOf } from '../../push-receiver/read-push.ts';
import { type DiscoveredSubscription, mayWait, type Probe, receiverOf } from '../probe.ts';
import { optionalSecret } from '../subscription/requests.ts';
import { causeEvent, hasOperations } from './events.ts';
import { pushCount, requireSubscription, testAndWait, waitForPush } from './test-pushes.ts';

/** How long after its time a retry is looked for, in milliseconds; where queues are polled now and then, as far as that is allowed. */
const graceMs = 1_000;
const lateMs = 91_000;
/** A moved clock tells of a push only in which step it came. */
const stepMs = 5_000;
/** How early a retry may come. */
const earlyMs = 5_000;

const testGap = 'hook-test.retried';
const anchorGap = 'webhook.retry-anchor';
const timestampGap = 'webhook.retry-timestamp';
export const retryGaps = [testGap, timestampGap, anchorGap];
const firstWaitMs = retryDelaysMs[0] + graceMs;
const anchorWaitMs = retryDelaysMs[0] + retryDelaysMs[1] + graceMs;

/** Lets deliveries fail, and finds out which are retried, and when. */
export async function probeRetries(probe: Probe): Promise<undefined> {
  const { findings, clock } = probe;
  if (!receiverOf(probe)) return undefined;
  if (!mayWait(probe, firstWaitMs)) {
    findings.missed([anchorGap], tooShortForAnchor);
    return findings.missed(retryGaps, 'it takes a minute; run with --max-wait 62s');
  }
  const event = await failedEvent(probe);
  const test = await failTest(probe);
  const start = clock.now();
  const latest = start + retryDelaysMs[0] + lateMs;
  const areAllRetried = () => [test, event].every((push) => push === undefined || isRetried(probe, push));
  const what = 'the first retry of a delivery that failed';
  await waitUntilSeen(probe, { start, latest, what }, areAllRetried);
  // No retry may have come in time.
  const isTold = clock.now() >= latest || (event !== undefined && isRetried(probe, event));
  findTestRetried(probe, test, isTold);
  const push = event ?? (isRetried(probe, test) ? test : undefined);
  if (push) return readRetries(probe, push, start);
  findings.missed(retryGaps, noEvent);
}

const tooShortForAnchor = 'it takes 6 minutes; run with --max-wait 362s';
const noEvent =
  'it needs an event that fails, and tests are not retried; state an operation that causes one, such as operation.publish-site, and give it with --profile';

/** What leaves little behind comes first. */
const likelyEvents = ['publish.failed', 'comment.created', 'form.submit', 'publish.complete'] as const;

/** Makes the push of an event fail that is going to be caused on a site: waiting for its retries comes last. */
export async function beginFailure(probe: Probe): Promise<void> {
  const site = probe.created.site ?? probe.options.siteId;
  const event = likelyEvents.find((one) => hasOperations(probe, one));
  if (event === undefined || !receiverOf(probe) || !mayWait(probe, firstWaitMs)) return;
  const { path } = await subscribeToFail(probe, event, site);
  probe.pushes.failing = { event, site, path };
}

/** The push of the event that fails, which is caused where it has not come yet. */
async function failedEvent(probe: Probe): Promise<Push | undefined> {
  const { failing } = probe.pushes;
  if (!failing) return undefined;
  const { event, site, path } = failing;
  if (pushCount(probe, path) === 0) await causeEvent(probe, event, site);
  return waitForPush(probe, path);
}

/** Causes a test push that is answered with 500. Returns it. The event is caused no more. */
async function failTest(probe: Probe): Promise<Push> {
  const subscription = await subscribeToFail(probe, 'content.delete', probe.options.siteId);
  return (await testAndWait(probe, subscription)).push;
}

async function subscribeToFail(probe: Probe, event: string, site: unknown): Promise<DiscoveredSubscription> {
  const subscription = await requireSubscription(probe, { events: [event], site, ...optionalSecret(probe) });
  probe.pushes.receiver?.answer(subscription.path, [{ status: 500 }]);
  return subscription;
}

/** Gives up at the latest, and earlier where that takes longer than is allowed. */
async function waitUntilSeen(
  { clock, options }: Probe,
  { start, latest, what }: { start: number; latest: number; what: string },
  isSeen: () => boolean,
): Promise<void> {
  const end = clock.isMoved ? latest : Math.min(latest, start + options.maxWaitMs);
  for (;;) {
    // What was sent may take a moment to arrive.
    await clock.settle();
    if (!clock.isMoved) await clock.pass(2_000, 'the arrival of retries');
    if (isSeen() || clock.now() >= end) return;
    await clock.waitUntil(Math.min(end, clock.now() + stepMs), what);
  }
}

function findTestRetried(probe: Probe, push: Push, isTold: boolean): undefined {
  const { findings } = probe;
  if (isRetried(probe, push))
    return findings.found(testGap, 'retried', 'the push was sent again a minute after it had failed');
  if (!isTold) return findings.missed([testGap], 'no retry came within the time that --max-wait allows');
  findings.found(testGap, 'not-retried', 'the push was not sent again a minute after it had failed');
}

async function readRetries(probe: Probe, push: Push, start: number): Promise<undefined> {
  const { findings } = probe;
  const attempts = () => attemptsOf(probe, push);
  const [first, second] = attempts();
  if (!first || !second) return findings.missed([timestampGap, anchorGap], 'no retry came within a minute');
  const [before, after] = [first, second].map((push) => headerOf(push, 'X-Webhook-Timestamp'));
  const evidence = `X-Webhook-Timestamp was ${before}, and ${after} on the first retry`;
  if (before !== undefined) findings.found(timestampGap, before === after ? 'same' : 'renewed', evidence);
  if (!mayWait(probe, anchorWaitMs)) return findings.missed([anchorGap], tooShortForAnchor);
  const latest = second.arrived.to + retryDelaysMs[1] + lateMs;
  await waitUntilSeen(probe, { start, latest, what: 'the second retry' }, () => attempts().length > 2);
  const third = attempts()[2];
  if (!third) return findings.missed([anchorGap], 'no second retry came within 6 minutes');
  findAnchor(probe, [first, second, third]);
}

/** What comes less than five minutes after the first retry does not count from it. */
function findAnchor({ findings }: Probe, [first, second, third]: readonly [Push, Push, Push]): void {
  const isFromFirst = third.arrived.to < second.arrived.from + retryDelaysMs[1] - earlyMs;
  const counted = isFromFirst ? 'first' : 'previous';
  const minutes = Math.floor((third.arrived.to - first.arrived.from) / minuteMs);
  const evidence = `the second retry came ${minutes} minutes after the first attempt, so it counts from the ${counted} one`;
  findings.found(anchorGap, `${counted}-attempt`, evidence);
}

function isRetried(probe: Probe, push: Push): boolean {
  return attemptsOf(probe, push).length > 1;
}

/** What comes sooner is the same attempt once more: a push may come twice. In milliseconds. */
const leastDelayMs = 30_000;

/** A retry has the bytes of the first attempt. Pushes of other events may come to the same path. */
function attemptsOf({ pushes: { receiver } }: Probe, { path, body }: Push): readonly Push[] {
  const same = (receiver?.pushesTo(path) ?? []).filter((push) => push.body.equals(body));
  return same.filter((push, index) => {
    const before = same[index - 1];
    return before === undefined || push.arrived.to - before.arrived.from >= leastDelayMs;
  });
}
