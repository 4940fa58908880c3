import { eventNames } from '../../../openapi/event-names.ts';
import type { Check } from '../../check.ts';
import type { Context } from '../../context.ts';
import { minuteMs, retryDelaysMs } from '../../core/documented-limits.ts';
import { NotApplicable, NotVerified, PromiseBroken } from '../../core/outcomes.ts';
import { type TargetName, targetNames, targetOf, wasRedirectFollowed } from '../../events/failing-targets.ts';
import {
  allRetriesWait,
  anchors,
  documentedRetries,
  firstRetryWait,
  fits,
  punctualMs,
  sharedLateness,
} from '../../events/retry-delays.ts';
import { lastRetryMs, type RetryRun } from '../../events/retry-run.ts';
import type { Attempt } from '../../push-receiver/attempts.ts';
import { failedDeliveries } from './delivery-log.ts';
import { retriedPushes } from './retried-pushes.ts';
import { retryCheck } from './retry-check.ts';
import {
  attemptsInTime,
  describeTimes,
  firstRetryMs,
  momentsShown,
  notSeenSince,
  waitForAttempts,
  waitForEveryEvent,
  waitForPunctualRetry,
} from './wait-for-retries.ts';

/** The longest delay once more after the last retry: a fourth retry would come within that time. */
const fourthRetryMs = lastRetryMs + Math.max(...retryDelaysMs) + 100_000;

const answeredOnce: readonly (readonly [string, TargetName])[] = [
  ['500', '500-then-200'],
  ['404', '404-then-201'],
  ['410', '410-then-200'],
  ['302', '302-then-206'],
  ['500-on-wecom', 'wecom-500'],
  ['500-on-dingtalk', 'dingtalk-500-then-200'],
  ['500-on-feishu', 'feishu-500-then-200'],
];
const failingVariously = ['400-503-429-500', '401-410-307-500'] as const;
/** A client may send a push again by itself after some of these statuses, so nothing but a retry is asked for. */
const failingAsDrawn = ['drawn-statuses', 'drawn-statuses-without-secret'] as const;
const alwaysFailing = ['always-500', ...failingVariously, 'wecom-500'] as const;
/** Their attempts end later than they arrive, by a time that the sender chooses. */
const holdingBack: readonly TargetName[] = ['500-after-a-while-then-200', 'silent-then-200'];
/** Each of these answers with 2xx in the end. */
const accepting = [
  '500-then-200',
  '404-then-201',
  '302-then-206',
  '500-twice-then-202',
  '204-at-once',
  'dingtalk-500-then-200',
] as const;

