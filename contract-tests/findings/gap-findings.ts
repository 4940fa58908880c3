// The findings about gaps: values with evidence, reasons for missing values, and suggestions.
import { isDeepStrictEqual } from 'node:util';
import { explainMismatch } from '../../openapi/explain-mismatch.ts';
import { makeProfile, ProfileError } from '../../openapi/profile.ts';
import { findGap } from '../../openapi/registers.ts';
import { writeJson } from '../core/parse-json.ts';

export interface Finding {
  value: unknown;
  evidence: string;
}

export interface Findings {
  /**
   * Adds a value and its evidence. Does not replace a given value, but notes a different observation. If no profile can state the value, it
   * becomes the reason for the missing value.
   */
  found(gap: string, value: unknown, evidence: string): undefined;
  /** Adds the reason for missing values. The first reason counts. */
  missed(gaps: readonly string[], reason: string): undefined;
  /** Adds possible values, the likeliest first, with their evidence. */
  suggest(gap: string, suggestions: readonly Finding[]): undefined;
  revoke(gap: string, reason: string): undefined;
  /** Removes findings that contradict others. Given values stay. */
  reconcile(): undefined;
  /** Whether a value contradicts no other. */
  fits(gap: string, value: unknown): boolean;
  has(gap: string): boolean;
  value(gap: string): unknown;
  finding(gap: string): Finding | undefined;
  reason(gap: string): string | undefined;
  suggestions(gap: string): readonly Finding[];
  values(): Record<string, unknown>;
}

export function createFindings(given: Readonly<Record<string, unknown>>): Findings {
  const found = new Map<string, Finding>(
    Object.entries(given).map(([gap, value]) => [gap, { value, evidence: 'given' }]),
  );
  const reasons = new Map<string, string>();
  const suggested = new Map<string, readonly Finding[]>();
  const noteObservation = (gap: string, value: unknown) => {
    const known = found.get(gap);
    if (!known || isDeepStrictEqual(known.value, value)) return;
    known.evidence = `given; observed: ${writeJson(value)}`;
  };
  const values = () => Object.fromEntries([...found].map(([gap, { value }]) => [gap, value]));
  const revoke = (gap: string, reason: string): undefined => {
    if (Object.hasOwn(given, gap) || !found.delete(gap)) return;
    reasons.set(gap, reason);
  };
  return {
    found: (gap, value, evidence) => {
      const known = findGap(gap);
      if (!known) throw new Error(`there is no gap ${gap}`);
      if (Object.hasOwn(given, gap)) return void noteObservation(gap, value);
      if (explainMismatch(known, value).length === 0) return void found.set(gap, { value, evidence });
      if (!found.has(gap))
        reasons.set(gap, `${evidence}: ${writeJson(value)} is not a valid value of this gap`);
    },
    missed: (gaps, reason) => {
      for (const gap of gaps) if (!reasons.has(gap)) reasons.set(gap, reason);
    },
    suggest: (gap, suggestions) => void suggested.set(gap, suggestions),
    revoke,
    reconcile: () => {
      for (const gap of contradictory(values(), given)) {
        const { value } = found.get(gap) ?? {};
        revoke(gap, `observed ${writeJson(value)}, which contradicts another value of this profile`);
      }
    },
    fits: (gap, value) => isConsistent({ ...values(), [gap]: value }),
    has: (gap) => found.has(gap),
    value: (gap) => found.get(gap)?.value,
    finding: (gap) => found.get(gap),
    reason: (gap) => reasons.get(gap),
    suggestions: (gap) => suggested.get(gap) ?? [],
    values,
  };
}

/** The gaps whose values contradict the given values or earlier findings. */
function contradictory(
  values: Readonly<Record<string, unknown>>,
  given: Readonly<Record<string, unknown>>,
): string[] {
  if (isConsistent(values)) return [];
  const accepted: Record<string, unknown> = { ...given };
  const clashing: string[] = [];
  for (const [gap, value] of Object.entries(values)) {
    if (isConsistent({ ...accepted, [gap]: value })) accepted[gap] = value;
    else clashing.push(gap);
  }
  // A value may have contradicted only a default that a later value replaced.
  const isStillClashing = (gap: string) => {
    if (!isConsistent({ ...accepted, [gap]: values[gap] })) return true;
    accepted[gap] = values[gap];
    return false;
  };
  return clashing.filter(isStillClashing);
}

function isConsistent(values: Readonly<Record<string, unknown>>): boolean {
  return clashesOf(values).length === 0;
}

/** Why no profile can state these values together, one sentence for each problem. */
export function clashesOf(values: Readonly<Record<string, unknown>>): string[] {
  try {
    makeProfile(values, { name: 'discover', source: 'the findings' });
    return [];
  } catch (error) {
    if (!(error instanceof ProfileError)) throw error;
    return error.problems.map((problem) => problem.replace(/^the findings:\d+: /, ''));
  }
}
