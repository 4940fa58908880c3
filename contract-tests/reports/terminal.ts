// The report as text for a terminal.
import { styleText } from 'node:util';
import { visible } from '../core/visible-text.ts';
import { canBeDeleted } from '../deployment/created-resources.ts';
import type { GapReport } from '../deployment/gap-observations.ts';
import { causesOf, sayIds, sayShortfall, shortfallGroups, shortfallsTitle } from './group-by-cause.ts';
import {
  acceptingLines,
  commandOf,
  count,
  countOf,
  evidenceOf,
  headlineOf,
  outdatedEntries,
  presentRows,
  promiseOf,
  sayExpected,
  sayLeftover,
  sayObserved,
  sayPlace,
  sayRequests,
  sayValue,
  signs,
  tokenLineFor,
  unsuccessfulChecks,
  type Verdict,
  verdictOf,
  warningsTitle,
  warningWord,
} from './group-by-verdict.ts';
import { type CheckResult, leftOut, type Report, type RequirementReport, type Warning } from './report.ts';

type Format = Parameters<typeof styleText>[0];
type Paint = (format: Format, text: string) => string;

const formats: Readonly<Record<Verdict, Format>> = {
  passed: 'green',
  failed: 'red',
  expected: 'yellow',
  'not-verified': 'gray',
  'not-applicable': 'gray',
  partly: 'cyan',
  error: 'magenta',
};

export function terminalReport(report: Report, { colour }: { colour: boolean }): string {
  const paint: Paint = (format, text) => (colour ? styleText(format, text, { validateStream: false }) : text);
  if (endedAtOnce(report)) return `${endedLines(report, paint).join('\n')}\n`;
  const drifted = report.gaps.filter(({ outcome }) => outcome === 'drift');
  const lines = [
    ...(isRed(report) ? [paint('red', `${headlineOf(report)}.`)] : []),
    visible(`${commandOf(report)}  ${report.target.base_url}  profile ${report.target.profile}`),
    '',
    ...report.requirements.flatMap((requirement) => requirementLines(requirement, report, paint)),
    ...causeLines(report, paint),
    ...(drifted.length > 0 ? ['', 'Drift: gaps that differ from the profile (warnings, not failures):'] : []),
    ...drifted.map((gap) => driftLine(gap, paint)),
    ...remarkLines(report, paint),
    ...warningLines(report, paint),
    ...leftoverLines(report),
    ...hints(report),
    ...outdatedLines(report, paint),
    ...(report.notes ?? []).flatMap((note) => ['', visible(`Note: ${note}`)]),
    '',
    summaryLine(report, paint),
    ...failureLines(report, paint),
    ...shortfallLines(report, paint),
  ];
  return `${lines.join('\n')}\n`;
}

/** Whether the report begins with the headline. */
function isRed(report: Report): boolean {
  return report.aborted !== null || countOf('failed', report) > 0;
}

/** Two lines for a run without any result. The command prints the reason below them. */
function endedLines(report: Report, paint: Paint): string[] {
  const { base_url, profile } = report.target;
  return [
    paint('yellow', `${headlineOf(report)}.`),
    visible(`${commandOf(report)}  ${base_url}  profile ${profile}`),
  ];
}

/** Whether the run ended before any check had a result, and left nothing behind. */
function endedAtOnce({ aborted, summary, leftovers }: Report): boolean {
  const { passed, failed, partly, error } = summary;
  const isEnded = aborted !== null && aborted.kind !== 'interrupted' && aborted.kind !== 'suite-error';
  return isEnded && passed + failed + partly + error === 0 && leftovers.length === 0;
}

function requirementLines(requirement: RequirementReport, report: Report, paint: Paint): string[] {
  const { id, title, expected_failure } = requirement;
  const verdict = verdictOf(requirement);
  const head = `${paint(formats[verdict], signs[verdict].sign)} ${visible(id).padEnd(10)} ${visible(title)}`;
  if (verdict === 'not-verified') return [];
  if (verdict === 'passed' || verdict === 'partly') return [head];
  if (expected_failure)
    return [head, indent(`failed as expected: ${visible(sayExpected(expected_failure))}`)];
  const accepting = verdict === 'failed' ? acceptingLines(requirement, report) : [];
  return [
    head,
    indent(visible(`${sayPlace(requirement)} of the interface document`)),
    ...promiseOf(requirement).map(([name, text]) => indent(`${name}: ${visible(text)}`)),
    ...unsuccessfulChecks(requirement).flatMap(checkLines),
    ...accepting.map((line) => indent(`  accept   ${visible(line)}`)),
  ];
}

function checkLines(check: CheckResult): string[] {
  const { id, curl, expected_failure } = check;
  return [
    indent(visible(expected_failure ? `${id} (failed as expected: ${sayExpected(expected_failure)})` : id)),
    ...evidenceLines({ ...Object.fromEntries(evidenceOf(check)), curl }),
  ];
}

function evidenceLines(texts: Readonly<Record<string, string | null>>): string[] {
  return presentRows(texts).map(([name, text]) => indent(`  ${name.padEnd(9)}${visible(text)}`));
}

function indent(text: string): string {
  return `             ${text}`;
}

function driftLine(gap: GapReport, paint: Paint): string {
  const source = gap.source === 'profile' ? 'the profile says' : 'the default is';
  return `${paint('yellow', '~')} ${visible(`${gap.id}: ${source} ${sayValue(gap)}, observed: ${sayObserved(gap)}`)}`;
}

