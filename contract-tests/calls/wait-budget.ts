import type { Context } from '../context.ts';
import { durationMs } from '../core/duration.ts';

/** Why a run can't wait for a duration such as 36m; undefined where it is short enough, or the clock is moved instead. */
export function unmetWait(duration: string, { options }: Pick<Context, 'options'>): string | undefined {
  return options.controlUrl !== undefined || durationMs(duration) <= options.maxWaitMs
    ? undefined
    : `needs to wait ${duration}; run with --max-wait ${duration}`;
}
