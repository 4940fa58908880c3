// What a discovery has found out: values with their evidence, and reasons for missing values.
import { isDeepStrictEqual } from 'node:util';
import { findGap } from '../../openapi/registers.ts';

interface Finding {
  value: unknown;
  evidence: string;
}

export interface Findings {
  /** Adds a value and what it was read from. A given value is not replaced; another observation is noted beside it. */
  found(gap: string, value: unknown, evidence: string): undefined;
  /** Adds the reason why there is no value; the first reason counts. */
  missed(gaps: readonly string[], reason: string): undefined;
  /** Whether there is a value, found or given. */
  has(gap: string): boolean;
  /** The value that was found or given, or undefined. */
  value(gap: string): unknown;
  finding(gap: string): Finding | undefined;
  reason(gap: string): string | undefined;
  /** All values by gap id. */
  values(): Record<string, unknown>;
}

/** Findings that begin with the given values. */
export function createFindings(given: Readonly<Record<string, unknown>>): Findings {
  const found = new Map<string, Finding>(
    Object.entries(given).map(([gap, value]) => [gap, { value, evidence: 'given' }]),
  );
  const reasons = new Map<string, string>();
  const noteObservation = (gap: string, value: unknown) => {
    const known = found.get(gap);
    if (!known || isDeepStrictEqual(known.value, value)) return;
    known.evidence = `given; what was seen is ${JSON.stringify(value)}`;
  };
  return {
    found: (gap, value, evidence) => {
      if (!findGap(gap)) throw new Error(`there is no gap ${gap}`);
      if (Object.hasOwn(given, gap)) noteObservation(gap, value);
      else found.set(gap, { value, evidence });
    },
    missed: (gaps, reason) => {
      for (const gap of gaps) if (!reasons.has(gap)) reasons.set(gap, reason);
    },
    has: (gap) => found.has(gap),
    value: (gap) => found.get(gap)?.value,
    finding: (gap) => found.get(gap),
    reason: (gap) => reasons.get(gap),
    values: () => Object.fromEntries([...found].map(([gap, { value }]) => [gap, value])),
  };
}
