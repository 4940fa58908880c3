import { UsageError } from './usage-error.ts';

const unitsMs: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

/** Milliseconds of a duration such as "90s", "36m" or "1.5h"; a number alone is in seconds. `what` names it in the UsageError that is thrown otherwise. */
export function readDuration(what: string, text: string): number {
  const [, amount = '', unit = 's'] = /^(\d+(?:\.\d+)?)(ms|s|m|h)?$/.exec(text.trim()) ?? [];
  if (amount === '') throw new UsageError(`${what} is "${text}"; expected a time such as 90s, 36m or 1h`);
  return Math.round(Number(amount) * (unitsMs[unit] ?? 1_000));
}
