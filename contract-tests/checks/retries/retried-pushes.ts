import { chatChannels, eventNames } from '../../../openapi/event-names.ts';
import type { Channel } from '../../../openapi/generated/types.ts';
import type { Check } from '../../check.ts';
import type { Context } from '../../context.ts';
import { HarnessError, NotVerified, PromiseBroken } from '../../core/outcomes.ts';
import { settle } from '../../core/settled.ts';
import { causableEvents } from '../../events/event-triggers.ts';
import { type TargetName, targetNames, targetOf } from '../../events/failing-targets.ts';
import { firstRetryWait } from '../../events/retry-delays.ts';
import type { RetryRun } from '../../events/retry-run.ts';
import type { Push } from '../../push-receiver/push-receiver.ts';
import { bodyOf, describePush, headerOf } from '../../push-receiver/read-push.ts';
import { presentHeader, requireSigned } from '../../push-receiver/signature.ts';
import { livingSubscriptionOf } from '../../subscriptions/shared-tests.ts';
import { arrivalOfTest, beginTest } from '../../subscriptions/test-messages.ts';
import { chatMessageId, chatMessages, requireRobotAccepts } from '../pushes/channels.ts';
import { eventBodies, requireBody, requireEventName, requireTimestamp } from '../pushes/event-bodies.ts';
import { publishData, requirePublishData } from '../pushes/publish-data.ts';
import type { SeenPush } from '../pushes/seen-pushes.ts';
import { requireNow, signatures } from '../pushes/signatures.ts';
import { retryCheck, retryRunOf } from './retry-check.ts';
import { attemptsInTime, waitForAttempts } from './wait-for-retries.ts';

/** A retry is a push like any other: where there is time for retries to come, the checks of pushes are repeated with them. */
export const retriedPushes: readonly Check[] = [
  onCustom('event-1-body', (context, { push, body }) => requireBody(context, push, body)),
  onCustom('event-2-name', (_context, { push, body }) => requireEventName(push, body)),
  onCustom(
    'event-3-timestamp',
    (context, { push, body, startedAt }) => void requireTimestamp(context, push, { body, startedAt }),
  ),
  onCustom('event-5-publish-complete-data', (context, { push, event }) => {
    if (event === 'publish.complete') requirePublishData(context, push);
  }),
  ...chatChannels.map((channel) =>
    firstAndAgain(chatMessageId(channel), (context, { push }) => {
      if (push.channel === channel) requireRobotAccepts(context, channel, push);
    }),
  ),
  firstAndAgain('sig-2-event-header', (_context, { push, event }) => {
    const header = headerOf(push, 'X-Webhook-Event');
    if (header !== undefined && header !== event)
      throw new PromiseBroken(`X-Webhook-Event: ${event} on a retry`, describePush(push));
  }),
  firstAndAgain('sig-3-timestamp-header', (context, { push, startedAt }) => {
    // A retry may repeat the timestamp of the first attempt.
    const header = headerOf(push, 'X-Webhook-Timestamp');
    if (header !== undefined) requireNow(context, push, { header, startedAt });
  }),
  {
    ...mainCheck('sig-3-timestamp-header'),
    id: 'sig-3-timestamp-header-now-and-later',
    run: async (context) => {
      await mainCheck('sig-3-timestamp-header').run(context);
      const { error } = await settle(() => retryRunInTime(context));
      if (error || attemptsInTime(context) < 4) return;
      const subscription = await livingSubscriptionOf(context, { channel: 'custom', signed: true });
      const push = await arrivalOfTest(context, await beginTest(context, subscription));
      if (!push) throw new NotVerified('no test push arrived; see HOOK-10');
      requireNow(context, push, { header: presentHeader(push, 'X-Webhook-Timestamp') });
    },
  },
  retryCheck({
    id: 'sig-6-retries-are-signed',
    requirement: 'SIG-6',
    wait: firstRetryWait,
    run: async (context, retryRun) => {
      await waitForRetries(context, retryRun);
      const signed: Delivery[] = [];
      for (const delivery of deliveriesOf(retryRun)) if (await isFirstSigned(delivery)) signed.push(delivery);
      if (signed.length === 0) throw new NotVerified('the first attempt is not signed either; see SIG-1');
      for (const { retries, secret = '' } of signed)
        for (const push of retries) await requireSigned(push, secret);
      observeTimestamps(context, retryRun);
    },
  }),
];

/** The check of the same name once more when the retries have come, together with them. */
function firstAndAgain(
  id: string,
  checkRetry: (context: Context, retry: Retry) => Promise<void> | void,
): Check {
  const main = mainCheck(id);
  return {
    ...main,
    id: `${id}-first-and-again`,
    run: async (context) => {
      await main.run(context);
      for (const retry of await retriesSoFar(context)) await checkRetry(context, retry);
    },
  };
}

