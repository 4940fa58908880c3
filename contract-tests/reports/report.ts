// The report of a run, version 1: made from what the checks came to, written as JSON, and read by every other format.
import { type Requirement, readRequirements } from '../../openapi/registers.ts';
import type { Abort } from '../core/outcomes.ts';
import { type Outcome, outcomesByGravity } from '../core/outcomes.ts';
import type { SuiteOptions } from '../core/suite-options.ts';
import type { Leftover } from '../deployment/created-resources.ts';
import type { GapReport } from '../deployment/gap-observations.ts';
import { secretsOf } from '../redaction/redact.ts';
import type { ExpectedFailure, ExpectedFailuresReport } from './expected-failures.ts';

/** One requirement in the report; its outcome is the worst of its checks'. */
export interface RequirementReport {
  id: string;
  section: string;
  level: Requirement['level'];
  title: string;
  outcome: Outcome;
  reason: string | null;
  checks: CheckResult[];
  /** Why the failure is accepted, where that of every failed check is. */
  expected_failure?: ExpectedFailure;
}

/** An operation of the description, the HTTP statuses it answered with, and how often it was called. */
export interface CoverageReport {
  operation: string;
  statuses: number[];
  requests: number;
}

/** Advice that was not followed; nothing that anybody promised. */
export type Warning = Pick<CheckResult, 'id' | 'reason' | 'expected' | 'actual' | 'curl'>;

export interface Report {
  schema: 1;
  tool: { name: 'sitepub'; version: string };
  /** What was tested: a deployment, unless its kind says otherwise. */
  target: { base_url: string; profile: string; kind?: 'receiver' };
  started_at: string;
  duration_ms: number;
  requests: number;
  summary: { passed: number; failed: number; warned: number; not_verified: number; error: number };
  requirements: RequirementReport[];
  gaps: GapReport[];
  coverage: CoverageReport[];
  leftovers: Leftover[];
  /** Why no check could be made at all, or null. */
  aborted: Abort | null;
  /** What concerns the run as a whole, where there is something to say. */
  notes?: string[];
  /** Advice that was not followed, where there is such advice. */
  warnings?: Warning[];
  /** What became of the file of expected failures, where one was given. */
  expected_failures?: ExpectedFailuresReport;
}

/** What the run of the checks leaves behind; plain data. */
export interface RunResult {
  results: { requirement: string; result: CheckResult }[];
  /** The requirements that have a check, whether it was made or not. */
  checked: string[];
  abort: Abort | undefined;
  gaps: GapReport[];
  coverage: CoverageReport[];
  leftovers: Leftover[];
  requests: number;
  notes: string[];
  warnings?: Warning[];
}

interface ReportOptions {
  options: SuiteOptions;
  version: string;
  startedAt: Date;
}

/** The report of a run. Every requirement of the register stands in it once. */
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

/** Whatever the run was against. */
interface Subject extends Pick<ReportOptions, 'version' | 'startedAt'> {
  target: Report['target'];
  requirements: readonly Requirement[];
  redact(text: string): string;
}

/** The report of a run, in which some requirements stand once each. */
export function assembleReport(run: RunResult, subject: Subject): Report {
  const { target, version, startedAt, redact } = subject;
  const requirements = subject.requirements.map((requirement) => reportRequirement(requirement, run, redact));
  const count = (outcome: Outcome) =>
    requirements.filter((requirement) => requirement.outcome === outcome).length;
  return {
    schema: 1,
    tool: { name: 'sitepub', version },
    target,
    started_at: startedAt.toISOString(),
    duration_ms: Date.now() - startedAt.getTime(),
    requests: run.requests,
    summary: {
      passed: count('passed'),
      failed: count('failed'),
      warned: run.gaps.filter(({ outcome }) => outcome === 'drift').length + (run.warnings?.length ?? 0),
      not_verified: count('not-verified'),
      error: count('error'),
    },
    requirements,
    gaps: run.gaps,
    coverage: run.coverage,
    leftovers: run.leftovers,
    aborted: run.abort ? { ...run.abort, reason: redact(run.abort.reason) } : null,
    ...(run.notes.length > 0 && { notes: run.notes }),
    ...(run.warnings && { warnings: run.warnings }),
  };
}

/** The reasons of a run that came to nothing were written without the secrets at hand. */
function reportRequirement(
  requirement: Requirement,
  run: RunResult,
  redact: (text: string) => string,
): RequirementReport {
  const clean = (text: string | null) => (text === null ? null : redact(text));
  const own = run.results
    .filter((entry) => entry.requirement === requirement.id)
    .map(({ result }) => ({ ...result, reason: clean(result.reason) }));
  const { id, section, level, title } = requirement;
  const worst = own.toSorted((one, other) => gravity(other) - gravity(one))[0];
  const outcome = worst?.outcome ?? 'not-verified';
  const reason = worst ? worst.reason : reasonWithoutResult(requirement, run);
  return { id, section, level, title, outcome, reason: clean(reason), checks: own };
}

function reasonWithoutResult({ id, excluded }: Requirement, { abort, checked }: RunResult): string {
  if (excluded !== undefined) return excluded;
  if (!checked.includes(id)) return 'no check yet';
  return abort?.reason ?? 'left out by --only or --skip';
}

function gravity({ outcome }: CheckResult): number {
  return outcomesByGravity.indexOf(outcome);
}

/** One check in the report. Texts are free of secrets. */
export interface CheckResult {
  id: string;
  outcome: Outcome;
  reason: string | null;
  expected: string | null;
  actual: string | null;
  curl: string | null;
  trace_id: string | null;
  /** Why the failure is accepted, where it is. */
  expected_failure?: ExpectedFailure;
}
