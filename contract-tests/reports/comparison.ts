import type { Abort, Outcome } from '../core/outcomes.ts';
import type { GapReport } from '../deployment/gap-observations.ts';
import type { Summary, Target, TimesReport } from './report.ts';

/** A requirement whose outcome changed. An outcome is null if that report does not have the requirement. */
export interface Change {
  id: string;
  title: string;
  before: Outcome | null;
  after: Outcome | null;
  /** The reason for the outcome in the newer report. */
  reason: string | null;
  /** The checks that changed; empty if all checks of the requirement did. */
  checks: string[];
  /** The reason of the expected failure, or null. */
  accepted: string | null;
}

/** A drifting gap or a remark. */
export interface Notice {
  kind: 'drift' | 'remark';
  id: string;
  example: string;
}

export interface Run {
  target: Target;
  started_at: string;
  duration_ms: number;
  requests: number;
  summary: Summary;
  version: string;
  /** Why the run ended early, or null. */
  aborted: Abort | null;
}

export interface Comparison {
  before: Run;
  after: Run;
  /** Passed before, fails now. */
  regressed: Change[];
  /** Verified before; now not verified, or only partly. */
  no_longer_verified: Change[];
  /** Not verified before, fails now. */
  newly_failed: Change[];
  still_failing: Change[];
  /** Passes now, fully or partly, and did not before. */
  newly_passed: Change[];
  notices: { new: Notice[]; gone: Notice[] };
  /** Gaps with a different value or a different observation. */
  gaps: GapChange[];
  /** Operations that became slower or faster. Like notices and gaps, they do not change the exit code. */
  times: TimesComparison;
}

export type ChangeKind = Exclude<keyof Comparison, 'before' | 'after' | 'notices' | 'gaps' | 'times'>;

/** A gap in one report, or null if the report does not list it. */
export type GapState = Omit<GapReport, 'id'> | null;

export interface GapChange {
  id: string;
  kind: GapChangeKind;
  before: GapState;
  after: GapState;
}

/** In display order. `value` means a change of the value in the profile, or of the default. */
export const gapChangeKinds = [
  'drifts',
  'observed-otherwise',
  'value',
  'drift-gone',
  'newly-observed',
  'no-longer-observed',
] as const;

export type GapChangeKind = (typeof gapChangeKinds)[number];

export interface TimesChange {
  operation: string;
  /** Which number changed: the median, or only the 95th percentile. */
  by: 'median' | 'p95';
  before: TimesReport;
  after: TimesReport;
}

export interface TimesComparison {
  slower: TimesChange[];
  faster: TimesChange[];
}