function onCustom(id: string, checkRetry: (context: Context, retry: Retry) => Promise<void> | void): Check {
  return firstAndAgain(id, async (context, retry) => {
    if (retry.push.channel === 'custom') await checkRetry(context, retry);
  });
}

function mainCheck(id: string): Check {
  const found = [...eventBodies, ...publishData, ...chatMessages, ...signatures].find(
    (check) => check.id === id,
  );
  if (!found) throw new HarnessError(`there is no check ${id}`);
  return found;
}

/** The retries at all targets, on every channel. None where there is no time for any, or where none comes (RETRY-1). */
async function retriesSoFar(context: Context): Promise<Retry[]> {
  // The body of a test message is a gap.
  if (causableEvents(context).length === 0) return [];
  const retries = await settle(async () => retriesIn(context, await retryRunInTime(context)));
  return retries.error ? [] : retries.value();
}

/** The retry run, once every retry that the run has time for has come. */
async function retryRunInTime(context: Context): Promise<RetryRun> {
  const retryRun = await retryRunOf(context);
  await waitForRetries(context, retryRun);
  return retryRun;
}

async function waitForRetries(context: Context, retryRun: RetryRun): Promise<void> {
  await waitForAttempts(context, retryRun, { targets: ['always-500'], count: attemptsInTime(context) });
  if (retryRun.attemptsAt('always-500').length < 2) throw new NotVerified('no retry arrived; see RETRY-1');
}

interface Retry {
  push: SeenPush;
  body: Record<string, unknown>;
  event: string;
  /** When the first attempts were made. */
  startedAt: number;
}

function retriesIn(context: Context, retryRun: RetryRun): Retry[] {
  const startedAt = retryRun.startedAt();
  return deliveriesOf(retryRun).flatMap(({ event, channel, secret, retries }) =>
    retries.map((push) => ({
      event,
      startedAt,
      body: Object(bodyOf(push)) as Record<string, unknown>,
      push: { ...push, about: 'event', channel, secret, siteID: context.siteId },
    })),
  );
}

/** The first attempt at a target that fails, and its retries. */
interface Delivery {
  event: string;
  channel: Channel;
  secret: string | undefined;
  /** The first attempt, and the secret that it is signed with. */
  first: { push: Push; secret: string | undefined } | undefined;
  retries: readonly Push[];
}

function deliveriesOf(retryRun: RetryRun): Delivery[] {
  return targetNames.flatMap((name) => {
    const subscription = retryRun.subscriptions.get(name);
    if (!subscription || subscription.error) return [];
    const { script, choosesAll, channel = 'custom' } = targetOf(name);
    const { secret } = subscription.value();
    if (script === 'closed') return [deliveryToClosed(retryRun, name, secret)];
    const events = choosesAll ? eventNames : [retryRun.event];
    return events.map((event) => {
      const attempts = choosesAll ? retryRun.attemptsAbout(event) : retryRun.attemptsAt(name);
      const [first, ...retries] = attempts.map(({ push }) => push);
      return { event, channel, secret, first: first && { push: first, secret }, retries };
    });
  });
}

/** Nobody saw the first attempt at a closed port: the first attempt at another target replaces it. */
function deliveryToClosed(retryRun: RetryRun, name: TargetName, secret: string | undefined): Delivery {
  const retries = retryRun
    .attemptsAt(name)
    .filter(({ arrived }) => arrived.to - retryRun.startedAt() > 50_000)
    .map(({ push }) => push);
  const [first] = retryRun.attemptsAt('always-500');
  const other = retryRun.subscriptions.get('always-500')?.value();
  return {
    event: retryRun.event,
    channel: 'custom',
    secret,
    first: first && { push: first.push, secret: other?.secret },
    retries,
  };
}

async function isFirstSigned({ first }: Delivery): Promise<boolean> {
  if (first?.secret === undefined) return false;
  const { push, secret } = first;
  const { error } = await settle(() => requireSigned(push, secret));
  return error === undefined;
}

/** Whether the timestamp header of a retry is renewed. */
function observeTimestamps({ observations }: Context, retryRun: RetryRun): void {
  const stamps = retryRun.attemptsAt('always-500').map(({ push }) => headerOf(push, 'X-Webhook-Timestamp'));
  if (stamps.length < 2) return;
  observations.compare('webhook.retry-timestamp', new Set(stamps).size === 1 ? 'same' : 'renewed');
}
