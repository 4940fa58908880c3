// The messages between the server and the process that makes a run.

import type { Report } from '../../contract-tests/reports/report.ts';
import type { DryRun } from '../../contract-tests/run/dry-run.ts';

/** What to run, as the flags of `sitepub test`. */
export interface RunOrder {
  args: readonly string[];
  /** Only says what would be done. */
  isDry: boolean;
  /** Runs although much will be left behind. */
  mayLeaveBehind: boolean;
}

export type RunAnswer = { report: Report } | { plan: DryRun } | { refused: string };

export type RunMessage = { selected: number } | { done: string } | { answer: RunAnswer };

export const interruptMessage = 'interrupt';
