// Retries, which take minutes.
import { minuteMs, retryDelaysMs } from '../../core/documented-limits.ts';
import type { Push, PushAnswer, Receiver } from '../../push-receiver/push-receiver.ts';
import { headerOf } from '../../push-receiver/read-push.ts';
import {
  type DiscoveredSubscription,
  mayWait,
  nextPath,
  type Probe,
  reportProgress,
} from '../discovery-probe.ts';
import { causeByOperation, findCausableEvent } from '../pushes/event-causes.ts';
import { requireSubscription, testAndWait, waitForPush } from '../pushes/test-pushes.ts';
import { optionalSecret } from './probe-secret.ts';

/** How long after its time a retry is looked for, in milliseconds; where queues are polled now and then, as far as that is allowed. */
const graceMs = 1_000;
const lateMs = 91_000;
/** A moved clock tells of a push only in which step it came. */
const stepMs = 5_000;
/** How early a retry may come. */
const earlyMs = 5_000;

const anchorGap = 'webhook.retry-anchor';
const timestampGap = 'webhook.retry-timestamp';
export const retryGaps = ['hook-test.retried', timestampGap, anchorGap];
const firstWaitMs = retryDelaysMs[0] + graceMs;
const anchorWaitMs = retryDelaysMs[0] + retryDelaysMs[1] + graceMs;

/** Lets deliveries fail, and finds out which are retried, and when. */
export async function probeRetries(probe: Probe): Promise<undefined> {
  const { findings, listener, clock } = probe;
  if (!listener) return undefined;
  if (!mayWait(probe, firstWaitMs)) {
    findings.missed([anchorGap], tooShortForAnchor);
    return findings.missed(retryGaps, 'it takes a minute; run with --max-wait 62s');
  }
  reportProgress(probe, 'waiting for retries');
  const failing = await failPushes(probe);
  const test = await failTest(probe);
  const start = clock.now();
  const paths = [test, failing?.custom, failing?.redirected].filter((path) => path !== undefined);
  await waitForRetries(probe, start, paths);
  const isRetried = findTestRetried(probe, test);
  if (failing?.redirected !== undefined) findCounted(probe, failing.redirected);
  const path = failing?.custom ?? (isRetried ? test : undefined);
  if (path !== undefined) return readRetries(probe, path, start);
  findings.missed(retryGaps, noEvent);
}

/** Waits for the first retry of each delivery, also for a late one. */
async function waitForRetries(probe: Probe, start: number, paths: readonly string[]): Promise<void> {
  const latest = start + retryDelaysMs[0] + lateMs;
  const what = 'the first retry of a delivery that failed';
  await waitUntilSeen(probe, { start, latest, what }, () =>
    paths.every((path) => probe.listener && attemptsAt(probe.listener, path).length > 1),
  );
}

interface Wait {
  start: number;
  /** When it is given up; earlier where that takes longer than is allowed. */
  latest: number;
  what: string;
}

async function waitUntilSeen(
  probe: Probe,
  { start, latest, what }: Wait,
  isSeen: () => boolean,
): Promise<void> {
  const { clock, options } = probe;
  const end = clock.isMoved ? latest : Math.min(latest, start + options.maxWaitMs);
  for (;;) {
    await settle(probe);
    if (isSeen() || clock.now() >= end) return;
    await clock.waitUntil(Math.min(end, clock.now() + stepMs), what);
  }
}

const tooShortForAnchor = 'it takes 6 minutes; run with --max-wait 362s';
const noEvent =
  'it needs an event that fails, and tests are not retried; state an operation that causes one, such as operation.publish-site, and give it with --profile';

/** Causes a test push that is answered with 500. Returns its path. The event is caused no more: its pushes would be retried too. */
async function failTest(probe: Probe): Promise<string> {
  const subscription = await subscribeToFail(probe, 'content.delete', { status: 500 });
  await testAndWait(probe, subscription);
  return subscription.path;
}

