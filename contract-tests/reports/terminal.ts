// The report as people read it: requirement by requirement, what failed with its evidence, drift, and a line at the end.
import { styleText } from 'node:util';
import type { GapReport } from '../observations.ts';
import type { Outcome } from '../outcomes.ts';
import type { Report, RequirementReport } from '../report.ts';
import type { CheckResult } from '../run-check.ts';

type Format = Parameters<typeof styleText>[0];
type Paint = (format: Format, text: string) => string;

const marks: Readonly<Record<Outcome, readonly [string, Format]>> = {
  passed: ['✓', 'green'],
  failed: ['✗', 'red'],
  'not-verified': ['–', 'gray'],
  error: ['!', 'magenta'],
};

/** The report as a text that ends in a new line. */
export function terminalReport(report: Report, { colour }: { colour: boolean }): string {
  const paint: Paint = (format, text) => (colour ? styleText(format, text, { validateStream: false }) : text);
  const drifted = report.gaps.filter(({ outcome }) => outcome === 'drift');
  const lines = [
    `sitepub test  ${report.target.base_url}  profile ${report.target.profile}`,
    '',
    ...report.requirements.flatMap((requirement) => requirementLines(requirement, paint)),
    ...(drifted.length > 0
      ? ['', 'Gaps that the deployment fills otherwise than the profile says (warnings, no failures):']
      : []),
    ...drifted.map((gap) => driftLine(gap, paint)),
    ...leftoverLines(report),
    ...curlHint(report),
    '',
    summaryLine(report, paint),
  ];
  return `${lines.join('\n')}\n`;
}

function requirementLines(
  { id, title, section, level, outcome, reason, checks }: RequirementReport,
  paint: Paint,
): string[] {
  const [mark, format] = marks[outcome];
  const head = `${paint(format, mark)} ${id.padEnd(10)} ${outcome === 'not-verified' ? paint('gray', title) : title}`;
  if (outcome === 'passed') return [head];
  if (outcome === 'not-verified') return [head, paint('gray', `             not verified: ${reason}`)];
  const bad = checks.filter((check) => check.outcome === 'failed' || check.outcome === 'error');
  return [
    head,
    `             ${level} in section ${section} of the interface document`,
    ...bad.flatMap(checkLines),
  ];
}

function checkLines({ id, outcome, reason, expected, actual, curl, trace_id }: CheckResult): string[] {
  const rows: (readonly [string, string | null])[] =
    outcome === 'failed'
      ? [
          ['expected', expected],
          ['actual', actual],
          ['trace_id', trace_id],
          ['curl', curl],
        ]
      : [['error', reason]];
  return [
    `             ${id}`,
    ...rows.flatMap(([name, text]) => (text === null ? [] : [`               ${name.padEnd(9)}${text}`])),
  ];
}

function driftLine({ id, value, source, observed }: GapReport, paint: Paint): string {
  const said = typeof value === 'string' ? value : JSON.stringify(value);
  const short = said.length > 60 ? 'a map' : said;
  return `${paint('yellow', '~')} ${id}: ${source === 'profile' ? 'the profile says' : 'the default is'} ${short}, observed: ${observed}`;
}

function leftoverLines({ leftovers }: Report): string[] {
  if (leftovers.length === 0) return [];
  const [first] = leftovers;
  const count = leftovers.length === 1 ? '1 subscription' : `${leftovers.length} subscriptions`;
  const name = first?.id === undefined ? 'one of unknown identifier' : String(first.id);
  return [
    '',
    `Left behind: ${count}, such as ${name} on site ${String(first?.site)}, which pushes to ${first?.target}; state operation.delete-subscription in a profile to have them deleted.`,
  ];
}

/** The variables in the curl lines are those of the run; the session token is the one that a login gives. */
function curlHint(report: Report): string[] {
  const curls = report.requirements.flatMap(({ checks }) => checks.map(({ curl }) => curl ?? ''));
  if (!curls.some((curl) => curl.includes('$SITEPUB_TOKEN'))) return [];
  return [
    '',
    'For the curl lines: export SITEPUB_TOKEN, a session token of a login of your own, beside the credentials of this run.',
  ];
}

function summaryLine({ summary, requirements, requests, duration_ms }: Report, paint: Paint): string {
  const { passed, failed, not_verified, error, warned } = summary;
  const parts = [
    paint('green', `${passed} passed`),
    failed > 0 ? paint('red', `${failed} failed`) : '0 failed',
    `${not_verified} not verified`,
    ...(error > 0 ? [paint('magenta', `${error} errors of the suite`)] : []),
    `${warned} drift warning${warned === 1 ? '' : 's'}`,
  ];
  return `${requirements.length} requirements: ${parts.join(', ')} (${requests} requests in ${(duration_ms / 1000).toFixed(1)} s)`;
}