function remarkLines({ remarks }: Report, paint: Paint): string[] {
  if (remarks.length === 0) return [];
  const lines = remarks.map(
    ({ id, what, count: times, example }) =>
      `${paint('yellow', '~')} ${visible(`${id} (${times}): ${what}; for example: ${example}`)}`,
  );
  return ['', 'Remarks (not failures):', ...lines];
}

function warningLines({ warnings = [] }: Report, paint: Paint): string[] {
  if (warnings.length === 0) return [];
  return [
    '',
    `${warningsTitle} (warnings, not failures):`,
    ...warnings.flatMap((one) => adviceLines(one, paint)),
  ];
}

function adviceLines({ id, expected, actual, curl }: Warning, paint: Paint): string[] {
  return [`${paint('yellow', '~')} ${visible(id)}`, ...evidenceLines({ expected, actual, curl })];
}

/** The other report formats list all leftovers. */
const mostLeftovers = 10;

function leftoverLines({ leftovers }: Report): string[] {
  if (leftovers.length === 0) return [];
  const more = leftovers.length - mostLeftovers;
  return [
    '',
    'Leftovers, which the run created and could not delete:',
    ...leftovers.slice(0, mostLeftovers).map((leftover) => `  ${visible(sayLeftover(leftover))}`),
    ...(more > 0 ? [`  and ${more} more`] : []),
    ...unidentifiedLines(leftovers),
  ];
}

/** The resources whose ids the run could not find in the answers, so that it deleted nothing. */
function unidentifiedLines(leftovers: Report['leftovers']): string[] {
  const unknown = leftovers.filter((one) => one.id === null && one.target !== '' && canBeDeleted(one));
  return [...Map.groupBy(unknown, ({ what }) => what)].map(([what, those]) => {
    const names = [...new Set(those.map(({ target }) => `"${target}"`))].slice(0, mostLeftovers).join(', ');
    const noun = those.length === 1 || what === 'content' ? what : `${what}s`;
    return visible(`  the run created ${those.length} ${noun} whose ids it could not find: ${names}`);
  });
}

function hints(report: Report): string[] {
  const found = [...report.requirements.flatMap(({ checks }) => checks), ...(report.warnings ?? [])];
  const curls = found.map(({ curl }) => curl ?? '');
  const isAcceptable = report.requirements.some((requirement) => verdictOf(requirement) === 'failed');
  const lines = [
    curls.some((curl) => curl.includes('$SITEPUB_TOKEN')) &&
      (tokenLineFor(report) === undefined
        ? 'Before you run the curl lines: set the credentials of this run, log in, and export the session token as SITEPUB_TOKEN.'
        : `Before you run the curl lines: set the credentials of this run, and run ${visible(`${tokenLineFor(report)}`)}`),
    curls.some((curl) => curl.includes('$SITEPUB_WEBHOOK_SECRET')) &&
      'Before you run the curl lines: export SITEPUB_WEBHOOK_SECRET. They write the files "push" and "signed".',
    isAcceptable &&
      'To accept a failure for a while: paste its "accept" line into a YAML file, and pass the file with --expected-failures.',
  ].filter((line) => line !== false);
  return lines.length > 0 ? ['', ...lines] : [];
}

function outdatedLines(report: Report, paint: Paint): string[] {
  const lines = outdatedEntries(report).map(({ text }) => `${paint('red', '✗')} ${visible(text)}`);
  return lines.length > 0 ? ['', 'Outdated expected failures (they fail the run):', ...lines] : [];
}

function summaryLine(report: Report, paint: Paint): string {
  const { summary, requirements, expected_failures } = report;
  const { passed, failed, partly, not_verified, error, warned } = summary;
  const accepted =
    expected_failures && expected_failures.count > 0 ? ` (${expected_failures.count} expected)` : '';
  const parts = [
    paint('green', `${passed} passed`),
    failed > 0 ? `${paint('red', `${failed} failed`)}${accepted}` : '0 failed',
    ...(partly > 0 ? [`${partly} partly verified`] : []),
    `${not_verified} not verified`,
    ...(error > 0 ? [paint('magenta', count(error, 'suite error'))] : []),
    count(warned, warningWord(report)),
  ];
  return `${count(requirements.length, 'requirement')}: ${parts.join(', ')} (${sayRequests(report)})`;
}

/** Only the number of requirements that the user left out. */
function causeLines(report: Report, paint: Paint): string[] {
  const causes = causesOf(report);
  if (causes.length === 0) return [];
  const lines = causes.flatMap(({ reason, whole, partly }) => {
    const head = paint('gray', `${signs['not-verified'].sign} ${visible(reason)}`);
    if (reason === leftOut) return [`${head}: ${count(whole.length + partly.length, 'requirement')}`];
    return [head, `    ${visible(sayIds({ whole, partly }))}`];
  });
  return ['', 'Not verified, by reason:', ...lines];
}

/** Repeats the failures below the counts, where they are on the screen when the run ends. */
function failureLines({ requirements }: Report, paint: Paint): string[] {
  return requirements.flatMap((requirement) => {
    const verdict = verdictOf(requirement);
    if (verdict !== 'failed' && verdict !== 'error') return [];
    const sign = paint(verdict === 'failed' ? 'red' : 'magenta', signs[verdict].sign);
    return [`${sign} ${visible(requirement.id).padEnd(10)} ${visible(requirement.title)}`];
  });
}

function shortfallLines(report: Report, paint: Paint): string[] {
  const groups = shortfallGroups(report);
  if (groups.length === 0) return [];
  return [
    '',
    `${shortfallsTitle}:`,
    ...groups.map((group) => `${paint('red', '✗')} ${visible(sayShortfall(group))}`),
  ];
}
