// Compares two reports: regressions, lost verifications, new and fixed failures, gaps, response times.

import { isDeepStrictEqual } from 'node:util';
import type { CheckOutcome, Outcome } from '../core/outcomes.ts';
import type { GapReport } from '../deployment/gap-observations.ts';
import {
  type Change,
  type ChangeKind,
  type Comparison,
  type GapChange,
  type GapChangeKind,
  type GapState,
  gapChangeKinds,
  type Notice,
  type Run,
  type TimesChange,
  type TimesComparison,
} from './comparison.ts';
import { sayObserved, sayValue } from './group-by-verdict.ts';
import type { CheckResult, Report, RequirementReport, TimesReport } from './report.ts';

export function compareReports(before: Report, after: Report): Comparison {
  const known = new Map(before.requirements.map((one) => [one.id, one]));
  const hasSameChecks = before.tool.version === after.tool.version;
  const changes = after.requirements.flatMap((now) => {
    const found = judge(known.get(now.id), now, hasSameChecks);
    return found ? [found] : [];
  });
  const missing = before.requirements
    .filter(({ id, outcome }) => isVerified(outcome) && !after.requirements.some((one) => one.id === id))
    .map(missingRequirement);
  const of = (kind: ChangeKind) => changes.filter((one) => one.kind === kind).map(({ change }) => change);
  return {
    before: describeRun(before),
    after: describeRun(after),
    regressed: of('regressed'),
    no_longer_verified: [...of('no_longer_verified'), ...missing],
    newly_failed: of('newly_failed'),
    still_failing: of('still_failing'),
    newly_passed: of('newly_passed'),
    notices: compareNotices(before, after),
    gaps: compareGaps(before, after),
    times: compareTimes(before, after),
  };
}

/** The exit code: 1 after a regression that is not an expected failure, 3 if something is no longer verified, otherwise 0. */
export function codeOfComparison({ regressed, no_longer_verified }: Comparison): 0 | 1 | 3 {
  if (regressed.some(({ accepted }) => accepted === null)) return 1;
  return no_longer_verified.length > 0 ? 3 : 0;
}

interface Judged {
  kind: ChangeKind;
  change: Change;
}

function judge(
  then: RequirementReport | undefined,
  now: RequirementReport,
  hasSameChecks: boolean,
): Judged | undefined {
  const before = then?.outcome ?? null;
  const change = (checks: readonly CheckResult[]) => changeOf(then, now, checks);
  if (now.outcome === 'failed') {
    const broken = newlyBroken(then, now);
    if (before === 'passed' || broken.length > 0) return { kind: 'regressed', change: change(broken) };
    const kind = before === 'failed' ? 'still_failing' : 'newly_failed';
    return { kind, change: change(now.checks.filter(({ outcome }) => outcome === 'failed')) };
  }
  const lost = then ? lostChecks(then, now, hasSameChecks) : [];
  if (lost.length > 0 || (before === 'passed' && now.outcome !== 'passed') || hasFallen(before, now.outcome))
    return { kind: 'no_longer_verified', change: change(lost) };
  return before !== now.outcome && isVerified(now.outcome)
    ? { kind: 'newly_passed', change: change([]) }
    : undefined;
}

function hasFallen(before: Outcome | null, after: Outcome): boolean {
  return before !== null && isVerified(before) && !isVerified(after);
}

function isVerified(outcome: Outcome | CheckOutcome): boolean {
  return outcome === 'passed' || outcome === 'failed' || outcome === 'partly';
}

/** The checks that passed before and fail now. */
function newlyBroken(then: RequirementReport | undefined, now: RequirementReport): CheckResult[] {
  const passed = (then?.checks ?? []).filter(({ outcome }) => outcome === 'passed').map(({ id }) => id);
  return now.checks.filter(({ id, outcome }) => outcome === 'failed' && passed.includes(id));
}

/** The checks that had a verdict before and have none now. A check missing from another version of the suite is not lost. */
function lostChecks(then: RequirementReport, now: RequirementReport, hasSameChecks: boolean): CheckResult[] {
  return then.checks
    .filter(({ outcome }) => isVerified(outcome))
    .flatMap(({ id, ...rest }) => {
      const found = now.checks.find((check) => check.id === id);
      if (!found) return hasSameChecks ? [{ ...rest, id, reason: now.reason ?? whyAbsent }] : [];
      return found.outcome === 'not-verified' || found.outcome === 'error' ? [found] : [];
    });
}

const whyAbsent = 'left out by --only, --skip or the tier';

function changeOf(
  then: RequirementReport | undefined,
  now: RequirementReport,
  checks: readonly CheckResult[],
): Change {
  const { id, title, outcome, expected_failure } = now;
  const accepted = expected_failure ?? acceptedBy(checks);
  return {
    id,
    title,
    before: then?.outcome ?? null,
    after: outcome,
    reason: checks[0]?.reason ?? now.reason,
    checks:
      checks.length < Math.max(now.checks.length, then?.checks.length ?? 0)
        ? checks.map((one) => one.id)
        : [],
    accepted: accepted?.reason ?? null,
  };
}

