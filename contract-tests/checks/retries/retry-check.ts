import { unmetWait } from '../../calls/wait-budget.ts';
import type { Check, Need } from '../../check.ts';
import type { Context } from '../../context.ts';
import { NotVerified } from '../../core/outcomes.ts';
import { eventRun } from '../../events/event-run.ts';
import { causableEvents } from '../../events/event-triggers.ts';
import { targetNames } from '../../events/failing-targets.ts';
import { areTestsRetried, failingTests } from '../../events/failing-tests.ts';
import { firstRetryWait } from '../../events/retry-delays.ts';
import type { RetryRun } from '../../events/retry-run.ts';
import { waitForPunctualRetry } from './wait-for-retries.ts';

const needs: readonly Need[] = ['account', 'site', 'creates', 'receiver', 'retried-push'];

interface RetryCheck {
  id: string;
  requirement: string;
  /** How long it takes until the retries that the check looks at have come. */
  wait: string;
  run(context: Context, retryRun: RetryRun): Promise<void>;
}

/** A check of the pushes that were left to fail; they are sent at the beginning of the run. */
export function retryCheck({ id, requirement, wait, run }: RetryCheck): Check {
  return {
    id,
    requirement,
    needs: [...needs, `wait:${wait}`],
    prepare: async (context) => void (await retryRunOf(context)),
    run: async (context) => {
      const retryRun = await retryRunOf(context);
      await requireRetriedTests(context, retryRun);
      await run(context, retryRun);
    },
  };
}

/** The pushes of an event that fail or, where the run can cause none, test messages. */
export async function retryRunOf(context: Context): Promise<RetryRun> {
  if (causableEvents(context).length === 0) {
    const hasTime = unmetWait(firstRetryWait, context) === undefined;
    if (!hasTime || !areTestsRetried(context)) throw nothingFailed();
    return failingTests(context);
  }
  const { retries } = await eventRun(context);
  if (!retries) throw nothingFailed();
  return retries;
}

function nothingFailed(): NotVerified {
  return new NotVerified('the run had no push that fails');
}

/** Whether test messages are retried is a gap: only where one is, the others are judged. */
async function requireRetriedTests(context: Context, retryRun: RetryRun): Promise<void> {
  if (causableEvents(context).length > 0) return;
  await waitForPunctualRetry(context, retryRun, 'always-500');
  const isRetried = targetNames.some(
    (name) => !retryRun.subscriptions.get(name)?.error && retryRun.attemptsAt(name).length > 1,
  );
  context.observations.compare('hook-test.retried', isRetried ? 'retried' : 'not-retried');
  if (!isRetried)
    throw new NotVerified('no test message was retried (a gap); state an operation that causes an event');
}
