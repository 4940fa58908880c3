// The report of a run, version 1: made from what the checks came to, written as JSON, and read by every other format.
import { type Requirement, readRequirements } from '../openapi/registers.ts';
import type { Context } from './context.ts';
import type { Exchange } from './exchange.ts';
import type { GapReport } from './observations.ts';
import type { SuiteOptions } from './options.ts';
import { type Outcome, outcomesByGravity } from './outcomes.ts';
import type { Abort } from './prepare.ts';
import type { Leftover } from './resources.ts';
import type { CheckResult } from './run-check.ts';

/** One requirement in the report; its outcome is the worst of its checks'. */
export interface RequirementReport {
  id: string;
  section: string;
  level: Requirement['level'];
  title: string;
  outcome: Outcome;
  reason: string | null;
  checks: CheckResult[];
}

/** An operation that was called, the HTTP statuses it answered with, and how often. */
export interface CoverageReport {
  operation: string;
  statuses: number[];
  requests: number;
}

export interface Report {
  schema: 1;
  tool: { name: 'sitepub'; version: string };
  target: { base_url: string; profile: string };
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
}

interface ReportOptions {
  options: SuiteOptions;
  version: string;
  startedAt: Date;
}

/** The report of a run. Every requirement of the register stands in it once. */
export function createReport(run: RunResult, { options, version, startedAt }: ReportOptions): Report {
  const requirements = readRequirements().map((requirement) => reportRequirement(requirement, run));
  const count = (outcome: Outcome) =>
    requirements.filter((requirement) => requirement.outcome === outcome).length;
  return {
    schema: 1,
    tool: { name: 'sitepub', version },
    target: { base_url: options.baseUrl, profile: options.profile.name },
    started_at: startedAt.toISOString(),
    duration_ms: Date.now() - startedAt.getTime(),
    requests: run.requests,
    summary: {
      passed: count('passed'),
      failed: count('failed'),
      warned: run.gaps.filter(({ outcome }) => outcome === 'drift').length,
      not_verified: count('not-verified'),
      error: count('error'),
    },
    requirements,
    gaps: run.gaps,
    coverage: run.coverage,
    leftovers: run.leftovers,
    aborted: run.abort ?? null,
  };
}

/** What a context has gathered besides the results of the checks, free of secrets. */
export function gather({
  observations,
  exchanges,
  resources,
  secrets,
}: Context): Omit<RunResult, 'results' | 'checked' | 'abort'> {
  const gaps = observations
    .report()
    .map((gap) => ({ ...gap, observed: gap.observed && secrets.redact(gap.observed) }));
  const left = resources.remaining().map(({ what, id, site, target }) => ({
    what,
    id: typeof id === 'string' ? secrets.redact(id) : (id ?? null),
    site: site ?? null,
    target: secrets.redact(target),
  }));
  return { gaps, coverage: coverageOf(exchanges), leftovers: left, requests: exchanges.length };
}

function reportRequirement(requirement: Requirement, run: RunResult): RequirementReport {
  const own = run.results.filter((entry) => entry.requirement === requirement.id).map(({ result }) => result);
  const { id, section, level, title } = requirement;
  const worst = own.toSorted((one, other) => gravity(other) - gravity(one))[0];
  const outcome = worst?.outcome ?? 'not-verified';
  const reason = worst ? worst.reason : reasonWithoutResult(requirement, run);
  return { id, section, level, title, outcome, reason, checks: own };
}

function reasonWithoutResult({ id, target }: Requirement, { abort, checked }: RunResult): string {
  if (target === 'receiver') return 'concerns webhook receivers, not deployments';
  if (!checked.includes(id)) return 'no check yet';
  return abort?.reason ?? 'left out by --only or --skip';
}

function gravity({ outcome }: CheckResult): number {
  return outcomesByGravity.indexOf(outcome);
}

function coverageOf(exchanges: readonly Exchange[]): CoverageReport[] {
  const byOperation = Map.groupBy(exchanges, ({ operation }) => operation);
  return [...byOperation].map(([operation, calls]) => ({
    operation,
    statuses: [...new Set(calls.map(({ response }) => response.status))].sort((one, other) => one - other),
    requests: calls.length,
  }));
}