function acceptedBy(checks: readonly CheckResult[]): CheckResult['expected_failure'] {
  return checks.every(({ expected_failure }) => expected_failure) ? checks[0]?.expected_failure : undefined;
}

function missingRequirement({ id, title, outcome }: RequirementReport): Change {
  const reason = 'the newer report does not have this requirement';
  return { id, title, before: outcome, after: null, reason, checks: [], accepted: null };
}

function describeRun(report: Report): Run {
  const { target, started_at, duration_ms, requests, summary, tool, aborted } = report;
  return { target, started_at, duration_ms, requests, summary, version: tool.version, aborted };
}

function compareNotices(before: Report, after: Report): Comparison['notices'] {
  const [then, now] = [noticesOf(before), noticesOf(after)];
  const without = (some: readonly Notice[], others: readonly Notice[]) =>
    some.filter(({ kind, id }) => !others.some((other) => other.kind === kind && other.id === id));
  return { new: without(now, then), gone: without(then, now) };
}

function noticesOf({ gaps, remarks }: Report): Notice[] {
  return [
    ...gaps
      .filter(({ outcome }) => outcome === 'drift')
      .map((gap) => ({
        kind: 'drift' as const,
        id: gap.id,
        example: `expected ${sayValue(gap)}, observed ${sayObserved(gap)}`,
      })),
    ...remarks.map(({ id, example }) => ({ kind: 'remark' as const, id, example })),
  ];
}

/** The gaps that changed, the most important kinds first. */
export function compareGaps(before: Report, after: Report): GapChange[] {
  const known = new Map(before.gaps.map((gap) => [gap.id, gap]));
  const changes = after.gaps.flatMap((gap) => {
    const then = known.get(gap.id);
    const kind = kindOf(then, gap);
    return kind ? [{ id: gap.id, kind, before: stateOf(then), after: stateOf(gap) }] : [];
  });
  return gapChangeKinds.flatMap((kind) => changes.filter((change) => change.kind === kind));
}

function kindOf(then: GapReport | undefined, now: GapReport): GapChangeKind | undefined {
  const before = then?.outcome ?? 'not-observed';
  if (now.outcome === 'drift' && before !== 'drift') return 'drifts';
  const areObserved = before !== 'not-observed' && now.outcome !== 'not-observed';
  if (before === 'drift' && now.outcome === 'agrees') return 'drift-gone';
  if (then && areObserved && !isSameObservation(then, now)) return 'observed-otherwise';
  if (then && !isDeepStrictEqual(then.value, now.value)) return 'value';
  if (before === 'not-observed' && now.outcome !== 'not-observed') return 'newly-observed';
  return now.outcome === 'not-observed' && before !== 'not-observed' ? 'no-longer-observed' : undefined;
}

/** Compares observations regardless of their order. */
function isSameObservation(then: GapReport, now: GapReport): boolean {
  const parts = ({ observed }: GapReport) => (observed ?? '').split('; ').sort();
  return isDeepStrictEqual(parts(then), parts(now));
}

function stateOf(gap: GapReport | undefined): GapState {
  if (!gap) return null;
  const { value, source, observed, outcome } = gap;
  return { value, source, observed, outcome };
}

/** Smaller changes, or changes in fewer calls, may be network or machine noise. */
const noise = { factor: 2, leastMs: 100, calls: { median: 5, p95: 20 } } as const;

/** The operations whose median or 95th percentile changed by a factor of 2 and by 100 ms, if each report has enough accepted calls. */
export function compareTimes(before: Report, after: Report): TimesComparison {
  const known = new Map(before.coverage.map(({ operation, times }) => [operation, times]));
  const changes = after.coverage.flatMap(({ operation, times }) => {
    const then = known.get(operation);
    return then && times ? changesOf(operation, then, times) : [];
  });
  const where = (sign: number) =>
    changes.filter(({ by, before: then, after: now }) => Math.sign(of(by, now) - of(by, then)) === sign);
  return { slower: where(1), faster: where(-1) };
}

function changesOf(operation: string, before: TimesReport, after: TimesReport): TimesChange[] {
  const by = (['median', 'p95'] as const).find((one) => isBeyondNoise(one, before, after));
  return by ? [{ operation, by, before, after }] : [];
}

function isBeyondNoise(by: TimesChange['by'], before: TimesReport, after: TimesReport): boolean {
  if (Math.min(before.calls, after.calls) < noise.calls[by]) return false;
  const [less, more] = [of(by, before), of(by, after)].sort((one, other) => one - other);
  return (
    more !== undefined && less !== undefined && more >= noise.factor * less && more - less >= noise.leastMs
  );
}

function of(by: TimesChange['by'], times: TimesReport): number {
  return by === 'median' ? times.median_ms : times.p95_ms;
}
