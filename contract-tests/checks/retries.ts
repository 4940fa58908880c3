import type { Attempt } from '../attempts.ts';
import type { Check, Need } from '../check.ts';
import type { Context } from '../context.ts';
import type { RetryStory, TargetName } from '../failing-targets.ts';
import { lastRetryMs } from '../failing-targets.ts';
import { keep } from '../keep.ts';
import { unmetWait } from '../needs.ts';
import { NotVerified, PromiseBroken } from '../outcomes.ts';
import { describePush, headerOf } from '../read-push.ts';
import { anchors, delaysMs, fits, lateMs } from '../retry-delays.ts';
import { eventScene } from '../scene.ts';
import { requireSigned } from '../signature.ts';

const needs: readonly Need[] = ['account', 'site', 'creates', 'receiver', 'operation:any-event'];

/** Beyond the last retry, the longest of the delays once more: a fourth retry would come within it. */
const afterwardsMs = lastRetryMs + 1_900_000;

const answered: readonly (readonly [string, TargetName])[] = [
  ['500', '500-then-200'],
  ['404', '404-then-200'],
  ['302', '302-then-200'],
];

/** What becomes of a push that fails; the pushes are sent at the beginning of the run, and looked at towards its end. */
export const retries: readonly Check[] = [
  ...answered.map(([status, target]) => ({
    id: `retry-1-after-${status}`,
    requirement: 'RETRY-1',
    needs: [...needs, 'wait:1m'] as const,
    plant,
    run: async (context: Context) => {
      const story = await storyOf(context);
      await requireRetry(context, story, { target, what: `a push that was answered with ${status}` });
      if (status === '302')
        context.observations.compare(
          'webhook.redirects',
          story.wasRedirectFollowed() ? 'followed' : 'not-followed',
        );
    },
  })),
  {
    id: 'retry-2-unreachable-target',
    requirement: 'RETRY-2',
    needs: [...needs, 'wait:1m'],
    plant,
    run: async (context) => {
      const story = await storyOf(context);
      await waitForAttempts(context, story, { target: 'closed-then-open', count: 1 });
      const [first] = story.attemptsAt('closed-then-open');
      if (!first)
        throw new PromiseBroken(
          'a retry of a push whose target could not be reached, a minute later',
          notSeenSince(context, story),
        );
      if (first.arrived.to - story.startedAt() < 50_000)
        throw new NotVerified('the first attempt was made only after the target could be reached');
    },
  },
  {
    id: 'sig-6-retries-are-signed',
    requirement: 'SIG-6',
    needs: [...needs, 'wait:1m'],
    plant,
    run: async (context) => {
      const story = await storyOf(context);
      const hasTime = unmetWait('36m', context) === undefined;
      await waitForAttempts(context, story, { target: 'always-500', count: hasTime ? 4 : 2 });
      if (retriesAt(story, 'always-500').length === 0) throw new NotVerified('no retry came; see RETRY-1');
      const signed: TargetName[] = [];
      for (const target of ['always-500', 'chat-500-then-200'] as const)
        if (await isFirstSigned(story, target)) signed.push(target);
      if (signed.length === 0) throw new NotVerified('not even the first attempt is signed; see SIG-1');
      for (const target of signed)
        for (const { push } of retriesAt(story, target)) await requireSigned(push, secretAt(story, target));
      observeTimestamps(context, story);
    },
  },
  {
    id: 'retry-3-delays',
    requirement: 'RETRY-3',
    needs: [...needs, 'wait:36m'],
    plant,
    run: async (context) => {
      const story = await storyOf(context);
      await waitForAttempts(context, story, { target: 'always-500', count: 4 });
      const attempts = story.attemptsAt('always-500').slice(0, 4);
      const fitting = anchors.filter((anchor) =>
        fits(
          attempts.map(({ arrived }) => arrived),
          anchor,
        ),
      );
      if (attempts.length > 1 && fitting.length === 0)
        throw new PromiseBroken(
          `retries after 1, 5 and 30 minutes (at most 5 s early and 30 s late), counted from the attempt before or from the first`,
          `attempts ${describeTimes(attempts)}`,
        );
      if (attempts.length < 4)
        throw new NotVerified(`${attempts.length - 1} of three retries came; see RETRY-4`);
      if (fitting.length === 1 && fitting[0])
        context.observations.compare('webhook.retry-anchor', fitting[0]);
    },
  },
  {
    id: 'retry-4-three-and-no-more',
    requirement: 'RETRY-4',
    needs: [...needs, 'wait:70m'],
    plant,
    run: async (context) => {
      const story = await storyOf(context);
      await context.clock.waitUntil(
        story.startedAt() + afterwardsMs,
        'a fourth retry, which should not come',
      );
      const attempts = story.attemptsAt('always-500');
      if (attempts.length === 1) throw new NotVerified('no retry came; see RETRY-1');
      if (attempts.length !== 4)
        throw new PromiseBroken(
          'three retries of a push that keeps failing',
          `${attempts.length - 1} (attempts ${describeTimes(attempts)})`,
        );
    },
  },
  ...(['500-then-200', '204-at-once'] as const).map((target) => ({
    id: `retry-5-after-${target}`,
    requirement: 'RETRY-5',
    needs: [...needs, 'wait:36m'] as const,
    plant,
    run: async (context: Context) => {
      const story = await storyOf(context);
      const count = target === '204-at-once' ? 1 : 2;
      await context.clock.waitUntil(
        story.startedAt() + lastRetryMs,
        'retries after a success, which should not come',
      );
      const attempts = story.attemptsAt(target);
      if (attempts.length < count) throw new NotVerified('a retry did not come; see RETRY-1');
      if (attempts.length > count)
        throw new PromiseBroken(
          `no attempt after the one that was answered with ${target === '204-at-once' ? 204 : 200}`,
          `attempts ${describeTimes(attempts)}`,
        );
    },
  })),
];

