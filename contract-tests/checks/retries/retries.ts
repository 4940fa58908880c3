import { eventNames } from '../../../openapi/event-names.ts';
import type { Check, Need } from '../../check.ts';
import type { Context } from '../../context.ts';
import { NotVerified, PromiseBroken } from '../../core/outcomes.ts';
import { type TargetName, targetNames, targetOf, wasRedirectFollowed } from '../../events/failing-targets.ts';
import { anchors, fits } from '../../events/retry-delays.ts';
import { lastRetryMs, type RetryRun } from '../../events/retry-run.ts';
import type { Attempt } from '../../push-receiver/attempts.ts';
import { failedDeliveries } from './delivery-log.ts';
import { retriedPushes } from './retried-pushes.ts';
import {
  attemptsInTime,
  beginRetryRun,
  describeTimes,
  notSeenSince,
  retryRunOf,
  waitForAttempts,
  waitForEveryEvent,
} from './wait-for-retries.ts';

const needs: readonly Need[] = ['account', 'site', 'creates', 'receiver', 'operation:any-event'];

/** Beyond the last retry, the longest of the delays once more: a fourth retry would come within it. */
const afterwardsMs = lastRetryMs + 1_900_000;

const answeredOnce: readonly (readonly [string, TargetName])[] = [
  ['500', '500-then-200'],
  ['404', '404-then-201'],
  ['302', '302-then-206'],
  ['500-on-wecom', 'wecom-500'],
  ['500-on-dingtalk', 'dingtalk-500-then-200'],
  ['500-on-feishu', 'feishu-500-then-200'],
];
const answeredOften = ['400-503-429-500', '401-410-307-500'] as const;
const alwaysFailing = ['always-500', '400-503-429-500', '401-410-307-500', 'wecom-500'] as const;
/** Each of these answers with 2xx in the end. */
const taking = [
  '500-then-200',
  '404-then-201',
  '302-then-206',
  '500-twice-then-202',
  '204-at-once',
  'dingtalk-500-then-200',
] as const;

