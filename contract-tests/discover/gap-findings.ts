// What a discovery has found out: values with their evidence, and reasons where there is no value.
import { isDeepStrictEqual } from 'node:util';
import { findGap } from '../../openapi/registers.ts';

export interface Finding {
  value: unknown;
  evidence: string;
}

export interface Findings {
  /** Enters a value and what it was read from. A given value stays; that something else was seen is noted beside it. */
  found(gap: string, value: unknown, evidence: string): undefined;
  /** Enters why there is no value; the first reason counts. */
  missed(gaps: readonly string[], reason: string): undefined;
  /** Whether there is a value, found or given. */
  has(gap: string): boolean;
  /** The value that was found or given; undefined where there is none. */
  value(gap: string): unknown;
  finding(gap: string): Finding | undefined;
  reason(gap: string): string | undefined;
  /** All values by gap id. */
  values(): Record<string, unknown>;
}

/** Findings that begin with what is known already. */
export function createFindings(given: Readonly<Record<string, unknown>>): Findings {
  const found = new Map<string, Finding>(
    Object.entries(given).map(([gap, value]) => [gap, { value, evidence: 'given' }]),
  );
  const reasons = new Map<string, string>();
  const note = (gap: string, value: unknown) => {
    const known = found.get(gap);
    if (!known || isDeepStrictEqual(known.value, value)) return;
    known.evidence = `given; what was seen is ${JSON.stringify(value)}`;
  };
  return {
    found: (gap, value, evidence) => {
      if (!findGap(gap)) throw new Error(`there is no gap ${gap}`);
      if (Object.hasOwn(given, gap)) note(gap, value);
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