const firstRetryMs = (delaysMs[0] ?? 0) + lateMs;

async function plant(context: Context): Promise<void> {
  await eventScene(context);
}

async function storyOf(context: Context): Promise<RetryStory> {
  const { retries: story } = await eventScene(context);
  if (!story) throw new NotVerified('no push was left to fail in this run');
  return story;
}

interface Wanted {
  target: TargetName;
  count: number;
}

/** Waits until a target has seen so many attempts, or until the last of them is overdue; that a retry is late is RETRY-3's matter. */
async function waitForAttempts(
  context: Context,
  story: RetryStory,
  { target, count }: Wanted,
): Promise<void> {
  const { clock } = context;
  const hasTime = count > 2 || unmetWait('36m', context) === undefined;
  const until = story.startedAt() + (hasTime ? lastRetryMs : firstRetryMs);
  const movedMs = count > 2 ? lastRetryMs : firstRetryMs;
  while (story.attemptsAt(target).length < count && clock.now() < until)
    await clock.waitUntil(
      Math.min(until, clock.now() + (clock.isMoved ? movedMs : 1_000)),
      'the retries of a push',
    );
}

async function requireRetry(
  context: Context,
  story: RetryStory,
  { target, what }: { target: TargetName; what: string },
): Promise<void> {
  await waitForAttempts(context, story, { target, count: 2 });
  const attempts = story.attemptsAt(target);
  if (attempts.length === 0)
    throw new NotVerified('the push that was to fail did not come in the first place');
  if (attempts.length === 1)
    throw new PromiseBroken(`a retry of ${what}, a minute later`, notSeenSince(context, story));
}

function notSeenSince({ clock }: Context, story: RetryStory): string {
  return `not seen in ${secondsOf(clock.now() - story.startedAt())} s`;
}

function retriesAt(story: RetryStory, target: TargetName): readonly Attempt[] {
  return story.subscriptions.get(target)?.error ? [] : story.attemptsAt(target).slice(1);
}

async function isFirstSigned(story: RetryStory, target: TargetName): Promise<boolean> {
  const [first] = story.subscriptions.get(target)?.error ? [] : story.attemptsAt(target);
  if (!first) return false;
  const { error } = await keep(() => requireSigned(first.push, secretAt(story, target)));
  return error === undefined;
}

function secretAt(story: RetryStory, target: TargetName): string {
  return story.subscriptions.get(target)?.value().secret ?? '';
}

/** Whether a retry bears a time of its own in its header. */
function observeTimestamps({ observations }: Context, story: RetryStory): void {
  const stamps = story.attemptsAt('always-500').map(({ push }) => headerOf(push, 'X-Webhook-Timestamp'));
  if (stamps.length < 2) return;
  observations.compare('webhook.retry-timestamp', new Set(stamps).size === 1 ? 'same' : 'renewed');
}

function describeTimes(attempts: readonly Attempt[]): string {
  const [first] = attempts;
  const times = attempts.map(({ arrived }) => `${secondsOf(arrived.to - (first?.arrived.to ?? 0))} s`);
  return `at ${times.join(', ')}: ${first ? describePush(first.push) : ''}`;
}

function secondsOf(ms: number): number {
  return Math.round(ms / 1_000);
}
