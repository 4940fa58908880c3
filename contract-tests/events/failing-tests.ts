// Test messages to failing targets: where the run can cause no event, and the profile says that test messages are retried, they show what
// becomes of a push that fails.
import { type Context, oncePerRun } from '../context.ts';
import { succeeded } from '../core/exchange.ts';
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
  for (const [name, subscription] of run.subscriptions) {
    if (subscription.error) continue;
    const test = await settle(() => sendTest(context, subscription.value()));
    // A target that nobody reaches does not show whether anything was sent there.
    if (test.error || !succeeded(test.value()))
      await run.leaveOut(name, 'the test that should fail there was refused, or its answer was lost');
  }
  await run.begin();
  return run;
}
