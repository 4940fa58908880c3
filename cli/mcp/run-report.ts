import { realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { causesOf, sayIds } from '../../contract-tests/reports/group-by-cause.ts';
import {
  headlineOf,
  unsuccessfulChecks,
  verdictOf,
  verdictsByGravity,
} from '../../contract-tests/reports/group-by-verdict.ts';
import { plainSummaryOf } from '../../contract-tests/reports/plain-summary.ts';
import { ReportError, readReport } from '../../contract-tests/reports/read-report.ts';
import type { Report, RequirementReport } from '../../contract-tests/reports/report.ts';
import type { Row } from '../commands/registers.ts';
import { UsageError } from '../options/usage-error.ts';
import type { Session } from './tool.ts';

/** Throws UsageError if there is no report. */
export function reportOf({ lastReport }: Session, path: string | undefined): Report {
  if (path !== undefined) return readInside(process.cwd(), path);
  if (lastReport) return lastReport;
  throw new UsageError(
    'this server has made no run yet, so there is no report; pass the path of a report of `sitepub test --report json=FILE`',
  );
}

/** Follows links. Its errors say nothing about other files or about the contents of a file. */
function readInside(folder: string, path: string): Report {
  const file = realPathOf(resolve(folder, path));
  if (!file?.startsWith(join(realpathSync(folder), '/')))
    throw new UsageError(
      `there is no file "${path}" in the working directory; pass the path of a file inside it`,
    );
  try {
    return readReport(file);
  } catch (error) {
    if (!(error instanceof ReportError)) throw error;
    const message = error.message.replaceAll(file, () => path);
    throw new UsageError(message.replace(/(?<=is not JSON) \(.*\)/s, ''));
  }
}

function realPathOf(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

export function digestOf(report: Report): object {
  const { tool, target, started_at, duration_ms, requests, summary, aborted, notes } = report;
  return {
    headline: headlineOf(report),
    ...{ tool, target, started_at, duration_ms, requests, summary, aborted, notes },
    failed: resultsOf(report, 'failed').map(({ id }) => id),
    missing: causesOf(report).map((cause) => ({ reason: cause.reason, requirements: sayIds(cause) })),
    drift: report.gaps.filter(({ outcome }) => outcome === 'drift'),
    remarks: report.remarks,
    leftovers: report.leftovers,
  };
}

export function resultsOf({ requirements }: Report, outcome: string | undefined): Row[] {
  const gravityOf = (one: RequirementReport) => verdictsByGravity.indexOf(verdictOf(one));
  return requirements
    .filter((one) => outcome === undefined || verdictOf(one) === outcome)
    .toSorted((one, other) => gravityOf(one) - gravityOf(other))
    .map((one) => ({ id: one.id, title: one.title, outcome: verdictOf(one), reason: one.reason }));
}

/** Null if the report does not contain the requirement. */
export function failureIn(report: Report, id: string): object | null {
  const found = report.requirements.find((one) => one.id === id);
  if (!found) return null;
  const { broken } = plainSummaryOf(report);
  const topic = broken.find(({ requirements }) => requirements.includes(found));
  return {
    ...{ requirement: id, outcome: verdictOf(found), reason: found.reason },
    means: topic?.means ?? null,
    checks: unsuccessfulChecks(found),
    token_line: report.token_line,
  };
}
