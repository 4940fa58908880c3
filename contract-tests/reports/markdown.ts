// The report as Markdown, for pull requests and CI job summaries.
import type { GapReport } from '../deployment/gap-observations.ts';
import { groupByReason, sayShortfall, shortfallGroups, shortfallsTitle } from './group-by-cause.ts';
import {
  acceptingLines,
  countOf,
  evidenceOf,
  groupByVerdict,
  headlineOf,
  notesOf,
  outdatedEntries,
  promiseOf,
  sayExpected,
  sayGapCounts,
  sayLeftover,
  sayObserved,
  sayPlace,
  sayRequests,
  sayTime,
  sayValue,
  signs,
  tokenLineFor,
  unsuccessfulChecks,
  type Verdict,
  verdictsByGravity,
  warningsTitle,
  warningWord,
} from './group-by-verdict.ts';
import { code, escapeMarkdown, fence, table } from './markdown-text.ts';
import { capitalised, plainSummaryOf } from './plain-summary.ts';
import type { CheckResult, Report, RequirementReport, Warning } from './report.ts';

export function markdownReport(report: Report): string {
  return `${markdownBlocks(report).join('\n\n')}\n`;
}

/** The report as blocks, the most important first, so that a caller can drop the last ones. */
export function markdownBlocks(report: Report): string[] {
  const of = (verdict: Verdict) =>
    groupByVerdict(report).find((group) => group.verdict === verdict)?.requirements ?? [];
  const passed = of('passed').map(({ id, title }) => [id, title]);
  const leftovers = report.leftovers.map((leftover) => [sayLeftover(leftover)]);
  const gaps = report.gaps.map((gap) => [...gapRow(gap), gap.outcome]);
  return [
    head(report),
    ...titled('Summary', summaryOf(report)),
    ...titled(shortfallsTitle, shortfallList(report)),
    ...titled('Outdated expected failures', outdatedList(report)),
    ...titled('Failed', [...failures(of('failed'), report), ...tokenBlock(report)]),
    ...titled('Suite errors', failures(of('error'), report)),
    ...titled('Drift: gaps that differ from the profile', drift(report)),
    ...titled(`${warningsTitle} (warnings)`, (report.warnings ?? []).map(warning)),
    ...collapsed('Expected failures', ['requirement', 'title', 'accepted because'], reasons(of('expected'))),
    ...causes('Not verified', of('not-verified')),
    ...causes('Partly verified', of('partly')),
    ...collapsed('Remarks', ['remark', 'what', 'times', 'example'], remarkRows(report)),
    ...collapsed('Passed', ['requirement', 'title'], passed),
    ...collapsed('Leftovers', ['resource'], leftovers),
    ...collapsed('Gaps', ['gap', 'value', 'observed', 'outcome'], gaps),
    ...collapsed('Operations', ['operation', 'requests', 'statuses'], coverage(report)),
  ];
}

function head(report: Report): string {
  const { target, summary, started_at, tool, aborted } = report;
  const { drawn, remarkable } = notesOf(report);
  const rows = [
    ...verdictsByGravity
      .filter((verdict) => !['expected', 'partly'].includes(verdict) || countOf(verdict, report) > 0)
      .map((verdict) => [`${signs[verdict].sign} ${signs[verdict].word}`, String(countOf(verdict, report))]),
    [`${warningWord(report)}s`, String(summary.warned)],
    ...(report.remarks.length > 0 ? [['remarks', String(report.remarks.length)]] : []),
  ];
  return [
    `# ${headlineOf(report)}`,
    `Target ${code(target.base_url)}, profile ${code(target.profile)}`,
    ...(aborted ? [`**The run ended early:** ${escapeMarkdown(aborted.reason)}`] : []),
    ...remarkable.map((note) => `**Note:** ${escapeMarkdown(note)}`),
    table(['requirements', 'number'], rows),
    ...(report.gaps.length > 0 ? [`Gaps: ${sayGapCounts(report)}.`] : []),
    [
      `${sayTime(started_at)}, ${sayRequests(report)}, ${tool.name} ${tool.version}`,
      ...drawn.map(escapeMarkdown),
    ].join('; '),
  ].join('\n\n');
}

/** A summary for readers who do not know HTTP. */
function summaryOf(report: Report): string[] {
  const { sentences, advice, broken, unseen } = plainSummaryOf(report);
  const idsOf = (requirements: readonly RequirementReport[]) =>
    escapeMarkdown(requirements.map(({ id }) => id).join(', '));
  const list = broken.map(
    ({ about, means, requirements }) =>
      `- **${escapeMarkdown(capitalised(about))}** (${idsOf(requirements)}). ${means}\n${requirements.map(({ title }) => `  - ${escapeMarkdown(title)}`).join('\n')}`,
  );
  const notSeen = unseen.map(
    ({ about, requirements }) => `${escapeMarkdown(about)} (${requirements.length})`,
  );
  return [
    [
      sentences.map(escapeMarkdown).join(' '),
      advice,
      ...(list.length > 0 ? ['**What is broken, and why it matters**', list.join('\n')] : []),
      ...(notSeen.length > 0
        ? [`**What could not be verified.** This run has no verdict on: ${notSeen.join(', ')}.`]
        : []),
    ].join('\n\n'),
  ];
}

