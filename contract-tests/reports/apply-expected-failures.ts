// Marks the expected failures of a report, and lists outdated entries.
import type {
  ExpectedFailure,
  ExpectedFailureEntry,
  ExpectedFailures,
  OutdatedEntry,
} from './expected-failures.ts';
import type { CheckResult, Report, RequirementReport } from './report.ts';

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

/** A requirement's failure is expected if the failures of all its checks are. */
function markRequirement(
  requirement: RequirementReport,
  current: readonly ExpectedFailureEntry[],
): RequirementReport {
  const whole = current.find(({ id }) => id === requirement.id);
  const checks = requirement.checks.map((check) => markCheck(check, current, whole));
  const failed = checks.filter(({ outcome }) => outcome === 'failed');
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
