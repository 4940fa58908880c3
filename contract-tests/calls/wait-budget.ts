import type { Context } from 'node:vm';

const unitMs: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000 };

/** A duration such as 31s or 36m, in milliseconds. */
export function durationMs(duration: string): number {
  return Number.parseInt(duration, 10) * (unitMs[duration.at(-1) ?? ''] ?? 1);
}

/** A wait is possible where it is short enough, or where the clock is moved instead. */
export function unmetWait(duration: string, { options }: Pick<Context, 'options'>): string | undefined {
  const ms = durationMs(duration);
  return options.controlUrl !== undefined || ms <= options.maxWaitMs
    ? undefined
    : `needs to wait ${duration}; run with --max-wait ${duration}`;
}
