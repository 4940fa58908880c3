// Holds a report to what was demanded of the run beforehand: requirements, their number, or what an earlier run has verified.
import { compareReports } from './compare-reports.ts';
import type { Change } from './comparison.ts';
import type { Report, Shortfall } from './report.ts';

/** What is demanded of a run. */
export interface Demands {
  /** Requirements that have to be verified. */
  require?: readonly string[];
  /** How many requirements have to pass. */
  minVerified?: number;
  /** The report of an earlier run: what was verified there has to be verified here, and what passed there may not fail. */
  baseline?: Report;
}

/** The report with what it falls short of. A failure is no shortfall of --require: it fails the run itself, unless it was expected. */
export function applyDemands(report: Report, demands: Demands): Report {
  return {
    ...report,
    shortfalls: [
      ...requiredBut(report, demands),
      ...tooFew(report, demands),
      ...fallenBehind(report, demands),
    ],
  };
}

function requiredBut({ requirements }: Report, { require = [] }: Demands): Shortfall[] {
  return requirements
    .filter(({ id, outcome }) => require.includes(id) && outcome !== 'passed' && outcome !== 'failed')
    .map(({ id, outcome, reason }) => ({
      demand: 'require',
      kind: 'not-verified',
      id,
      reason: `${outcome === 'partly' ? 'verified in part only: ' : ''}${reason}`,
    }));
}

function tooFew({ summary }: Report, { minVerified = 0 }: Demands): Shortfall[] {
  if (summary.passed >= minVerified) return [];
  const partly = summary.partly > 0 ? `, and ${summary.partly} in part, which does not count` : '';
  const reason = `${summary.passed} passed${partly}; ${minVerified} are demanded`;
  return [{ demand: 'min-verified', kind: 'not-verified', id: null, reason }];
}

function fallenBehind(report: Report, { baseline }: Demands): Shortfall[] {
  if (!baseline) return [];
  const { regressed, no_longer_verified } = compareReports(baseline, report);
  return [
    ...regressed
      .filter(({ accepted }) => accepted === null)
      .map((change) => shortfall('regressed', change, 'passed there and fails here: ')),
    ...no_longer_verified.map((change) => shortfall('not-verified', change, '')),
  ];
}

function shortfall(kind: Shortfall['kind'], { id, reason, after }: Change, words: string): Shortfall {
  const partly = after === 'partly' ? 'verified in part only: ' : '';
  return { demand: 'baseline', kind, id, reason: `${words}${partly}${reason}` };
}
