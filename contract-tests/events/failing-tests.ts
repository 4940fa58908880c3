// Test messages to failing targets: where the run can cause no event, and the profile says that test messages are retried, they show what
// becomes of a push that fails.
import { type Context, oncePerRun } from '../context.ts';
import { settle } from '../core/settled.ts';
import { firstChosenEvent } from '../push-receiver/read-push.ts';
import { sendTest } from '../subscriptions/subscription-calls.ts';
import { causeFailures, type RetryRun } from './retry-run.ts';

/** Whether the profile says that test messages are retried. */
export function areTestsRetried({ profile }: Pick<Context, 'profile'>): boolean {
  return profile.values['hook-test.retried'] === 'retried';
}

/** Sends a test message to each failing target, once a run. */
export const failingTests = oncePerRun(failTests);

async function failTests(context: Context): Promise<RetryRun> {
  const run = await causeFailures(context, {
    event: firstChosenEvent,
    pushesElsewhere: () => [],
    namesEvents: () => false,
  });
  for (const subscription of run.subscriptions.values())
    if (!subscription.error) await settle(() => sendTest(context, subscription.value()));
  await run.begin();
  return run;
}
