// GitHub annotations: one for each unexpected failure, unmet condition and outdated expected failure.
import { visible, visibleLines } from '../core/visible-text.ts';
import { sayShortfall, shortfallGroups } from './group-by-cause.ts';
import { count, outdatedEntries, promiseOf, unsuccessfulChecks, verdictOf } from './group-by-verdict.ts';
import type { Report, RequirementReport } from './report.ts';

/** Workflow commands, one per line. Returns "" if nothing is wrong. */
export function annotations(report: Report): string {
  const lines = [
    ...report.requirements
      .filter((requirement) => ['failed', 'error'].includes(verdictOf(requirement)))
      .map((requirement) => command(`${requirement.id} ${requirement.title}`, messageOf(requirement))),
    ...shortfallGroups(report)
      .filter(({ kind }) => kind !== 'regressed')
      .map((group) => command(`--${group.demand} is not met`, sayShortfall(group))),
    ...outdatedEntries(report).map(({ id, text }) => command(`outdated expected failure: ${id}`, text)),
  ];
  return lines.map((line) => `${line}\n`).join('');
}

function messageOf(requirement: RequirementReport): string {
  const checks = unsuccessfulChecks(requirement).filter(({ expected_failure }) => !expected_failure);
  const [first] = checks;
  if (!first) return `${requirement.reason}`;
  const traceId = first.trace_id === null ? '' : ` (trace_id ${first.trace_id})`;
  const others =
    checks.length > 1 ? `\n${count(checks.length - 1, 'more check')} of this requirement failed` : '';
  const promise = promiseOf(requirement).map(([name, text]) => `\n${name}: ${text}`);
  return `${visible(`${first.id}: ${first.reason}${traceId}`)}${others}${promise.join('')}`;
}

function command(title: string, message: string): string {
  return `::error title=${escapeProperty(visible(title))}::${escapeData(message)}`;
}

/** Escapes as GitHub documents it. GitHub unescapes the text again, so control characters are replaced first. */
function escapeData(text: string): string {
  return visibleLines(text).replaceAll('%', '%25').replaceAll('\n', '%0A');
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
