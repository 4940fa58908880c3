const unitsMs: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

/** Converts "90s", "36m", "1.5h" or a number of seconds to milliseconds. NaN if invalid. */
export function durationMs(text: string): number {
  const [, amount = 'NaN', unit = 's'] = /^(\d+(?:\.\d+)?)(ms|s|m|h)?$/.exec(text.trim()) ?? [];
  return Math.round(Number(amount) * (unitsMs[unit] ?? 1_000));
}
