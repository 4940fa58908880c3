// Tools that read the report of a run: that of the last run of this server, or one in a file.
import { causesOf } from '../../../contract-tests/reports/group-by-cause.ts';
import {
  headlineOf,
  unsuccessfulChecks,
  verdictOf,
} from '../../../contract-tests/reports/group-by-verdict.ts';
import { plainSummaryOf } from '../../../contract-tests/reports/plain-summary.ts';
import { ReportError, readReport } from '../../../contract-tests/reports/read-report.ts';
import type { CheckResult, Report, RequirementReport } from '../../../contract-tests/reports/report.ts';
import type { Schemas } from '../../../openapi/generated/control-types.ts';
import { UsageError } from '../../options/usage-error.ts';
import { type MockClient, Refused, Unreachable } from '../../steer/mock-client.ts';
import { fileInside } from '../inside-folder.ts';
import { type PageInput, pageOfRows, pageSchemas } from '../page.ts';
import type { Session } from '../session.ts';
import { defineTool, type Tool } from '../tool.ts';
import { findRequirement, rowsOf } from './explain-requirement.ts';
import { shortRequest } from './read-traffic.ts';

/** In bytes. */
const longestReport = 32 * 1_048_576;

const pathSchema = {
  type: 'string',
  minLength: 1,
  maxLength: 1_000,
  description:
    'A JSON report of `sitepub test --report json=FILE` in the working directory. Default: that of the last run of this server.',
};

const verdicts = ['failed', 'error', 'expected', 'not-verified', 'partly', 'passed'];

interface ReportInput extends PageInput {
  path?: string;
  outcome?: string;
}

const readReportTool = defineTool<ReportInput>({
  name: 'read_report',
  title: 'Read a report',
  description:
    'Reads the report of a run: its headline, the counts, the requirements with their outcomes, the worst first, what was missing for those that were not verified, drifting gaps, remarks and leftovers.',
  isReadOnly: true,
  hasTextsOfOthers: true,
  input: {
    path: pathSchema,
    outcome: { type: 'string', enum: verdicts, description: 'Only requirements with this outcome.' },
    ...pageSchemas,
  },
  call: (input, { session }) => {
    const report = reportOf(session, input.path);
    const { outcome } = input;
    const wanted = report.requirements.filter((one) => outcome === undefined || verdictOf(one) === outcome);
    const { rows, ...page } = pageOfRows(wanted.toSorted(byGravity), input);
    return { ...digestOf(report), requirements: rows.map(toRow), ...page };
  },
});

function byGravity(one: RequirementReport, other: RequirementReport): number {
  return verdicts.indexOf(verdictOf(one)) - verdicts.indexOf(verdictOf(other));
}

function toRow(requirement: RequirementReport): object {
  const { id, title, reason } = requirement;
  return { id, title, outcome: verdictOf(requirement), ...(reason !== null && { reason }) };
}

/** A report in short, without its requirements. */
export function digestOf(report: Report): object {
  const { tool, target, started_at, duration_ms, requests, summary, aborted, notes, leftovers } = report;
  return {
    headline: headlineOf(report),
    ...{ tool, target, started_at, duration_ms, requests, summary, aborted, notes },
    failed: report.requirements.filter((one) => verdictOf(one) === 'failed').map(({ id }) => id),
    missing: causesOf(report).map(({ reason, whole, partly }) => ({
      reason,
      requirements: whole.map(({ id }) => id),
      ...(partly.length > 0 && { in_part: partly.map(({ id }) => id) }),
    })),
    drift: report.gaps.filter(({ outcome }) => outcome === 'drift'),
    remarks: report.remarks,
    leftovers,
  };
}

const explainFailure = defineTool<{ requirement: string; path?: string }>({
  name: 'explain_failure',
  title: 'Explain a failure',
  description:
    'Explains why a requirement failed in a report: the sentence of the interface document and how it is read, what was expected and what came, the call, a curl line, the trace_id, what it means for those who use the service, the faults of the mock that break it, and the entries of its journal that are about that call.',
  isReadOnly: true,
  hasTextsOfOthers: true,
  input: {
    requirement: { type: 'string', maxLength: 40, description: 'Its id, such as HOOK-4.' },
    path: pathSchema,
  },
  required: ['requirement'],
  call: async ({ requirement, path }, { session }) => {
    const report = reportOf(session, path);
    const id = String(findRequirement(requirement).id);
    const found = report.requirements.find((one) => one.id === id);
    if (!found) throw new UsageError(`the report has no requirement ${id}`);
    const checks = unsuccessfulChecks(found);
    const { title, section, quote, reading, reason } = found;
    return {
      ...{ id, title, section, quote, reading, outcome: verdictOf(found), reason },
      means: meaningOf(report, id),
      checks,
      ...(report.token_line !== undefined && { token_line: report.token_line }),
      ...(checks.length > 0 && { mock: await lookInMock(session, found) }),
      faults: rowsOf('faults', id),
    };
  },
});

/** What a broken promise means for those who use the service; null where it is not broken. */
function meaningOf(report: Report, id: string): string | null {
  const topic = plainSummaryOf(report).broken.find(({ requirements }) =>
    requirements.some((one) => one.id === id),
  );
  return topic?.means ?? null;
}

/** What the mock knows of it, where there is one. The report may be of another deployment. */
async function lookInMock(session: Session, { id, checks }: RequirementReport): Promise<object> {
  try {
    const mock = session.findMock();
    const { on, faults } = await mock.GET('/faults');
    const broken = faults.filter((fault) => on.includes(fault.id) && fault.requirement === id);
    return {
      faults_on: broken.map((fault) => fault.id),
      requests: await findRequests(mock, (request) => checks.some((check) => isCallOf(check, request))),
    };
  } catch (error) {
    if (error instanceof Unreachable || error instanceof Refused) return { problem: error.message };
    throw error;
  }
}

/** By the trace_id; where the answer had none, by the call. */
function isCallOf({ trace_id: traceId, call }: CheckResult, request: Schemas['Request']): boolean {
  if (traceId) return traceId === request.trace_id;
  return call?.method === request.method && call.path === request.path && call.status === request.status;
}

const mostRequests = 5;
/** The journal has no more. */
const mostPages = 10;

/** The newest that fit, in short. */
async function findRequests(
  mock: MockClient,
  isWanted: (request: Schemas['Request']) => boolean,
): Promise<object[]> {
  const found: Schemas['Request'][] = [];
  let cursor: number | undefined;
  for (let page = 0; page < mostPages && found.length < mostRequests; page += 1) {
    const { requests, next } = await mock.GET('/requests', { query: { order: 'newest', cursor } });
    found.push(...requests.filter(isWanted));
    if (next === undefined) break;
    cursor = next;
  }
  return found.slice(0, mostRequests).map(shortRequest);
}

function reportOf(session: Session, path: string | undefined): Report {
  if (path !== undefined) return reportIn(fileInside(session.folder, path, longestReport), path);
  if (session.lastReport) return session.lastReport;
  throw new UsageError(
    'this server has made no run yet, so there is no report; give the path of one that `sitepub test --report json=FILE` has written',
  );
}

/** Says nothing of what else a file holds. */
function reportIn(file: string, path: string): Report {
  try {
    return readReport(file);
  } catch (error) {
    if (!(error instanceof ReportError)) throw error;
    const message = error.message.replaceAll(file, path).replace(/ \(.*\)(?=; give)/s, '');
    throw new UsageError(message);
  }
}

export const reportTools: readonly Tool[] = [readReportTool, explainFailure];