/** What happens to a push that fails. The pushes are sent at the beginning of the run and looked at towards its end. */
export const retries: readonly Check[] = [
  ...answeredOnce.map(([status, target]) =>
    retryCheck({
      id: `retry-1-after-${status}`,
      requirement: 'RETRY-1',
      wait: firstRetryWait,
      run: async (context, retryRun) => {
        if (status === '302') await observeRedirects(context, retryRun, target);
        await requireRetry(context, retryRun, { target, what: `a push answered with ${status}` });
      },
    }),
  ),
  retryCheck({
    id: 'retry-1-after-500-after-a-while',
    requirement: 'RETRY-1',
    wait: firstRetryWait,
    run: async (context, retryRun) => {
      const what = 'a push answered with 500 after 3 s';
      await requireRetry(context, retryRun, { target: '500-after-a-while-then-200', what });
    },
  }),
  retryCheck({
    id: 'retry-1-of-every-event',
    requirement: 'RETRY-1',
    wait: firstRetryWait,
    run: async (context, retryRun) => {
      await waitForEveryEvent(context, retryRun);
      if (eventNames.every((event) => retryRun.attemptsAbout(event).length === 0)) throw noFailedPush();
      for (const event of eventNames)
        if (retryRun.attemptsAbout(event).length === 1)
          throw new PromiseBroken(
            `a retry of ${event}, a minute later, after an answer of 500`,
            notSeenSince(context, retryRun),
          );
    },
  }),
  ...[...failingVariously, ...failingAsDrawn].map((target) =>
    retryCheck({
      id: `retry-1-after-${target}`,
      requirement: 'RETRY-1',
      wait: firstRetryWait,
      run: (context, retryRun) => requireAsMany(context, retryRun, target),
    }),
  ),
  retryCheck({
    id: 'retry-2-unreachable-target',
    requirement: 'RETRY-2',
    wait: firstRetryWait,
    run: async (context, retryRun) => {
      await waitForAttempts(context, retryRun, { targets: ['closed-then-open'], count: 1 });
      const [first] = retryRun.attemptsAt('closed-then-open');
      if (!first)
        throw new PromiseBroken(
          'a retry of a push whose target could not be reached, a minute later',
          notSeenSince(context, retryRun),
        );
      if (first.arrived.to - retryRun.startedAt() < 50_000)
        throw new NotVerified('the service made the first attempt only after the target was reachable');
    },
  }),
  retryCheck({
    id: 'retry-2-broken-connection',
    requirement: 'RETRY-2',
    wait: firstRetryWait,
    run: async (context, retryRun) => {
      const target = 'broken-off-twice';
      const what = 'a push whose target closed the connection without an answer';
      await requireRetry(context, retryRun, { target, what });
      await requireAsMany(context, retryRun, target);
    },
  }),
  retryCheck({
    id: 'retry-2-no-answer',
    requirement: 'RETRY-2',
    wait: firstRetryWait,
    run: async (context, retryRun) => {
      const what = 'a push whose target did not answer within 12 s';
      await requireRetry(context, retryRun, { target: 'silent-then-200', what });
    },
  }),
  retryCheck({
    id: 'retry-3-delays',
    requirement: 'RETRY-3',
    wait: allRetriesWait,
    run: async (context, retryRun) => {
      await waitForAttempts(context, retryRun, { targets: ['always-500'], count: 4 });
      const attempts = retryRun.attemptsAt('always-500').slice(0, 4);
      requireFitting(attempts);
      requireNoSharedLateness(retryRun);
      remarkLateness(context, attempts);
      if (attempts.length < 4)
        throw new NotVerified(`only ${attempts.length - 1} of 3 retries arrived; see RETRY-4`);
      const [anchor, ...others] = anchors.filter((one) => fits(momentsOf(attempts), one));
      if (anchor && others.length === 0) context.observations.compare('webhook.retry-anchor', anchor);
    },
  }),
  retryCheck({
    id: 'retry-3-delays-at-other-targets',
    requirement: 'RETRY-3',
    wait: allRetriesWait,
    run: async (context, retryRun) => {
      await waitForAttempts(context, retryRun, { targets: ['always-500'], count: 4 });
      const others = targetNames.filter((name) => name !== 'always-500');
      const deliveries = others.map((name) => timedAttempts(retryRun, name).slice(0, 4));
      for (const attempts of deliveries) requireFitting(attempts);
      requireNoSharedLateness(retryRun);
      if (deliveries.every(({ length }) => length < 2)) throw noRetry();
    },
  }),
  retryCheck({
    id: 'retry-3-first-delay',
    requirement: 'RETRY-3',
    wait: firstRetryWait,
    run: async (context, retryRun) => {
      await waitForAttempts(context, retryRun, { targets: ['always-500'], count: 2 });
      requireAnyFitting(targetNames.map((name) => timedAttempts(retryRun, name).slice(0, 2)));
    },
  }),
  ...alwaysFailing.map((target) =>
    retryCheck({
      id: `retry-4-three-and-no-more${target === 'always-500' ? '' : `-after-${target}`}`,
      requirement: 'RETRY-4',
      wait: `${Math.ceil(fourthRetryMs / minuteMs)}m`,
      run: async (context, retryRun) => {
        const until = retryRun.startedAt() + fourthRetryMs;
        await context.clock.waitUntil(until, 'the time of a fourth retry to pass');
        if (isRedirected(context, retryRun.attemptsAt(target))) throw followed();
        requireThree(retryRun, target);
      },
    }),
  ),
  ...accepting.map((target) =>
    retryCheck({
      id: `retry-5-after-${target}`,
      requirement: 'RETRY-5',
      wait: allRetriesWait,
      run: async (context, retryRun) => {
        const until = retryRun.startedAt() + lastRetryMs;
        await context.clock.waitUntil(until, 'the time of retries after a success to pass');
        if (isRedirected(context, retryRun.attemptsAt(target))) throw followed();
        requireNoneAfterSuccess(retryRun.attemptsAt(target));
      },
    }),
  ),
  retryCheck({
    id: 'retry-5-no-first-retry-of-a-success',
    requirement: 'RETRY-5',
    wait: firstRetryWait,
    run: async ({ clock }, retryRun) => {
      const until = retryRun.startedAt() + firstRetryMs;
      await clock.waitUntil(until, 'the time of a retry after a success to pass');
      requireNoneAfterSuccess(retryRun.attemptsAt('204-at-once'));
    },
  }),
  ...retriedPushes,
  ...failedDeliveries,
];

