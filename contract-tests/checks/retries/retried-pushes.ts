import { chatChannels, eventNames } from '../../../openapi/event-names.ts';
import type { Channel } from '../../../openapi/generated/types.ts';
import type { Check } from '../../check.ts';
import type { Context } from '../../context.ts';
import { HarnessError, NotVerified, PromiseBroken } from '../../core/outcomes.ts';
import { settle } from '../../core/settled.ts';
import { type TargetName, targetNames, targetOf } from '../../events/failing-targets.ts';
import type { RetryRun } from '../../events/retry-run.ts';
import { unitOf } from '../../push-receiver/push-format.ts';
import type { Push } from '../../push-receiver/push-receiver.ts';
import { bodyOf, describePush, headerOf } from '../../push-receiver/read-push.ts';
import { presentHeader, requireSigned } from '../../push-receiver/signature.ts';
import { arrivalOfTest, pushable, subscriptionOf } from '../../subscriptions/shared-subscriptions.ts';
import { chatMessages, requirementOfChannel, requireTaken } from '../pushes/channels.ts';
import { eventBodies, requireBody, requireEventName, requireTimestamp } from '../pushes/event-bodies.ts';
import { publishData, requirePublishData } from '../pushes/publish-data.ts';
import type { SeenPush } from '../pushes/seen-pushes.ts';
import { requireNow, signatures } from '../pushes/signatures.ts';
import { attemptsInTime, beginRetryRun, retryRunOf, waitForAttempts } from './wait-for-retries.ts';

/** A retry is a push like any other: what is said of pushes is said of them as well, where there is time for them to come. */
export const retriedPushes: readonly Check[] = [
  firstAndAgain('event-1-body', async (context, { push, body }) => {
    if (push.channel === 'custom') await requireBody(context, push, body);
  }),
  firstAndAgain('event-2-name', (_context, { push, body }) => {
    if (push.channel === 'custom') requireEventName(push, body);
  }),
  firstAndAgain('event-3-timestamp', (_context, { push, body }) => {
    if (push.channel === 'custom') requireTimestamp(push, body);
  }),
  firstAndAgain('event-5-publish-complete-data', (context, { push, event }) => {
    if (push.channel === 'custom' && event === 'publish.complete') requirePublishData(context, push);
  }),
  ...chatChannels.map((channel) =>
    firstAndAgain(
      `${requirementOfChannel[channel].toLowerCase()}-${channel}-robot-takes-it`,
      (context, { push }) => {
        if (push.channel === channel) requireTaken(context, channel, push);
      },
    ),
  ),
  firstAndAgain('sig-2-event-header', (_context, { push, event }) => {
    const header = headerOf(push, 'X-Webhook-Event');
    if (header !== undefined && header !== event)
      throw new PromiseBroken(`X-Webhook-Event: ${event} on a retry`, describePush(push));
  }),
  firstAndAgain('sig-3-timestamp-header', (_context, { push, startedAt }) => {
    // It may be that of the first attempt.
    const header = headerOf(push, 'X-Webhook-Timestamp');
    if (header !== undefined && !unitOf(header, { from: startedAt, to: startedAt })) requireNow(push, header);
  }),
  {
    ...mainCheck('sig-3-timestamp-header'),
    id: 'sig-3-timestamp-header-now-and-later',
    run: async (context) => {
      await mainCheck('sig-3-timestamp-header').run(context);
      const { error } = await settle(() => waitedStory(context));
      if (error || attemptsInTime(context) < 4) return;
      const subscription = pushable(await subscriptionOf(context, { channel: 'custom', signed: true }));
      const push = await arrivalOfTest(context, subscription);
      if (!push) throw new NotVerified('no test push arrived; see HOOK-10');
      requireNow(push, presentHeader(push, 'X-Webhook-Timestamp'));
    },
  },
  {
    id: 'sig-6-retries-are-signed',
    requirement: 'SIG-6',
    needs: ['account', 'site', 'creates', 'receiver', 'operation:any-event', 'wait:1m'],
    prepare: beginRetryRun,
    run: async (context) => {
      const story = await waitedStory(context);
      const signed: Delivery[] = [];
      for (const delivery of deliveriesOf(story)) if (await isFirstSigned(delivery)) signed.push(delivery);
      if (signed.length === 0) throw new NotVerified('not even the first attempt is signed; see SIG-1');
      for (const { retries, secret = '' } of signed)
        for (const push of retries) await requireSigned(push, secret);
      observeTimestamps(context, story);
    },
  },
];

