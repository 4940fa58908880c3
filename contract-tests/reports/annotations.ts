// Lines by which GitHub shows failures beside a pull request: one for each requirement that failed unexpectedly, and for what was demanded in vain.
import { sayShortfall, shortfallGroups } from './group-by-cause.ts';
import { outdatedEntries, promiseOf, unsuccessfulChecks, verdictOf } from './group-by-verdict.ts';
import type { Report, RequirementReport } from './report.ts';

/** Workflow commands, one a line; nothing where nothing is wrong. */
export function annotations(report: Report): string {
  const lines = [
    ...report.requirements
      .filter((requirement) => ['failed', 'error'].includes(verdictOf(requirement)))
      .map((requirement) => command(`${requirement.id} ${requirement.title}`, messageOf(requirement))),
    ...shortfallGroups(report)
      .filter(({ kind }) => kind !== 'regressed')
      .map((group) => command(`--${group.demand}: less was verified`, sayShortfall(group))),
    ...outdatedEntries(report).map(({ id, text }) => command(`${id} is out of date`, text)),
  ];
  return lines.map((line) => `${line}\n`).join('');
}

function messageOf(requirement: RequirementReport): string {
  const checks = unsuccessfulChecks(requirement).filter(({ expected_failure }) => !expected_failure);
  const [first] = checks;
  if (!first) return `${requirement.reason}`;
  const traceId = first.trace_id === null ? '' : ` (trace_id ${first.trace_id})`;
  const others = checks.length > 1 ? `\nand in ${checks.length - 1} more of its checks` : '';
  const promise = promiseOf(requirement).map(([name, text]) => `\n${name}: ${text}`);
  return `${first.id}: ${first.reason}${traceId}${others}${promise.join('')}`;
}

function command(title: string, message: string): string {
  return `::error title=${escapeProperty(title)}::${escapeData(message)}`;
}

function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
