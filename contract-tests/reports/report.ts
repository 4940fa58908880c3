// The report of a run, version 2: made from the results of the checks, written as JSON, and the source of every other format.
import { type Requirement, readRequirements } from '../../openapi/registers.ts';
import { type Abort, type CheckOutcome, type Outcome, outcomeOf } from '../core/outcomes.ts';
import type { SuiteOptions } from '../core/suite-options.ts';
import type { Leftover } from '../deployment/created-resources.ts';
import type { GapReport } from '../deployment/gap-observations.ts';
import type { RemarkReport } from '../deployment/remarks.ts';
import { secretsOf } from '../redaction/redact.ts';
import type { ExpectedFailure, ExpectedFailuresReport } from './expected-failures.ts';
import type { Summary, Target, TimesReport } from './report-facts.ts';

/** One requirement in the report. */
export interface RequirementReport {
  id: string;
  section: string;
  level: Requirement['level'];
  title: string;
  /** The sentence of the interface document. */
  quote: string;
  /** How it is read: what exactly fails it, and what does not. */
  reading: string;
  outcome: Outcome;
  reason: string | null;
  checks: CheckResult[];
  /** Why the failure is accepted, if that of every failed check is. */
  expected_failure?: ExpectedFailure;
}

/** An operation of the description, the HTTP statuses it answered with, and how often it was called. */
export interface CoverageReport {
  operation: string;
  statuses: number[];
  requests: number;
  /** How long the answers of accepted calls took, where there was one. */
  times?: TimesReport;
}

/** Advice that was not followed; no promise is broken. */
export type Warning = Pick<CheckResult, 'id' | 'reason' | 'expected' | 'actual' | 'curl'>;

export interface Report {
  schema: 2;
  tool: { name: 'sitepub'; version: string };
  /** What was tested: a deployment, unless its kind says otherwise. */
  target: Target;
  started_at: string;
  duration_ms: number;
  requests: number;
  summary: Summary;
  requirements: RequirementReport[];
  gaps: GapReport[];
  remarks: RemarkReport[];
  coverage: CoverageReport[];
  leftovers: Leftover[];
  /** Why no check could be made at all, or null. */
  aborted: Abort | null;
  /** Remarks on the whole run, if any. */
  notes?: string[];
  /** A shell line that exports SITEPUB_TOKEN for the curl lines, where a login worked. */
  token_line?: string;
  /** Advice that was not followed, in a report of a receiver. */
  warnings?: Warning[];
  /** The state of the file of expected failures, if one was given. */
  expected_failures?: ExpectedFailuresReport;
  /** What --require, --min-verified and --baseline demand and this run does not show, if one was given. */
  shortfalls?: Shortfall[];
}

/** Something that was demanded of a run: less was verified than that, or something regressed. */
export interface Shortfall {
  demand: 'require' | 'min-verified' | 'baseline';
  kind: 'not-verified' | 'regressed';
  /** The requirement, or null where it is about their number. */
  id: string | null;
  reason: string;
}

/** The results of a run as plain data. */
export interface RunResult {
  results: { requirement: string; result: CheckResult }[];
  /** The requirements that have a check, whether it was made or not. */
  checked: string[];
  abort: Abort | undefined;
  gaps: GapReport[];
  remarks: RemarkReport[];
  coverage: CoverageReport[];
  leftovers: Leftover[];
  requests: number;
  notes: string[];
  /** A shell line that exports SITEPUB_TOKEN for the curl lines. */
  tokenLine?: string;
  /** The exchanges of the run as an HTTP archive, where the options ask for them. */
  har?: object;
  warnings?: Warning[];
}

interface ReportOptions {
  options: SuiteOptions;
  version: string;
  startedAt: Date;
}

/** The report of a run against a deployment, with every requirement of the register once. */
export function createReport(run: RunResult, { options, version, startedAt }: ReportOptions): Report {
  const { redact } = secretsOf(options);
  return assembleReport(run, {
    target: { base_url: redact(options.baseUrl), profile: redact(options.profile.name) },
    requirements: readRequirements(),
    redact,
    version,
    startedAt,
  });
}