/** Whether a push was retried whose redirect had led to an answer of 200. */
function findCounted({ findings, listener }: Probe, path: string): void {
  const isRetried = listener !== undefined && attemptsAt(listener, path).length > 1;
  const evidence = `the target of a redirect was visited, and the push was ${isRetried ? '' : 'not '}sent again a minute later`;
  findings.found('webhook.redirects', isRetried ? 'followed' : 'counted', evidence);
}

function findTestRetried({ findings, listener }: Probe, path: string): boolean {
  const isRetried = listener !== undefined && attemptsAt(listener, path).length > 1;
  const evidence = `the push was ${isRetried ? '' : 'not '}sent again a minute after it had failed`;
  findings.found('hook-test.retried', isRetried ? 'retried' : 'not-retried', evidence);
  return isRetried;
}

async function readRetries(probe: Probe, path: string, start: number): Promise<undefined> {
  const { findings, listener } = probe;
  const attempts = () => (listener ? attemptsAt(listener, path) : []);
  const [first, second] = attempts();
  if (!first || !second) return findings.missed([timestampGap, anchorGap], 'no retry came within a minute');
  const [before, after] = [first, second].map((push) => headerOf(push, 'X-Webhook-Timestamp'));
  if (before !== undefined)
    findings.found(
      timestampGap,
      before === after ? 'same' : 'renewed',
      `X-Webhook-Timestamp was ${before}, and ${after} on the first retry`,
    );
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
  const [value, counted] = isFromFirst
    ? ['first-attempt', 'first one']
    : ['previous-attempt', 'previous one'];
  const minutes = Math.floor((third.arrived.to - first.arrived.from) / minuteMs);
  const evidence = `the second retry came ${minutes} minutes after the first attempt, so it counts from the ${counted}`;
  findings.found(anchorGap, value, evidence);
}

/** What was sent may take a moment to arrive. */
async function settle({ clock }: Probe): Promise<void> {
  await clock.settle();
  if (!clock.isMoved) await clock.pass(2_000, 'the arrival of retries');
}

/** What comes sooner is the same attempt once more: a push may come twice. In milliseconds. */
const leastDelayMs = 30_000;

/** A retry has the bytes of the first attempt. Greetings and pushes of other events may come to the same path: the one sent most often counts. */
function attemptsAt(listener: Receiver, path: string): readonly Push[] {
  const groups = [...Map.groupBy(listener.pushesTo(path), ({ body }) => body.toString('latin1')).values()];
  const attempts = groups.map((group) =>
    group.filter((push, index) => {
      const before = group[index - 1];
      return before === undefined || push.arrived.to - before.arrived.from >= leastDelayMs;
    }),
  );
  return attempts.reduce((most, group) => (group.length > most.length ? group : most), []);
}

interface FailedPushes {
  custom: string;
  /** Where redirects are followed. */
  redirected: string | undefined;
}

/** Causes an event whose push fails at one target, and is redirected by another. Returns their paths. */
async function failPushes(probe: Probe): Promise<FailedPushes | undefined> {
  const event = findCausableEvent(probe);
  if (event === undefined) return undefined;
  const custom = await subscribeToFail(probe, event, { status: 500 });
  const location = probe.listener?.urlOf(nextPath(probe));
  const isVisited = ['followed', 'counted'].includes(String(probe.findings.value('webhook.redirects')));
  const redirected =
    isVisited && location !== undefined
      ? await subscribeToFail(probe, event, { status: 302, location })
      : undefined;
  await causeByOperation(probe, event);
  const pushed = await waitForPush(probe, custom.path);
  if (redirected) await waitForPush(probe, redirected.path);
  return pushed && { custom: custom.path, redirected: redirected?.path };
}

async function subscribeToFail(
  probe: Probe,
  event: string,
  answer: PushAnswer,
): Promise<DiscoveredSubscription> {
  const path = nextPath(probe);
  const subscription = await requireSubscription(probe, {
    path,
    events: [event],
    ...optionalSecret(probe, path),
  });
  probe.listener?.answer(path, [answer]);
  return subscription;
}