function remarkRows({ remarks }: Report): string[][] {
  return remarks.map(({ id, what, count: times, example }) => [id, what, String(times), example]);
}

function shortfallList(report: Report): string[] {
  const lines = shortfallGroups(report).map((group) => `- ${escapeMarkdown(sayShortfall(group))}`);
  return lines.length > 0 ? [lines.join('\n')] : [];
}

function outdatedList(report: Report): string[] {
  const lines = outdatedEntries(report).map(({ text }) => `- ${escapeMarkdown(text)}`);
  return lines.length > 0 ? [lines.join('\n')] : [];
}

function tokenBlock(report: Report): string[] {
  const line = tokenLineFor(report);
  return line === undefined
    ? []
    : [`Run this before the curl lines, with the credentials of this run set:\n\n${fence(line, 'sh')}`];
}

function failures(requirements: readonly RequirementReport[], report: Report): string[] {
  return requirements.map((requirement) => failure(requirement, report));
}

function failure(requirement: RequirementReport, report: Report): string {
  const { id, title, outcome } = requirement;
  const accepting = outcome === 'failed' ? acceptingLines(requirement, report) : [];
  return [
    `### ${signs[outcome].sign} ${escapeMarkdown(`${id} ${title}`)}`,
    escapeMarkdown(`${sayPlace(requirement)} of the interface document`),
    ...promiseOf(requirement).map(([name, text]) => `${name}: ${escapeMarkdown(text)}`),
    ...unsuccessfulChecks(requirement).map(evidence),
    ...(accepting.length > 0
      ? [
          `To accept this failure for a while, add this to the file of \`--expected-failures\`:\n\n${fence(accepting.join('\n'), 'yaml')}`,
        ]
      : []),
  ].join('\n\n');
}

function evidence(check: CheckResult): string {
  const { id, curl, expected_failure } = check;
  const rows = evidenceOf(check).map(([name, text]) => `${name}: ${text}`);
  const accepted = expected_failure
    ? ` (failed as expected: ${escapeMarkdown(sayExpected(expected_failure))})`
    : '';
  return [
    `**${escapeMarkdown(id)}**${accepted}`,
    fence(rows.join('\n'), 'text'),
    ...(curl === null ? [] : [fence(curl, 'sh')]),
  ].join('\n\n');
}

function warning({ id, reason, curl }: Warning): string {
  return [
    `**${escapeMarkdown(id)}** ${escapeMarkdown(`${reason}`)}`,
    ...(curl === null ? [] : [fence(curl, 'sh')]),
  ].join('\n\n');
}

function reasons(requirements: readonly RequirementReport[]): string[][] {
  return requirements.map(({ id, title, reason, expected_failure }) => [
    id,
    title,
    expected_failure ? sayExpected(expected_failure) : `${reason}`,
  ]);
}

/** One row for each reason. */
function causes(title: string, requirements: readonly RequirementReport[]): string[] {
  const rows = groupByReason(requirements).map(({ reason, items }) => [
    reason,
    items.map(({ id }) => id).join(', '),
  ]);
  return collapsed(title, ['reason', 'requirements'], rows, requirements.length);
}

function drift({ gaps }: Report): string[] {
  const rows = gaps.filter(({ outcome }) => outcome === 'drift').map(gapRow);
  return rows.length > 0 ? [table(['gap', 'value', 'observed'], rows)] : [];
}

function gapRow(gap: GapReport): string[] {
  const value = gap.source === 'default' ? `${sayValue(gap)} (default)` : sayValue(gap);
  return [gap.id, value, sayObserved(gap)];
}

function coverage(report: Report): string[][] {
  return report.coverage.map(({ operation, statuses, requests }) => [
    operation,
    requests === 0 ? 'never called' : String(requests),
    statuses.join(', '),
  ]);
}

function titled(title: string, parts: readonly string[]): string[] {
  const [first, ...others] = parts;
  return first === undefined ? [] : [`## ${title}\n\n${first}`, ...others];
}

function collapsed(
  title: string,
  columns: readonly string[],
  rows: readonly string[][],
  number = rows.length,
): string[] {
  if (rows.length === 0) return [];
  return [`<details><summary>${title} (${number})</summary>\n\n${table(columns, rows)}\n\n</details>`];
}
