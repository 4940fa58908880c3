// How a comparison is worded: of one deployment at two times, or of two deployments that are run side by side.
import type { ChangeKind, GapChangeKind } from './comparison.ts';

export interface DiffWords {
  /** What the two runs are called. */
  runs: readonly [string, string];
  /** Where the first of them is meant. */
  there: string;
  outcomes(before: string, after: string): string;
  titles: Readonly<Record<ChangeKind | 'new' | 'gone' | 'slower' | 'faster', string>>;
  gaps: Readonly<Record<GapChangeKind, string>>;
  /** What is counted in the headline. */
  counted: Readonly<Record<Exclude<ChangeKind, 'still_failing'>, string>>;
  same: string;
}

/** Two reports, the older one first. */
export const overTime: DiffWords = {
  runs: ['before', 'now'],
  there: 'before',
  outcomes: (before, after) => `${before} → ${after}`,
  titles: {
    regressed: 'Regressed: passed before, fails now',
    newly_failed: 'Fails now, and was not verified before',
    no_longer_verified: 'No longer verified',
    still_failing: 'Still failing',
    newly_passed: 'Newly verified',
    new: 'New notices',
    gone: 'Notices that are gone',
    slower: 'Slower',
    faster: 'Faster',
  },
  gaps: {
    drifts: 'New drift',
    'observed-otherwise': 'Observed otherwise than before',
    value: 'Gaps with another value',
    'drift-gone': 'Drift that is gone',
    'newly-observed': 'Newly observed',
    'no-longer-observed': 'No longer observed',
  },
  counted: {
    regressed: 'regressed',
    newly_failed: 'newly failed',
    no_longer_verified: 'no longer verified',
    newly_passed: 'newly verified',
  },
  same: 'No requirement changed',
};

/** The deployment that is compared with, and then the one under test. */
export const sideBySide: DiffWords = {
  runs: ['other', 'this'],
  there: 'at the other',
  outcomes: (before, after) => `${before} at the other, ${after} at this one`,
  titles: {
    regressed: 'Holds at the other deployment, and fails at this one',
    newly_failed: 'Fails at this deployment, and was not verified at the other',
    no_longer_verified: 'Verified at the other deployment, and not at this one',
    still_failing: 'Fails at both',
    newly_passed: 'Verified at this deployment, and fails or was not verified at the other',
    new: 'Notices of this deployment alone',
    gone: 'Notices of the other deployment alone',
    slower: 'Slower at this deployment',
    faster: 'Faster at this deployment',
  },
  gaps: {
    drifts: 'Drift at this deployment alone',
    'observed-otherwise': 'Observed otherwise at this deployment',
    value: 'Gaps with another value in the profile',
    'drift-gone': 'Drift at the other deployment alone',
    'newly-observed': 'Observed at this deployment alone',
    'no-longer-observed': 'Observed at the other deployment alone',
  },
  counted: {
    regressed: 'failing at this deployment alone',
    newly_failed: 'failing at this deployment and not verified at the other',
    no_longer_verified: 'verified at the other alone',
    newly_passed: 'verified at this deployment alone',
  },
  same: 'No requirement differs',
};
