// What shows only after some time: retries, timeouts, limits and the end of tokens. Where the deployment's clock can be moved, it is.

import { minuteMs, retryDelaysMs } from '../core/documented-limits.ts';
import type { Answer, Push } from '../push-receiver/push-receiver.ts';
import { headerOf } from '../push-receiver/read-push.ts';
import { nextPath, type Probe, progress } from './discovery-probe.ts';
import { canCause, causeEvent } from './event-causes.ts';
import { secretOf } from './probe-secret.ts';
import type { Listener } from './push-listener.ts';
import { arrivalAt, createdSubscription, testedSubscription, testOnce } from './test-pushes.ts';

/** How long after its time a retry may come, in milliseconds. */
const graceMs = 1_000;

/** Whether a wait is allowed: on a clock that is moved it costs nothing. */
function mayWait({ clock, options }: Probe, ms: number): boolean {
  return clock.isMoved || options.maxWaitMs >= ms;
}

const retryGaps = ['hook-test.retried', 'webhook.retry-timestamp', 'webhook.robot-refusal'];
const firstWaitMs = retryDelaysMs[0] + graceMs;
const anchorWaitMs = retryDelaysMs[0] + retryDelaysMs[1] + graceMs;

/** Lets deliveries fail, and sees which are tried again, and when. */
export async function probeRetries(probe: Probe): Promise<undefined> {
  const { findings, listener, clock } = probe;
  if (!listener) return undefined;
  if (!mayWait(probe, firstWaitMs)) {
    findings.missed(retryGaps, 'it takes a minute; run with --max-wait 62s');
    return findings.missed(['webhook.retry-anchor'], 'it takes 6 minutes; run with --max-wait 362s');
  }
  progress(probe, 'waiting for retries');
  const failing = await failPushes(probe);
  const test = await failTest(probe);
  const start = clock.now();
  await clock.waitUntil(start + firstWaitMs, 'the first retry of a delivery that failed');
  await settle(probe);
  const isRetried = enterRetry(probe, test, { gap: 'hook-test.retried', values: ['retried', 'not-retried'] });
  if (failing)
    enterRetry(probe, failing.robot, { gap: 'webhook.robot-refusal', values: ['failed', 'delivered'] });
  const path = failing?.custom ?? (isRetried ? test : undefined);
  if (path !== undefined) return readRetries(probe, path, start);
  findings.missed([...retryGaps, 'webhook.retry-anchor'], noEvent);
}

const noEvent =
  'it takes an event that fails, and tests are not retried; state an operation that causes one, such as operation.publish-site, and give it with --profile';

/** A test push that is answered with 500. Gives its path. */
async function failTest(probe: Probe): Promise<string> {
  const path = nextPath(probe);
  probe.listener?.answer(path, [{ status: 500 }]);
  // To an event that is not caused from here on: its pushes would be retried too.
  await testedSubscription(probe, { path, events: ['content.delete'], ...signing(probe, path) });
  return path;
}

interface RetryGap {
  gap: string;
  /** The value where the push came again, and where it did not. */
  values: readonly [string, string];
}

/** Enters whether the first push to a path came again. */
function enterRetry({ findings, listener }: Probe, path: string, { gap, values }: RetryGap): boolean {
  const isRetried = listener !== undefined && attemptsAt(listener, path).length > 1;
  const evidence = `the push was ${isRetried ? '' : 'not '}sent again a minute after it had failed or been refused`;
  findings.found(gap, isRetried ? values[0] : values[1], evidence);
  return isRetried;
}

