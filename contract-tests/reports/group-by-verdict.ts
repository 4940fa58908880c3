// What the formats have in common: which requirements are shown together, under which words, and what is said of each.

import type { Outcome } from '../core/outcomes.ts';
import type { Leftover } from '../deployment/created-resources.ts';
import type { GapReport } from '../deployment/gap-observations.ts';
import { acceptingLine, type ExpectedFailure } from './expected-failures.ts';
import type { CheckResult, Report, RequirementReport } from './report.ts';

/** An outcome as it is shown: a failure that was expected stands apart from the others. */
export type Verdict = Outcome | 'expected';

/** A sign and a word, so that nothing is said by colour alone. */
export const signs: Readonly<Record<Verdict, { sign: string; word: string }>> = {
  failed: { sign: '✗', word: 'failed' },
  error: { sign: '!', word: 'error of the suite' },
  expected: { sign: '✗', word: 'failed as expected' },
  'not-verified': { sign: '–', word: 'not verified' },
  passed: { sign: '✓', word: 'passed' },
};

/** The worst first. */
const order: readonly Verdict[] = ['failed', 'error', 'expected', 'not-verified', 'passed'];

export interface Group {
  verdict: Verdict;
  requirements: RequirementReport[];
}

/** The requirements by verdict, without empty groups. */
export function groupByVerdict({ requirements }: Report): Group[] {
  return order
    .map((verdict) => ({
      verdict,
      requirements: requirements.filter((requirement) => verdictOf(requirement) === verdict),
    }))
    .filter((group) => group.requirements.length > 0);
}

export function verdictOf({ outcome, expected_failure }: RequirementReport | CheckResult): Verdict {
  return expected_failure ? 'expected' : outcome;
}

/** How many requirements came to a verdict. */
export function countOf(verdict: Verdict, { requirements }: Report): number {
  return requirements.filter((requirement) => verdictOf(requirement) === verdict).length;
}

/** The run in a sentence: the first thing that anybody wants to know. */
export function headlineOf(report: Report): string {
  const [failed, errors] = [countOf('failed', report), countOf('error', report)];
  const { stale = [], expired = [] } = report.expected_failures ?? {};
  if (failed > 0) return `${count(failed, 'requirement')} failed`;
  if (report.aborted?.kind === 'interrupted') return 'The run was interrupted';
  if (report.aborted) return 'The run could not be made';
  if (errors > 0) return `${count(errors, 'error')} of the suite itself`;
  if (stale.length + expired.length > 0) return 'The file of expected failures is out of date';
  if (countOf('expected', report) > 0) return 'Every failure was expected';
  if (report.summary.passed === 0) return 'Nothing was verified';
  return 'Every requirement that was verified holds';
}

/** The checks that a reader must look into. */
export function troubledChecks({ checks }: RequirementReport): CheckResult[] {
  return checks.filter(({ outcome }) => outcome === 'failed' || outcome === 'error');
}

/** What there is to see of a check, name by name. */
export function evidenceOf({ outcome, reason, expected, actual, trace_id }: CheckResult): [string, string][] {
  const rows: [string, string | null][] =
    outcome === 'failed'
      ? [
          ['expected', expected],
          ['actual', actual],
          ['trace_id', trace_id],
        ]
      : [['error', reason]];
  return rows.filter((row): row is [string, string] => row[1] !== null);
}

/** The lines that would accept a failure: one for the requirement, or one for each check that is not accepted yet. */
export function acceptingLines({ id, checks }: RequirementReport, { started_at }: Report): string[] {
  const failed = checks.filter(({ outcome }) => outcome === 'failed');
  const unexpected = failed.filter(({ expected_failure }) => !expected_failure);
  const ids = unexpected.length < failed.length ? unexpected.map((check) => check.id) : [id];
  return ids.map((one) => acceptingLine(one, started_at));
}

/** Why a failure is accepted, and until when. */
export function sayExpected({ reason, until }: ExpectedFailure): string {
  return until === null ? reason : `${reason} (until ${until})`;
}

/** The entries of the file of expected failures that fail the run, each in a sentence. */
export function endedEntries({ expected_failures }: Report): { id: string; text: string }[] {
  if (!expected_failures) return [];
  const { file, stale, expired } = expected_failures;
  return [
    ...stale.map(({ id, line }) => ({
      id,
      text: `${file}:${line}: ${id} passed, so its entry is stale; remove it`,
    })),
    ...expired.map(({ id, line, until }) => ({
      id,
      text: `${file}:${line}: the entry of ${id} was good until ${until}; remove it, or give it a later day`,
    })),
  ];
}

/** The value that a profile or a default gives a gap, in a few words. */
export function sayValue({ value }: GapReport): string {
  const said = typeof value === 'string' ? value : JSON.stringify(value);
  return said.length > 60 ? 'a map' : said;
}

/** What was seen of a gap; the JSON report has all of it. */
export function sayObserved({ observed }: GapReport): string {
  if (observed === null) return '';
  return observed.length > 300 ? `${observed.slice(0, 300)}… and more` : observed;
}

/** How a gap and a deployment get on. */
export const gapWords: Readonly<Record<GapReport['outcome'], string>> = {
  agrees: 'as the profile or the default says',
  drift: 'otherwise (drift)',
  'not-observed': 'not observed',
};

/** What is written over the warnings. */
export const warningsTitle = 'Advice that the receiver does not follow';

/** The name of what was run. */
export function commandOf({ target }: Report): string {
  return target.kind === 'receiver' ? 'sitepub test-receiver' : 'sitepub test';
}

/** What the warnings of a report are called. */
export function warningWord({ target }: Report): string {
  return target.kind === 'receiver' ? 'warning' : 'drift warning';
}

/** How many gaps agree, drift, and were not observed. */
export function sayGapCounts({ gaps }: Report): string {
  return (['agrees', 'drift', 'not-observed'] as const)
    .map((outcome) => `${gaps.filter((gap) => gap.outcome === outcome).length} ${gapWords[outcome]}`)
    .join(', ');
}

/** What a run left behind, where, and what it points at or is called. */
export function sayLeftover({ what, id, site, target }: Leftover): string {
  const name = id === null || id === undefined ? `${what} of unknown identifier` : `${what} ${id}`;
  const place = site === null || site === undefined ? '' : ` on site ${site}`;
  return `${name}${place}${target === '' ? '' : `: ${target}`}`;
}

/** Two requirements; one requirement. */
export function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`;
}

/** "2026-01-02 03:04:05 UTC". */
export function sayTime(iso: string): string {
  return `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`;
}
