const unitsMs: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

/** Milliseconds of a duration such as "90s", "36m" or "1.5h"; a number alone is in seconds. NaN where the text is no duration. */
export function durationMs(text: string): number {
  const [, amount = 'NaN', unit = 's'] = /^(\d+(?:\.\d+)?)(ms|s|m|h)?$/.exec(text.trim()) ?? [];
  return Math.round(Number(amount) * (unitsMs[unit] ?? 1_000));
}