/** The check of the same name, made once more when the retries have come, with them. */
function firstAndAgain(id: string, judge: (context: Context, retry: Retry) => Promise<void> | void): Check {
  const main = mainCheck(id);
  return {
    ...main,
    id: `${id}-first-and-again`,
    run: async (context) => {
      await main.run(context);
      for (const retry of await retriesSoFar(context)) await judge(context, retry);
    },
  };
}

function mainCheck(id: string): Check {
  const found = [...eventBodies, ...publishData, ...chatMessages, ...signatures].find(
    (check) => check.id === id,
  );
  if (!found) throw new HarnessError(`there is no check ${id}`);
  return found;
}

/** None where there is no time for any, or where none comes, which is RETRY-1's matter. */
async function retriesSoFar(context: Context): Promise<Retry[]> {
  const kept = await settle(() => allRetries(context));
  return kept.error ? [] : kept.value();
}

/** The story as it is when every retry that there is time for has come. */
async function waitedStory(context: Context): Promise<RetryRun> {
  const story = await retryRunOf(context);
  await waitForAttempts(context, story, { targets: ['always-500'], count: attemptsInTime(context) });
  if (story.attemptsAt('always-500').length < 2) throw new NotVerified('no retry came; see RETRY-1');
  return story;
}

/** What was left to fail at a target, first and again. */
interface Delivery {
  event: string;
  channel: Channel;
  secret: string | undefined;
  /** The first attempt, and the secret that it is signed with. */
  first: { push: Push; secret: string | undefined } | undefined;
  retries: readonly Push[];
}

function deliveriesOf(story: RetryRun): Delivery[] {
  return targetNames.flatMap((name) => {
    const kept = story.subscriptions.get(name);
    if (!kept || kept.error) return [];
    const { script, choosesAll, channel = 'custom' } = targetOf(name);
    const { secret } = kept.value();
    if (script === 'closed') return [deliveryToClosed(story, name, secret)];
    const about = choosesAll ? eventNames : [story.event];
    return about.map((event) => {
      const attempts = choosesAll ? story.attemptsAbout(event) : story.attemptsAt(name);
      const [first, ...retries] = attempts.map(({ push }) => push);
      return { event, channel, secret, first: first && { push: first, secret }, retries };
    });
  });
}

/** The first attempt at a closed port was seen by nobody: that at another target stands for it. */
function deliveryToClosed(story: RetryRun, name: TargetName, secret: string | undefined): Delivery {
  const retries = story
    .attemptsAt(name)
    .filter(({ arrived }) => arrived.to - story.startedAt() > 50_000)
    .map(({ push }) => push);
  const [first] = story.attemptsAt('always-500');
  const twin = story.subscriptions.get('always-500')?.value();
  return {
    event: story.event,
    channel: 'custom',
    secret,
    first: first && { push: first.push, secret: twin?.secret },
    retries,
  };
}

interface Retry {
  push: SeenPush;
  body: Record<string, unknown>;
  event: string;
  /** When the first attempts were made. */
  startedAt: number;
}

/** Those at all targets, on every channel. */
async function allRetries(context: Context): Promise<Retry[]> {
  const story = await waitedStory(context);
  const startedAt = story.startedAt();
  return deliveriesOf(story).flatMap(({ event, channel, secret, retries }) =>
    retries.map((push) => ({
      event,
      startedAt,
      body: Object(bodyOf(push)) as Record<string, unknown>,
      push: { ...push, about: 'event', channel, secret, siteID: context.siteId },
    })),
  );
}

async function isFirstSigned({ first }: Delivery): Promise<boolean> {
  if (first?.secret === undefined) return false;
  const { push, secret } = first;
  const { error } = await settle(() => requireSigned(push, secret));
  return error === undefined;
}

/** Whether a retry bears a time of its own in its header. */
function observeTimestamps({ observations }: Context, story: RetryRun): void {
  const stamps = story.attemptsAt('always-500').map(({ push }) => headerOf(push, 'X-Webhook-Timestamp'));
  if (stamps.length < 2) return;
  observations.compare('webhook.retry-timestamp', new Set(stamps).size === 1 ? 'same' : 'renewed');
}
