// Waiting for the attempts at targets that fail, and describing them.

import { eventNames } from '../../../openapi/event-names.ts';
import { unmetWait } from '../../calls/wait-budget.ts';
import type { Context } from '../../context.ts';
import { retryDelaysMs } from '../../core/documented-limits.ts';
import { type Moment, NotSeenYet } from '../../core/outcomes.ts';
import type { TargetName } from '../../events/failing-targets.ts';
import { allRetriesWait, lateMs, punctualMs } from '../../events/retry-delays.ts';
import { lastRetryMs, type RetryRun } from '../../events/retry-run.ts';
import type { Attempt } from '../../push-receiver/attempts.ts';
import { describePush } from '../../push-receiver/read-push.ts';
import { patienceMs as longestPatienceMs } from '../../push-receiver/wait-for-push.ts';

export const firstRetryMs = retryDelaysMs[0] + punctualMs;
/** What is not there this much later is missing, in milliseconds for each retry. */
const patienceMs = lateMs - punctualMs;

/** How many attempts at a push that keeps failing the run has time for: all four, or the first two. */
export function attemptsInTime(context: Context): number {
  return unmetWait(allRetriesWait, context) === undefined ? 4 : 2;
}

/**
 * Waits until each target has seen `count` attempts, or until the last of them is overdue. RETRY-3 covers whether a retry is late.
 * Throws NotSeenYet where one may come before the run ends.
 */
export async function waitForAttempts(
  context: Context,
  retryRun: RetryRun,
  { targets, count }: { targets: readonly TargetName[]; count: number },
): Promise<void> {
  const isThere = () => targets.every((target) => retryRun.attemptsAt(target).length >= count);
  const hasTime = count > 2 || attemptsInTime(context) > 2;
  const soon = retryRun.startedAt() + (hasTime ? lastRetryMs : firstRetryMs);
  await waitUntil(context, { isThere, until: soon, stepMs: count > 2 ? lastRetryMs : firstRetryMs });
  await waitPatiently(context, { isThere, soon, extraMs: patienceMs * (hasTime ? retryDelaysMs.length : 1) });
}

/** A moved clock shows at once what is missing; in real time the run goes on, and looks again at its end. */
async function waitPatiently(
  context: Context,
  { isThere, soon, extraMs }: { isThere(): boolean; soon: number; extraMs: number },
): Promise<void> {
  const { clock, isLastLook } = context;
  const until = soon + extraMs;
  if (isThere() || clock.now() >= until) return;
  if (!clock.isMoved && !isLastLook) throw new NotSeenYet('a retry', until - longestPatienceMs(context));
  await waitUntil(context, { isThere, until, stepMs: extraMs });
}

/** Waits for the first retry at a target as long as a punctual one takes. */
export async function waitForPunctualRetry(
  context: Context,
  retryRun: RetryRun,
  target: TargetName,
): Promise<void> {
  const isThere = () => retryRun.attemptsAt(target).length > 1;
  await waitUntil(context, { isThere, until: retryRun.startedAt() + firstRetryMs, stepMs: firstRetryMs });
}

/** Waits for the first retry of every event; some events happened later than others. */
export async function waitForEveryEvent(context: Context, retryRun: RetryRun): Promise<void> {
  const all = () =>
    eventNames.map((event) => retryRun.attemptsAbout(event)).filter(({ length }) => length > 0);
  const isThere = () => all().every(({ length }) => length > 1);
  const latest = Math.max(retryRun.startedAt(), ...all().map(([first]) => first?.arrived.to ?? 0));
  const soon = latest + firstRetryMs;
  await waitUntil(context, { isThere, until: soon, stepMs: firstRetryMs });
  await waitPatiently(context, { isThere, soon, extraMs: patienceMs });
}

interface Waiting {
  isThere: () => boolean;
  until: number;
  /** How far a clock that can be moved is moved at a time. */
  stepMs: number;
}

async function waitUntil({ clock }: Context, { isThere, until, stepMs }: Waiting): Promise<void> {
  const step = clock.isMoved ? stepMs : 1_000;
  while (!isThere() && clock.now() < until)
    await clock.waitUntil(Math.min(until, clock.now() + step), 'the retries of a push');
}

export function notSeenSince({ clock }: Context, retryRun: RetryRun): string {
  return `not seen in ${secondsOf(clock.now() - retryRun.startedAt())} s`;
}

export function describeTimes(attempts: readonly Attempt[]): string {
  const [first] = attempts;
  const times = attempts.map(({ arrived }) => `${secondsOf(arrived.to - (first?.arrived.to ?? 0))} s`);
  return `at ${times.join(', ')}${first ? `; the first push: ${describePush(first.push)}` : ''}`;
}

/** The attempts for a drawing, and what did not come since. */
export function momentsShown(attempts: readonly Attempt[], missingAt?: number): Moment[] {
  const began = attempts[0]?.arrived.to ?? missingAt ?? 0;
  const seen = attempts.map(({ arrived, push }) => ({
    afterMs: arrived.to - began,
    what: String(push.answered || 'no answer'),
  }));
  return missingAt === undefined ? seen : [...seen, { afterMs: missingAt - began, what: 'nothing more' }];
}

function secondsOf(ms: number): number {
  return Math.round(ms / 1_000);
}
