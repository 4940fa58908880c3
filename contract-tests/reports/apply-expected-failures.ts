// Which failures of a report were expected, and which entries of the file have had their day.
import type {
  EndedEntry,
  ExpectedFailure,
  ExpectedFailureEntry,
  ExpectedFailures,
} from './expected-failures.ts';
import type { CheckResult, Report, RequirementReport } from './report.ts';

/** The report with its expected failures marked. They stay failed; what was not verified makes no entry stale. */
export function applyExpectedFailures(report: Report, { file, entries }: ExpectedFailures): Report {
  const today = report.started_at.slice(0, 10);
  const isExpired = ({ until }: ExpectedFailureEntry) => until !== null && until < today;
  const live = entries.filter((entry) => !isExpired(entry));
  const requirements = report.requirements.map((requirement) => mark(requirement, live));
  return {
    ...report,
    requirements,
    expected_failures: {
      file,
      count: requirements.filter((requirement) => requirement.expected_failure).length,
      stale: live.filter((entry) => isStale(entry, report)).map(ended),
      expired: entries.filter(isExpired).map(ended),
    },
  };
}

/** A requirement's failure is expected when those of all its checks are. */
function mark(requirement: RequirementReport, live: readonly ExpectedFailureEntry[]): RequirementReport {
  const whole = live.find(({ id }) => id === requirement.id);
  const checks = requirement.checks.map((check) => markCheck(check, live, whole));
  const failed = checks.filter(({ outcome }) => outcome === 'failed');
  const isExpected =
    requirement.outcome === 'failed' && failed.length > 0 && failed.every((check) => check.expected_failure);
  const why = whole ? plain(whole) : failed[0]?.expected_failure;
  return { ...requirement, checks, ...(isExpected && why && { expected_failure: why }) };
}

function markCheck(
  check: CheckResult,
  live: readonly ExpectedFailureEntry[],
  whole: ExpectedFailureEntry | undefined,
): CheckResult {
  const entry = live.find(({ id }) => id === check.id) ?? whole;
  return entry && check.outcome === 'failed' ? { ...check, expected_failure: plain(entry) } : check;
}

function isStale({ checks }: ExpectedFailureEntry, { requirements }: Report): boolean {
  const passed = requirements.flatMap((requirement) =>
    requirement.checks.filter(({ outcome }) => outcome === 'passed').map(({ id }) => id),
  );
  return checks.length > 0 && checks.every((id) => passed.includes(id));
}

function plain({ reason, until }: ExpectedFailure): ExpectedFailure {
  return { reason, until };
}

function ended({ id, line, reason, until }: ExpectedFailureEntry): EndedEntry {
  return { id, line, reason, until };
}
