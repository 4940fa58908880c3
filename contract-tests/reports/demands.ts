// Applies --require, --min-verified, --baseline and --expected-failures to a report.
import { compareReports } from './compare-reports.ts';
import type { Change } from './comparison.ts';
import type {
  ExpectedFailure,
  ExpectedFailureEntry,
  ExpectedFailures,
  OutdatedEntry,
} from './expected-failures.ts';
import type { CheckResult, Report, RequirementReport, Shortfall } from './report.ts';

export interface Demands {
  /** Ids of requirements that the run must verify. */
  require?: readonly string[];
  /** How many requirements must pass. */
  minVerified?: number;
  /** An earlier report: its verified requirements must be verified again, and its passed ones must not fail. */
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

/** The report with its expected failures marked. Their outcome stays "failed". An entry is stale only if its checks ran and passed. */
export function applyExpectedFailures(report: Report, { file, entries }: ExpectedFailures): Report {
  const today = report.started_at.slice(0, 10);
  const isExpired = ({ until }: ExpectedFailureEntry) => until !== null && until < today;
  const current = entries.filter((entry) => !isExpired(entry));
  const requirements = report.requirements.map((requirement) => markRequirement(requirement, current));
  return {
    ...report,
    requirements,
    expected_failures: {
      file,
      count: requirements.filter((requirement) => requirement.expected_failure).length,
      stale: current.filter((entry) => isStale(entry, report)).map(toOutdated),
      expired: entries.filter(isExpired).map(toOutdated),
    },
  };
}

/** A requirement's failure is expected if the failures of all its checks are. An error of the suite may hide another failure. */
function markRequirement(
  requirement: RequirementReport,
  current: readonly ExpectedFailureEntry[],
): RequirementReport {
  const whole = current.find(({ id }) => id === requirement.id);
  const checks = requirement.checks.map((check) => markCheck(check, current, whole));
  const failed = checks.filter(({ outcome }) => outcome === 'failed' || outcome === 'error');
  const isExpected =
    requirement.outcome === 'failed' && failed.length > 0 && failed.every((check) => check.expected_failure);
  const why = whole ? toExpected(whole) : failed[0]?.expected_failure;
  return { ...requirement, checks, ...(isExpected && why && { expected_failure: why }) };
}

function markCheck(
  check: CheckResult,
  current: readonly ExpectedFailureEntry[],
  whole: ExpectedFailureEntry | undefined,
): CheckResult {
  const entry = current.find(({ id }) => id === check.id) ?? whole;
  return entry && check.outcome === 'failed' ? { ...check, expected_failure: toExpected(entry) } : check;
}

function isStale({ checks }: ExpectedFailureEntry, { requirements }: Report): boolean {
  const passed = requirements.flatMap((requirement) =>
    requirement.checks.filter(({ outcome }) => outcome === 'passed').map(({ id }) => id),
  );
  return checks.length > 0 && checks.every((id) => passed.includes(id));
}

function toExpected({ reason, until }: ExpectedFailure): ExpectedFailure {
  return { reason, until };
}

function toOutdated({ id, line, reason, until }: ExpectedFailureEntry): OutdatedEntry {
  return { id, line, reason, until };
}