/** What becomes of a push that fails; the pushes are sent at the beginning of the run, and looked at towards its end. */
export const retries: readonly Check[] = [
  ...answeredOnce.map(([status, target]) => ({
    id: `retry-1-after-${status}`,
    requirement: 'RETRY-1',
    needs: [...needs, 'wait:1m'] as const,
    prepare: beginRetryRun,
    run: async (context: Context) => {
      const story = await retryRunOf(context);
      await requireRetry(context, story, { target, what: `a push that was answered with ${status}` });
      if (status === '302')
        context.observations.compare(
          'webhook.redirects',
          wasRedirectFollowed(context) ? 'followed' : 'not-followed',
        );
    },
  })),
  {
    id: 'retry-1-of-every-event',
    requirement: 'RETRY-1',
    needs: [...needs, 'wait:1m'],
    prepare: beginRetryRun,
    run: async (context) => {
      const story = await retryRunOf(context);
      await waitForEveryEvent(context, story);
      for (const event of eventNames) {
        const attempts = story.attemptsAbout(event);
        if (attempts.length === 1)
          throw new PromiseBroken(
            `a retry of ${event}, a minute later, after an answer of 500`,
            notSeenSince(context, story),
          );
      }
    },
  },
  ...answeredOften.map((target) => ({
    id: `retry-1-after-${target}`,
    requirement: 'RETRY-1',
    needs: [...needs, 'wait:1m'] as const,
    prepare: beginRetryRun,
    run: async (context: Context) => {
      const story = await retryRunOf(context);
      const count = attemptsInTime(context);
      await waitForAttempts(context, story, { targets: ['always-500', target], count });
      requireAsMany(context, story, target);
    },
  })),
  {
    id: 'retry-2-unreachable-target',
    requirement: 'RETRY-2',
    needs: [...needs, 'wait:1m'],
    prepare: beginRetryRun,
    run: async (context) => {
      const story = await retryRunOf(context);
      await waitForAttempts(context, story, { targets: ['closed-then-open'], count: 1 });
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
    id: 'retry-2-broken-connection',
    requirement: 'RETRY-2',
    needs: [...needs, 'wait:1m'],
    prepare: beginRetryRun,
    run: async (context) => {
      const story = await retryRunOf(context);
      const target = 'broken-off-twice';
      const what = 'a push whose target broke the connection off without an answer';
      await requireRetry(context, story, { target, what });
      const count = attemptsInTime(context);
      await waitForAttempts(context, story, { targets: ['always-500', target], count });
      requireAsMany(context, story, target);
    },
  },
  {
    id: 'retry-3-delays',
    requirement: 'RETRY-3',
    needs: [...needs, 'wait:36m'],
    prepare: beginRetryRun,
    run: async (context) => {
      const story = await retryRunOf(context);
      await waitForAttempts(context, story, { targets: ['always-500'], count: 4 });
      const attempts = story.attemptsAt('always-500').slice(0, 4);
      const fitting = anchors.filter((anchor) => fits(momentsOf(attempts), anchor));
      requireFitting(attempts);
      if (attempts.length < 4)
        throw new NotVerified(`${attempts.length - 1} of three retries came; see RETRY-4`);
      if (fitting.length === 1 && fitting[0])
        context.observations.compare('webhook.retry-anchor', fitting[0]);
    },
  },
  {
    id: 'retry-3-delays-at-other-targets',
    requirement: 'RETRY-3',
    needs: [...needs, 'wait:36m'],
    prepare: beginRetryRun,
    run: async (context) => {
      const story = await retryRunOf(context);
      await waitForAttempts(context, story, { targets: ['always-500'], count: 4 });
      for (const name of targetNames) requireFitting(timedAttempts(story, name).slice(0, 4));
    },
  },
  ...alwaysFailing.map((target) => ({
    id: target === 'always-500' ? 'retry-4-three-and-no-more' : `retry-4-three-and-no-more-after-${target}`,
    requirement: 'RETRY-4',
    needs: [...needs, 'wait:70m'] as const,
    prepare: beginRetryRun,
    run: async (context: Context) => {
      const story = await retryRunOf(context);
      await context.clock.waitUntil(
        story.startedAt() + afterwardsMs,
        'a fourth retry, which should not come',
      );
      requireThree(story, target);
    },
  })),
  ...taking.map((target) => ({
    id: `retry-5-after-${target}`,
    requirement: 'RETRY-5',
    needs: [...needs, 'wait:36m'] as const,
    prepare: beginRetryRun,
    run: async (context: Context) => {
      const story = await retryRunOf(context);
      await context.clock.waitUntil(
        story.startedAt() + lastRetryMs,
        'retries after a success, which should not come',
      );
      const attempts = story.attemptsAt(target);
      const taken = attempts.findIndex(isTaken);
      if (taken === -1) throw new NotVerified('a retry did not come; see RETRY-1');
      if (attempts.length > taken + 1)
        throw new PromiseBroken(
          `no attempt after the one that was answered with ${attempts[taken]?.push.answered}`,
          `attempts ${describeTimes(attempts)}`,
        );
    },
  })),
  ...retriedPushes,
  ...failedDeliveries,
];

async function requireRetry(
  context: Context,
  story: RetryRun,
  { target, what }: { target: TargetName; what: string },
): Promise<void> {
  await waitForAttempts(context, story, { targets: [target], count: 2 });
  const [first, ...others] = story.attemptsAt(target);
  if (!first || isTaken(first))
    throw new NotVerified('the push that was to fail did not come in the first place');
  if (others.length === 0)
    throw new PromiseBroken(`a retry of ${what}, a minute later`, notSeenSince(context, story));
}

/** What is answered with a failure is retried as often as what is always answered with 500; each time the status may matter. */
function requireAsMany(context: Context, story: RetryRun, target: TargetName): void {
  const attempts = story.attemptsAt(target);
  const last = attempts.at(-1);
  if (!last) throw new NotVerified('the push that was to fail did not come in the first place');
  if (isTaken(last) || attempts.length >= story.attemptsAt('always-500').length) return;
  throw new PromiseBroken(
    `a retry after attempt ${attempts.length}, which was answered with ${last.push.answered || 'nothing'}`,
    `${notSeenSince(context, story)}; attempts ${describeTimes(attempts)}`,
  );
}

/** Whether a target's statuses are retried at all is RETRY-1's matter. */
function requireThree(story: RetryRun, target: TargetName): void {
  const attempts = story.attemptsAt(target);
  const isOfOneStatus = targetOf(target).script.length === 1;
  if (attempts.some(isTaken) || attempts.length < 2 || (attempts.length < 4 && !isOfOneStatus))
    throw new NotVerified('not every retry came; see RETRY-1');
  if (attempts.length !== 4)
    throw new PromiseBroken(
      'three retries of a push that keeps failing',
      `${attempts.length - 1} (attempts ${describeTimes(attempts)})`,
    );
}

function isTaken({ push: { answered = 0 } }: Attempt): boolean {
  return answered > 199 && answered < 300;
}

/** The attempts at a target of which the first is known; at a closed port it was made with those at the others. */
function timedAttempts(story: RetryRun, name: TargetName): readonly Attempt[] {
  const { script, choosesAll } = targetOf(name);
  if (choosesAll || story.subscriptions.get(name)?.error) return [];
  const attempts = story.attemptsAt(name);
  if (script !== 'closed') return attempts;
  return [...story.attemptsAt('always-500').slice(0, 1), ...attempts];
}

function requireFitting(attempts: readonly Attempt[]): void {
  if (attempts.length < 2 || anchors.some((anchor) => fits(momentsOf(attempts), anchor))) return;
  throw new PromiseBroken(
    `retries after 1, 5 and 30 minutes (at most 5 s early and 30 s late), counted from the attempt before or from the first`,
    `attempts ${describeTimes(attempts)}`,
  );
}

function momentsOf(attempts: readonly Attempt[]) {
  return attempts.map(({ arrived }) => arrived);
}
