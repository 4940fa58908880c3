// What was found out of the gaps: values with their evidence, reasons for missing values, and what may be one.
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
   * Adds a value and what it was read from. A given value is not replaced; another observation is noted beside it. A value that no
   * profile can state is no finding: it becomes the reason why there is none.
   */
  found(gap: string, value: unknown, evidence: string): undefined;
  /** Adds the reason why there is no value; the first reason counts. */
  missed(gaps: readonly string[], reason: string): undefined;
  /** Adds values that a gap may have, the likeliest first, each with what speaks for and against it. */
  suggest(gap: string, suggestions: readonly Finding[]): undefined;
  /** Takes a finding back, for a reason. */
  revoke(gap: string, reason: string): undefined;
  /** Takes back what can't be true together with the rest. What was given stays. */
  reconcile(): undefined;
  /** Whether a value can stand together with the rest. */
  fits(gap: string, value: unknown): boolean;
  /** Whether there is a value, found or given. */
  has(gap: string): boolean;
  /** The value that was found or given, or undefined. */
  value(gap: string): unknown;
  finding(gap: string): Finding | undefined;
  reason(gap: string): string | undefined;
  suggestions(gap: string): readonly Finding[];
  /** All values by gap id. */
  values(): Record<string, unknown>;
}

/** Findings that begin with the given values. */
export function createFindings(given: Readonly<Record<string, unknown>>): Findings {
  const found = new Map<string, Finding>(
    Object.entries(given).map(([gap, value]) => [gap, { value, evidence: 'given' }]),
  );
  const reasons = new Map<string, string>();
  const suggested = new Map<string, readonly Finding[]>();
  const noteObservation = (gap: string, value: unknown) => {
    const known = found.get(gap);
    if (!known || isDeepStrictEqual(known.value, value)) return;
    known.evidence = `given; what was seen is ${writeJson(value)}`;
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
      if (!found.has(gap)) reasons.set(gap, `${evidence}: ${writeJson(value)} is no value of this gap`);
    },
    missed: (gaps, reason) => {
      for (const gap of gaps) if (!reasons.has(gap)) reasons.set(gap, reason);
    },
    suggest: (gap, suggestions) => void suggested.set(gap, suggestions),
    revoke,
    reconcile: () => {
      for (const gap of contradictory(values(), given)) {
        const { value } = found.get(gap) ?? {};
        revoke(gap, `${writeJson(value)} was seen, which contradicts another value of this profile`);
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

/** The gaps whose values can't be added, one after the other, to those that are given. */
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
  // A value may have clashed only with a default that a later value has replaced.
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

/** Why no profile can state these values together, a sentence each. */
export function clashesOf(values: Readonly<Record<string, unknown>>): string[] {
  try {
    makeProfile(values, { name: 'discover', source: 'the findings' });
    return [];
  } catch (error) {
    if (!(error instanceof ProfileError)) throw error;
    return error.problems.map((problem) => problem.replace(/^the findings:\d+: /, ''));
  }
}
