// Applies --require, --min-verified and --baseline to a report.
import { compareReports } from './compare-reports.ts';
import type { Change } from './comparison.ts';
import type { Report, Shortfall } from './report.ts';

export interface Demands {
  /** Ids of requirements that the run must verify. */
  require?: readonly string[];
  /** How many requirements must pass. */
  minVerified?: number;
  /** An earlier report: the run must verify what it verified, and what passed in it must not fail. */
  baseline?: Report;
}

/** Adds the unmet conditions to the report. A failure does not violate --require: it fails the run anyway, unless it is expected. */
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
      reason: `${outcome === 'partly' ? 'only partly verified: ' : ''}${reason}`,
    }));
}

function tooFew({ summary }: Report, { minVerified = 0 }: Demands): Shortfall[] {
  if (summary.passed >= minVerified) return [];
  const partly = summary.partly > 0 ? ` (${summary.partly} partly verified, which does not count)` : '';
  const reason = `${summary.passed} passed${partly}, ${minVerified} required`;
  return [{ demand: 'min-verified', kind: 'not-verified', id: null, reason }];
}

function fallenBehind(report: Report, { baseline }: Demands): Shortfall[] {
  if (!baseline) return [];
  const { regressed, no_longer_verified } = compareReports(baseline, report);
  return [
    ...regressed
      .filter(({ accepted }) => accepted === null)
      .map((change) => shortfall('regressed', change, 'passed in the baseline, fails now: ')),
    ...no_longer_verified.map((change) => shortfall('not-verified', change, '')),
  ];
}

function shortfall(kind: Shortfall['kind'], { id, reason, after }: Change, words: string): Shortfall {
  const partly = after === 'partly' ? 'only partly verified: ' : '';
  return { demand: 'baseline', kind, id, reason: `${words}${partly}${reason}` };
}