/** What the run was against. */
interface Subject extends Pick<ReportOptions, 'version' | 'startedAt'> {
  target: Report['target'];
  requirements: readonly Requirement[];
  redact(text: string): string;
}

/** The report of a run, with each of the given requirements once. */
export function assembleReport(run: RunResult, subject: Subject): Report {
  const { target, version, startedAt, redact } = subject;
  const requirements = subject.requirements.map((requirement) => reportRequirement(requirement, run, redact));
  const count = (outcome: Outcome) =>
    requirements.filter((requirement) => requirement.outcome === outcome).length;
  return {
    schema: 2,
    tool: { name: 'sitepub', version },
    target,
    started_at: startedAt.toISOString(),
    duration_ms: Date.now() - startedAt.getTime(),
    requests: run.requests,
    summary: {
      passed: count('passed'),
      failed: count('failed'),
      partly: count('partly'),
      warned: run.gaps.filter(({ outcome }) => outcome === 'drift').length + (run.warnings?.length ?? 0),
      not_verified: count('not-verified'),
      error: count('error'),
    },
    requirements,
    gaps: run.gaps,
    remarks: run.remarks,
    coverage: run.coverage,
    leftovers: run.leftovers,
    aborted: run.abort ? { ...run.abort, reason: redact(run.abort.reason) } : null,
    ...(run.notes.length > 0 && { notes: run.notes }),
    ...(run.tokenLine !== undefined && { token_line: run.tokenLine }),
    ...(run.warnings && { warnings: run.warnings }),
  };
}

/** Redacts the reasons again: those of a run that was aborted were written without knowing the secrets. */
function reportRequirement(
  requirement: Requirement,
  run: RunResult,
  redact: (text: string) => string,
): RequirementReport {
  const clean = (text: string | null) => (text === null ? null : redact(text));
  const checks = run.results
    .filter((entry) => entry.requirement === requirement.id)
    .map(({ result }) => ({ ...result, reason: clean(result.reason) }));
  const { id, section, level, title, quote, reading } = requirement;
  const outcome = outcomeOf(checks.map((check) => check.outcome));
  const deciding = decidingCheck(checks, outcome);
  const reason = deciding ? deciding.reason : reasonWithoutResult(requirement, run);
  return { id, section, level, title, quote, reading, outcome, reason: clean(reason), checks };
}

/** The reason of what --only and --skip leave out. */
export const leftOut = 'left out by --only or --skip';

function reasonWithoutResult({ id, excluded }: Requirement, { abort, checked }: RunResult): string {
  if (excluded !== undefined) return excluded;
  // A run that broke off at its very beginning does not know its checks.
  const isKnown = checked.length > 0 || !abort;
  if (isKnown && !checked.includes(id)) return 'no check yet';
  return abort?.reason ?? leftOut;
}

/** The first check whose outcome is the reason for that of the requirement. */
function decidingCheck(checks: readonly CheckResult[], outcome: Outcome): CheckResult | undefined {
  const wanted = outcome === 'partly' ? 'not-verified' : outcome;
  return checks.find((check) => check.outcome === wanted) ?? checks[0];
}

/** One check in the report. Texts are free of secrets. */
export interface CheckResult {
  id: string;
  outcome: CheckOutcome;
  reason: string | null;
  expected: string | null;
  actual: string | null;
  curl: string | null;
  trace_id: string | null;
  /** The call that shows a failure, if one does. */
  call?: CallReport;
  /** More answers that show the same. */
  others?: SimilarAnswers[];
  /** What came when, for a failure that is about time. */
  timeline?: { after_s: number; what: string }[];
  /** How long the check took, waits included. */
  duration_ms?: number;
  /** Why the failure is accepted, if it is. */
  expected_failure?: ExpectedFailure;
}

/** A call in a report: its path is that of the URL, query included, and its answer is cut at 2 kB. */
export interface CallReport {
  operation: string;
  method: string;
  path: string;
  status: number;
  answer: string;
}

/** Answers of an operation that have one status. */
export interface SimilarAnswers {
  operation: string;
  status: number;
  count: number;
}
