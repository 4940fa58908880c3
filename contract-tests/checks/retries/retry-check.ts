import type { Check, Need } from '../../check.ts';
import type { Context } from '../../context.ts';
import { NotVerified } from '../../core/outcomes.ts';
import { eventRun } from '../../events/event-run.ts';
import type { RetryRun } from '../../events/retry-run.ts';
import { beginEventRun } from '../pushes/seen-pushes.ts';

const needs: readonly Need[] = ['account', 'site', 'creates', 'receiver', 'operation:any-event'];

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
    prepare: beginEventRun,
    run: async (context) => run(context, await retryRunOf(context)),
  };
}

export async function retryRunOf(context: Context): Promise<RetryRun> {
  const { retries } = await eventRun(context);
  if (!retries) throw new NotVerified('no push was left to fail in this run');
  return retries;
}
