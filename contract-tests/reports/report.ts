// The report of a run, version 2. It is written as JSON; all other formats are generated from it.
import { type Requirement, readRequirements } from '../../openapi/registers.ts';
import { type Abort, type CheckOutcome, type Outcome, outcomeOf } from '../core/outcomes.ts';
import type { SuiteOptions } from '../core/suite-options.ts';
import type { Leftover } from '../deployment/created-resources.ts';
import type { GapReport } from '../deployment/gap-observations.ts';
import type { RemarkReport } from '../deployment/remarks.ts';
import { secretsOf } from '../redaction/redact.ts';
import type { ExpectedFailure, ExpectedFailuresReport } from './expected-failures.ts';

export interface RequirementReport {
  id: string;
  section: string;
  level: Requirement['level'];
  title: string;
  quote: string;
  /** How the suite reads the sentence: what violates it and what does not. */
  reading: string;
  outcome: Outcome;
  reason: string | null;
  checks: CheckResult[];
  /** Present if the failure of every failed check is expected. */
  expected_failure?: ExpectedFailure;
}

/** How often the run called an operation, and the HTTP statuses that it returned. */
export interface CoverageReport {
  operation: string;
  statuses: number[];
  requests: number;
  /** Response times of accepted calls, if there were any. */
  times?: TimesReport;
}

/** Advice that a receiver does not follow. It breaks no promise. */
export type Warning = Pick<CheckResult, 'id' | 'reason' | 'expected' | 'actual' | 'curl'>;

export interface Report {
  schema: 2;
  tool: { name: 'sitepub'; version: string };
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
  /** Why the run ended early, or null. */
  aborted: Abort | null;
  notes?: string[];
  /** A shell line that exports SITEPUB_TOKEN for the curl lines. Missing if no login worked. */
  token_line?: string;
  /** Only in the report of a receiver. */
  warnings?: Warning[];
  /** Present if the run had --expected-failures. */
  expected_failures?: ExpectedFailuresReport;
  /** The unmet conditions. Present if the run had --require, --min-verified or --baseline. */
  shortfalls?: Shortfall[];
}

/** An unmet condition: the run verified too little, or something regressed. */
export interface Shortfall {
  demand: 'require' | 'min-verified' | 'baseline';
  kind: 'not-verified' | 'regressed';
  /** The requirement, or null for --min-verified. */
  id: string | null;
  reason: string;
}

/** The results of a run as plain data, because the run may be in another thread. */
export interface RunResult {
  results: { requirement: string; result: CheckResult }[];
  /** The requirements that have a check, even if it did not run. */
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
  /** The exchanges of the run as an HTTP archive, if the options request it. */
  har?: object;
  warnings?: Warning[];
}

interface ReportOptions {
  options: SuiteOptions;
  version: string;
  startedAt: Date;
}

/** The report of a run against a deployment. It contains every requirement of the register once. */
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

interface Subject extends Pick<ReportOptions, 'version' | 'startedAt'> {
  target: Report['target'];
  requirements: readonly Requirement[];
  redact(text: string): string;
}

/** The report of a run. It contains each of the given requirements once. */
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

/** Redacts the reasons again, because an aborted run wrote them before it knew the secrets. */
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

export const leftOut = 'left out by --only or --skip';

function reasonWithoutResult({ id, excluded }: Requirement, { abort, checked }: RunResult): string {
  if (excluded !== undefined) return excluded;
  // A run that ended before its checks were loaded does not list them.
  const isKnown = checked.length > 0 || !abort;
  if (isKnown && !checked.includes(id)) return 'no check exists yet';
  return abort?.reason ?? leftOut;
}

/** The first check with the outcome of the requirement. */
function decidingCheck(checks: readonly CheckResult[], outcome: Outcome): CheckResult | undefined {
  const wanted = outcome === 'partly' ? 'not-verified' : outcome;
  return checks.find((check) => check.outcome === wanted) ?? checks[0];
}

/** One check in the report. The texts contain no secrets. */
export interface CheckResult {
  id: string;
  outcome: CheckOutcome;
  reason: string | null;
  expected: string | null;
  actual: string | null;
  curl: string | null;
  trace_id: string | null;
  /** The call that shows the failure. */
  call?: CallReport;
  /** Further answers that show the same failure. */
  others?: SimilarAnswers[];
  /** The events of a failure that is about time. */
  timeline?: { after_s: number; what: string }[];
  duration_ms?: number;
  expected_failure?: ExpectedFailure;
}

/** A call in a report. `path` includes the query; `answer` is cut at 2 kB. */
export interface CallReport {
  operation: string;
  method: string;
  path: string;
  status: number;
  answer: string;
}

export interface SimilarAnswers {
  operation: string;
  status: number;
  count: number;
}

/** What the run tested: a deployment unless `kind` is "receiver". */
export interface Target {
  base_url: string;
  profile: string;
  kind?: 'receiver';
}

/** Requirements by outcome. `warned` counts drifting gaps, or advice that a receiver does not follow. */
export interface Summary {
  passed: number;
  failed: number;
  partly: number;
  warned: number;
  not_verified: number;
  error: number;
}

/** Response times of accepted calls. */
export interface TimesReport {
  calls: number;
  median_ms: number;
  p95_ms: number;
}
