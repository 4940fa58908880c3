// A comparison of two reports in the words and the order in which people read it; every format of `sitepub diff` is made from it.
import type { Change, Comparison } from './compare-reports.ts';
import { count, sayTime, signs } from './group-by-verdict.ts';
import type { Report } from './report.ts';

interface Line {
  sign: string;
  id: string;
  title: string;
  /** From which outcome to which, and why; "" where there is nothing to say. */
  detail: string;
}

export interface DiffSection {
  title: string;
  lines: Line[];
}

/** The sections that have something in them, the worst first. */
export function diffSections(comparison: Comparison): DiffSection[] {
  const { regressed, no_longer_verified, newly_failed, still_failing, newly_passed, notices } = comparison;
  const noticeLines = (some: Comparison['notices']['new']): Line[] =>
    some.map(({ kind, id, example }) => ({ sign: '~', id, title: kind, detail: example }));
  const of = (title: string, changes: readonly Change[]) => ({ title, lines: changes.map(changeLine) });
  const sections = [
    of('Regressed: passed before, fails now', regressed),
    of('Fails now, and was not verified before', newly_failed),
    of('No longer verified', no_longer_verified),
    of('Still failing', still_failing),
    of('Newly verified', newly_passed),
    { title: 'New notices', lines: noticeLines(notices.new) },
    { title: 'Notices that are gone', lines: noticeLines(notices.gone) },
  ];
  return sections.filter(({ lines }) => lines.length > 0);
}

/** The comparison in a sentence. */
export function diffHeadline({
  regressed,
  no_longer_verified,
  newly_failed,
  newly_passed,
}: Comparison): string {
  const parts = [
    [regressed.length, 'regressed'],
    [newly_failed.length, 'newly failed'],
    [no_longer_verified.length, 'no longer verified'],
    [newly_passed.length, 'newly verified'],
  ] as const;
  const said = parts.filter(([number]) => number > 0).map(([number, what]) => `${number} ${what}`);
  return said.length > 0 ? said.join(', ') : 'No requirement changed';
}

/** The two runs that are compared, each in a line. */
export function diffRuns({ before, after }: Comparison): [string, string][] {
  return [
    ['before', sayRun(before)],
    ['now', sayRun(after)],
  ];
}

function sayRun({ target, started_at, summary, version }: Comparison['before']): string {
  const { passed, failed, partly, not_verified } = summary;
  const counts = `${passed} passed, ${failed} failed, ${partly} partly, ${not_verified} not verified`;
  return `${sayTime(started_at)}  ${target.base_url}  profile ${target.profile}  sitepub ${version}: ${counts}`;
}

function changeLine({ id, title, before, after, reason, checks, accepted }: Change): Line {
  const isGood = after === 'passed';
  const why = [
    checks.length > 0 ? sayChecks(checks) : '',
    isGood ? '' : (reason ?? ''),
    accepted === null ? '' : `accepted: ${accepted}`,
  ].filter(Boolean);
  const detail = [`${before ?? 'unknown'} → ${after ?? 'unknown'}`, ...why].join('; ');
  return { sign: after === null ? signs['not-verified'].sign : signs[after].sign, id, title, detail };
}

/** The checks that make a change; all of them are in the JSON form. */
function sayChecks(checks: readonly string[]): string {
  const [first = ''] = checks;
  return checks.length > 1 ? `${first} and ${count(checks.length - 1, 'more check')}` : first;
}

/** Whether two reports are about different deployments or profiles. */
export function sayDifference(
  before: Pick<Report, 'target'>,
  after: Pick<Report, 'target'>,
): string | undefined {
  const { base_url, profile } = before.target;
  const differs = [
    base_url !== after.target.base_url && 'address',
    profile !== after.target.profile && 'profile',
  ].filter((one) => one !== false);
  return differs.length > 0 ? `The two runs differ in ${differs.join(' and ')}.` : undefined;
}