async function readRetries(probe: Probe, path: string, start: number): Promise<undefined> {
  const { findings, listener } = probe;
  const attempts = () => (listener ? attemptsAt(listener, path) : []);
  const [first, second] = attempts().map((push) => headerOf(push, 'X-Webhook-Timestamp'));
  if (attempts().length < 2)
    return findings.missed([timestampGap, anchorGap], 'no retry came within a minute');
  if (first !== undefined)
    findings.found(
      timestampGap,
      first === second ? 'same' : 'renewed',
      `X-Webhook-Timestamp was ${first}, and ${second} on the first retry`,
    );
  if (!mayWait(probe, anchorWaitMs))
    return findings.missed([anchorGap], 'it takes 6 minutes; run with --max-wait 362s');
  for (const [minutes, anchor, counted] of anchors) {
    await probe.clock.waitUntil(start + minutes * minuteMs + graceMs, 'the second retry');
    await settle(probe);
    if (attempts().length < 3) continue;
    const evidence = `the second retry came ${minutes} minutes after the first attempt, so it counts from the ${counted}`;
    return findings.found(anchorGap, anchor, evidence);
  }
  findings.missed([anchorGap], 'no second retry came within 6 minutes');
}

const timestampGap = 'webhook.retry-timestamp';
const anchorGap = 'webhook.retry-anchor';
const anchors = [
  [5, 'first-attempt', 'first one'],
  [6, 'previous-attempt', 'previous one'],
] as const;

/** What was sent may take a moment to arrive. */
async function settle({ clock }: Probe): Promise<void> {
  await clock.settle();
  if (!clock.isMoved) await clock.pass(2_000, 'the arrival of retries');
}

/** A retry has the bytes of the first attempt; other events may come to the same path. */
function attemptsAt(listener: Listener, path: string): readonly Push[] {
  const [first, ...others] = listener.pushesTo(path);
  return first ? [first, ...others.filter(({ body }) => body.equals(first.body))] : [];
}

/** As the robots of the three products say no: with HTTP 200. */
const refusal: Answer = { status: 200, body: { errcode: 93000, errmsg: 'invalid webhook url' } };

/** Causes an event whose push to one target fails and is refused by a robot at another. Gives their paths. */
async function failPushes(probe: Probe): Promise<{ custom: string; robot: string } | undefined> {
  const cause = canCause(probe);
  if (cause === undefined) return undefined;
  const custom = await subscribeToFail(probe, { cause, channel: 'custom', reply: { status: 500 } });
  const robot = await subscribeToFail(probe, { cause, channel: 'wecom', reply: refusal });
  await causeEvent(probe, cause);
  const [pushed, refused] = [await arrivalAt(probe, custom), await arrivalAt(probe, robot)];
  return pushed && refused && { custom, robot };
}

interface FailingTarget {
  cause: string;
  channel: string;
  reply: Answer;
}

async function subscribeToFail(probe: Probe, { cause, channel, reply }: FailingTarget): Promise<string> {
  const path = nextPath(probe);
  probe.listener?.answer(path, [reply]);
  await createdSubscription(probe, { path, channel, events: [cause], ...signing(probe, path) });
  return path;
}

/** A signed push carries a timestamp in its headers. */
function signing(probe: Probe, path: string): { secret?: string } {
  return probe.findings.has('subscription.request.secret') ? { secret: secretOf(probe, path) } : {};
}

/** Holds an answer back until the deployment gives up. */
export async function probeTimeout(probe: Probe): Promise<undefined> {
  const { listener, findings, options } = probe;
  if (!listener) return undefined;
  if (options.maxWaitMs < 1_000)
    return findings.missed(['webhook.timeout'], 'it takes time; allow some with --max-wait');
  progress(probe, 'holding an answer back');
  const path = nextPath(probe);
  listener.answer(path, ['unanswered', { status: 200 }]);
  const hook = await createdSubscription(probe, { path });
  // A deployment that says whether it delivered answers no sooner.
  const tested = testOnce(probe, hook).catch(() => undefined);
  const waited = await listener.givenUpAfter(path, options.maxWaitMs);
  listener.answer(path, [{ status: 200 }]);
  listener.answerPending();
  await tested;
  const seconds = waited === undefined ? undefined : Math.round(waited / 1_000);
  if (seconds === undefined || seconds < 1)
    return findings.missed(
      ['webhook.timeout'],
      `the deployment waited longer than ${options.maxWaitMs / 1_000} s for an answer; give it more with --max-wait`,
    );
  findings.found(
    'webhook.timeout',
    seconds,
    `the deployment gave up after ${((waited ?? 0) / 1_000).toFixed(1)} s`,
  );
}
