// Waiting for the attempts at targets that fail, and telling of them.

import { eventNames } from '../../../openapi/event-names.ts';
import { unmetWait } from '../../calls/wait-budget.ts';
import type { Context } from '../../context.ts';
import { retryDelaysMs } from '../../core/documented-limits.ts';
import { NotVerified } from '../../core/outcomes.ts';
import { eventRun } from '../../events/event-run.ts';
import type { TargetName } from '../../events/failing-targets.ts';
import { allRetriesWait, lateMs } from '../../events/retry-delays.ts';
import { lastRetryMs, type RetryRun } from '../../events/retry-run.ts';
import type { Attempt } from '../../push-receiver/attempts.ts';
import { describePush } from '../../push-receiver/read-push.ts';

const firstRetryMs = retryDelaysMs[0] + lateMs;

/** For the checks of retries to begin with the run. */
export async function beginRetryRun(context: Context): Promise<void> {
  await eventRun(context);
}

export async function retryRunOf(context: Context): Promise<RetryRun> {
  const { retries: story } = await eventRun(context);
  if (!story) throw new NotVerified('no push was left to fail in this run');
  return story;
}

/** How many attempts at a push that keeps failing there is time for: all four, or the first two. */
export function attemptsInTime(context: Context): number {
  return unmetWait(allRetriesWait, context) === undefined ? 4 : 2;
}

/** Waits until the targets have seen so many attempts each, or until the last of them is overdue; that a retry is late is RETRY-3's matter. */
export async function waitForAttempts(
  context: Context,
  story: RetryRun,
  { targets, count }: { targets: readonly TargetName[]; count: number },
): Promise<void> {
  const isThere = () => targets.every((target) => story.attemptsAt(target).length >= count);
  const hasTime = count > 2 || attemptsInTime(context) > 2;
  const until = story.startedAt() + (hasTime ? lastRetryMs : firstRetryMs);
  await waitUntil(context, { isThere, until, stepMs: count > 2 ? lastRetryMs : firstRetryMs });
}

/** The same for the retry of every event; some of them happened later than others. */
export async function waitForEveryEvent(context: Context, story: RetryRun): Promise<void> {
  const all = () => eventNames.map((event) => story.attemptsAbout(event)).filter(({ length }) => length > 0);
  const isThere = () => all().every(({ length }) => length > 1);
  const latest = Math.max(story.startedAt(), ...all().map(([first]) => first?.arrived.to ?? 0));
  await waitUntil(context, { isThere, until: latest + firstRetryMs, stepMs: firstRetryMs });
}

interface Waiting {
  isThere: () => boolean;
  until: number;
  /** By how much a clock is moved at once. */
  stepMs: number;
}

async function waitUntil({ clock }: Context, { isThere, until, stepMs }: Waiting): Promise<void> {
  while (!isThere() && clock.now() < until)
    await clock.waitUntil(
      Math.min(until, clock.now() + (clock.isMoved ? stepMs : 1_000)),
      'the retries of a push',
    );
}

export function notSeenSince({ clock }: Context, story: RetryRun): string {
  return `not seen in ${secondsOf(clock.now() - story.startedAt())} s`;
}

export function describeTimes(attempts: readonly Attempt[]): string {
  const [first] = attempts;
  const times = attempts.map(({ arrived }) => `${secondsOf(arrived.to - (first?.arrived.to ?? 0))} s`);
  return `at ${times.join(', ')}: ${first ? describePush(first.push) : ''}`;
}

function secondsOf(ms: number): number {
  return Math.round(ms / 1_000);
}
