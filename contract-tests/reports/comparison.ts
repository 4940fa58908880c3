// What a comparison of two reports consists of.
import type { Abort, Outcome } from '../core/outcomes.ts';
import type { GapReport } from '../deployment/gap-observations.ts';
import type { Summary, Target, TimesReport } from './report-facts.ts';

/** A requirement whose outcome changed; an outcome is null where the report has no such requirement. */
export interface Change {
  id: string;
  title: string;
  before: Outcome | null;
  after: Outcome | null;
  /** Why it is as it is now. */
  reason: string | null;
  /** The checks that make the change, where not all of them do. */
  checks: string[];
  /** Why a failure is accepted, if it is. */
  accepted: string | null;
}

/** A drifting gap or a remark. */
export interface Notice {
  kind: 'drift' | 'remark';
  id: string;
  example: string;
}

/** A run, as the comparison names it. */
export interface Run {
  target: Target;
  started_at: string;
  duration_ms: number;
  requests: number;
  summary: Summary;
  version: string;
  /** Why that run ended early, or null. */
  aborted: Abort | null;
}

export interface Comparison {
  before: Run;
  after: Run;
  /** What passed there and fails here. */
  regressed: Change[];
  /** What was verified there and is not here, or no longer in full. */
  no_longer_verified: Change[];
  /** What was not verified there and fails here. */
  newly_failed: Change[];
  still_failing: Change[];
  /** What passes here and did not there, in part or in full. */
  newly_passed: Change[];
  notices: { new: Notice[]; gone: Notice[] };
  /** Gaps of which another value is stated, or something else was observed. */
  gaps: GapChange[];
  /** Operations that answer slower or faster, beyond noise. Like notices and gaps, they cost nothing. */
  times: TimesComparison;
}

export type ChangeKind = Exclude<keyof Comparison, 'before' | 'after' | 'notices' | 'gaps' | 'times'>;

/** A gap as one report has it; null where a report does not know it. */
export type GapState = Omit<GapReport, 'id'> | null;

/** A gap that is not as it was. */
export interface GapChange {
  id: string;
  kind: GapChangeKind;
  before: GapState;
  after: GapState;
}

/** In the order in which they are told; `value` is that of the profile, or the default. */
export const gapChangeKinds = [
  'drifts',
  'observed-otherwise',
  'value',
  'drift-gone',
  'newly-observed',
  'no-longer-observed',
] as const;

export type GapChangeKind = (typeof gapChangeKinds)[number];

/** An operation that takes longer or less long than it did. */
export interface TimesChange {
  operation: string;
  /** What tells it: the median, or the slow answers alone. */
  by: 'median' | 'p95';
  before: TimesReport;
  after: TimesReport;
}

export interface TimesComparison {
  slower: TimesChange[];
  faster: TimesChange[];
}
