// The report of a run, with the same run against another deployment beside it.
import { compareReports, describeRun } from './compare-reports.ts';
import type { ComparedWith, Comparison } from './comparison.ts';
import { diffHeadline } from './diff-sections.ts';
import { sideBySide } from './diff-words.ts';
import type { Report } from './report.ts';

/** The report, with the other run and what differs. What a run that ended early did not look at differs in nothing. */
export function compareWith(report: Report, other: Report): Report {
  const { before: _other, after: _this, ...differences } = compareReports(other, report);
  const known = new Map(other.requirements.map(({ id, outcome }) => [id, outcome]));
  const areComparable = other.aborted === null && report.aborted === null;
  return {
    ...report,
    compared_with: {
      ...describeRun(other),
      outcomes: report.requirements.map(({ id, outcome }) => ({
        id,
        other: known.get(id) ?? null,
        this: outcome,
      })),
      differences: areComparable ? differences : null,
    },
  };
}

/** The comparison in a report; undefined where there is none. */
export function comparisonIn(report: Report): Comparison | undefined {
  const { compared_with: other } = report;
  if (!other?.differences) return undefined;
  const { outcomes: _outcomes, differences, ...before } = other;
  return { before, after: describeRun(report), ...differences };
}

/** What became of the comparison, in a sentence. */
export function sayComparison(report: Report, { aborted, target }: ComparedWith): string {
  const comparison = comparisonIn(report);
  if (comparison) return diffHeadline(comparison, sideBySide);
  const ended = aborted ? `that run ended early: ${aborted.reason}` : 'this run ended early';
  return `Not compared with ${target.base_url}: ${ended}`;
}