async function requireRetry(
  context: Context,
  retryRun: RetryRun,
  { target, what }: { target: TargetName; what: string },
): Promise<void> {
  await waitForAttempts(context, retryRun, { targets: [target], count: 2 });
  const [first, ...others] = retryRun.attemptsAt(target);
  if (!first || isAccepted(first)) throw noFailedPush();
  if (others.length === 0)
    throw new PromiseBroken(
      `a retry of ${what}, a minute later`,
      notSeenSince(context, retryRun),
      undefined,
      { moments: momentsShown([first], context.clock.now()) },
    );
  remarkLateness(context, retryRun.attemptsAt(target).slice(0, 2));
}

/** Throws NotApplicable where the redirect was followed, to an address that answers with 200: that delivery has not failed. */
async function observeRedirects(context: Context, retryRun: RetryRun, target: TargetName): Promise<void> {
  await waitForPunctualRetry(context, retryRun, target);
  const isFollowed = wasRedirectFollowed(context);
  const isCounted = isFollowed && retryRun.attemptsAt(target).length === 1;
  const visited = isCounted ? 'counted' : 'followed';
  context.observations.compareStated('webhook.redirects', isFollowed ? visited : 'not-followed');
  if (isCounted) throw followed();
}

function followed(): NotApplicable {
  return new NotApplicable('the redirect was followed to an answer of 200 (webhook.redirects)');
}

function isRedirected(context: Context, attempts: readonly Attempt[]): boolean {
  const { answered = 0 } = attempts.at(-1)?.push ?? {};
  return wasRedirectFollowed(context) && answered > 299 && answered < 400;
}

/** Every failure is retried as often as one that is always answered with 500: a single status of the row may matter. */
async function requireAsMany(context: Context, retryRun: RetryRun, target: TargetName): Promise<void> {
  const count = attemptsInTime(context);
  await waitForAttempts(context, retryRun, { targets: ['always-500', target], count });
  const attempts = retryRun.attemptsAt(target);
  const last = attempts.at(-1);
  if (!last) throw noFailedPush();
  if (isAccepted(last) || attempts.length >= retryRun.attemptsAt('always-500').length) return;
  if (isRedirected(context, attempts)) throw followed();
  throw new PromiseBroken(
    `a retry after attempt ${attempts.length}, answered with ${last.push.answered || 'nothing'}`,
    `${notSeenSince(context, retryRun)}; attempts ${describeTimes(attempts)}`,
    undefined,
    { moments: momentsShown(attempts, context.clock.now()) },
  );
}

function noRetry(): NotVerified {
  return new NotVerified('no retry arrived; see RETRY-1');
}

function noFailedPush(): NotVerified {
  return new NotVerified('the push that should fail did not arrive at all');
}

/** RETRY-1 covers whether the statuses of a target are retried at all. */
function requireThree(retryRun: RetryRun, target: TargetName): void {
  const attempts = retryRun.attemptsAt(target);
  const { script } = targetOf(target);
  const isOfOneStatus = Array.isArray(script) && script.length === 1;
  if (attempts.some(isAccepted) || attempts.length < 2 || (attempts.length < 4 && !isOfOneStatus))
    throw new NotVerified('not all retries arrived; see RETRY-1');
  if (attempts.length !== 4)
    throw new PromiseBroken(
      'three retries of a push that keeps failing',
      `retries: ${attempts.length - 1}; attempts ${describeTimes(attempts)}`,
      undefined,
      { moments: momentsShown(attempts) },
    );
}

function requireNoneAfterSuccess(attempts: readonly Attempt[]): void {
  const accepted = attempts.findIndex(isAccepted);
  if (accepted === -1) throw new NotVerified('a retry is missing; see RETRY-1');
  if (attempts.length > accepted + 1)
    throw new PromiseBroken(
      `no further attempt after the answer ${attempts[accepted]?.push.answered}`,
      `attempts ${describeTimes(attempts)}`,
      undefined,
      { moments: momentsShown(attempts) },
    );
}

function isAccepted({ push: { answered = 0 } }: Attempt): boolean {
  return answered > 199 && answered < 300;
}

function isPunctual(name: TargetName): boolean {
  return !holdingBack.includes(name) && !failingAsDrawn.some((drawn) => drawn === name);
}

/** The attempts at a target, none where the end of the first is unknown; at a closed port it was made with the first ones at the others. */
function timedAttempts(retryRun: RetryRun, name: TargetName): readonly Attempt[] {
  const { script, choosesAll } = targetOf(name);
  if (choosesAll || !isPunctual(name) || retryRun.subscriptions.get(name)?.error) return [];
  const attempts = retryRun.attemptsAt(name);
  if (script !== 'closed') return attempts;
  return [...retryRun.attemptsAt('always-500').slice(0, 1), ...attempts];
}

function requireFitting(attempts: readonly Attempt[]): void {
  if (attempts.length < 2 || anchors.some((anchor) => fits(momentsOf(attempts), anchor))) return;
  throw new PromiseBroken(
    `${documentedRetries} (at most 5 s early and 90 s late), counted from the previous attempt or from the first`,
    `attempts ${describeTimes(attempts)}`,
    undefined,
    { moments: momentsShown(attempts) },
  );
}

/** A first retry at the wrong time everywhere is no duplicate that came by chance. */
function requireAnyFitting(deliveries: readonly (readonly Attempt[])[]): void {
  const retried = deliveries.filter((attempts) => attempts.length > 1);
  const [first] = retried;
  if (!first) throw noRetry();
  const fit = (attempts: readonly Attempt[]) => anchors.some((anchor) => fits(momentsOf(attempts), anchor));
  if (!retried.some(fit)) requireFitting(first);
}

/** Late retries are lawful one by one; the same lateness each time is another schedule. */
function requireNoSharedLateness(retryRun: RetryRun): void {
  const deliveries = targetNames.map((name) => momentsOf(timedAttempts(retryRun, name).slice(0, 4)));
  const possible = anchors.filter((anchor) => deliveries.every((moments) => fits(moments, anchor)));
  const shared = possible.map((anchor) => sharedLateness(deliveries, anchor));
  if (shared.length === 0 || shared.includes(undefined)) return;
  const seconds = Math.round(Math.min(...shared.map((late) => late ?? 0)) / 1_000);
  throw new PromiseBroken(
    documentedRetries,
    `the same retry was ${seconds} s late at three or more targets, which is another schedule: attempts ${describeTimes(retryRun.attemptsAt('always-500'))}`,
    undefined,
    { moments: momentsShown(retryRun.attemptsAt('always-500')) },
  );
}

function remarkLateness({ remarks }: Context, attempts: readonly Attempt[]): void {
  const moments = momentsOf(attempts);
  if (anchors.some((anchor) => fits(moments, anchor, punctualMs))) return;
  remarks.add('late', `retries arrived more than 30 s late: attempts ${describeTimes(attempts)}`);
}

function momentsOf(attempts: readonly Attempt[]) {
  return attempts.map(({ arrived }) => arrived);
}
