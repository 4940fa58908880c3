// What the formats share: which requirements are shown together, in which order, and in which words.
import type { CheckOutcome, Outcome } from '../core/outcomes.ts';
import { writeJson } from '../core/parse-json.ts';
import { shortenText } from '../core/shorten-json.ts';
import type { Leftover } from '../deployment/created-resources.ts';
import type { GapReport } from '../deployment/gap-observations.ts';
import { drawTimeline } from './draw-timeline.ts';
import { acceptingLine, type ExpectedFailure } from './expected-failures.ts';
import type { CheckResult, Report, RequirementReport, SimilarAnswers } from './report.ts';

/** An outcome as it is shown: expected failures are separate from the others. */
export type Verdict = Outcome | CheckOutcome | 'expected';

/** The shell line that the curl lines of failures need first; undefined where none of them sends a token, or no login worked. */
export function tokenLineFor({ requirements, token_line }: Report): string | undefined {
  const needsToken = ({ curl, outcome }: CheckResult) =>
    outcome === 'failed' && curl?.includes('$SITEPUB_TOKEN');
  return requirements.some(({ checks }) => checks.some(needsToken)) ? token_line : undefined;
}

/** What the generated cases were drawn from, a fact of every run that has such, and the remarks that need attention. */
export function notesOf({ notes = [] }: Report): { drawn: string[]; remarkable: string[] } {
  const isDrawn = (note: string) => note.startsWith('generated cases were drawn with ');
  return { drawn: notes.filter(isDrawn), remarkable: notes.filter((note) => !isDrawn(note)) };
}

/** A sign and a word, so that colour is never the only difference. */
export const signs: Readonly<Record<Verdict, { sign: string; word: string }>> = {
  failed: { sign: '✗', word: 'failed' },
  error: { sign: '!', word: 'error of the suite' },
  expected: { sign: '✗', word: 'failed as expected' },
  'not-verified': { sign: '–', word: 'not verified' },
  'not-applicable': { sign: '–', word: 'not applicable' },
  partly: { sign: '◐', word: 'partly verified' },
  passed: { sign: '✓', word: 'passed' },
};

/** The worst first. */
export const verdictsByGravity: readonly Verdict[] = [
  'failed',
  'error',
  'expected',
  'not-verified',
  'partly',
  'passed',
];

export interface Group {
  verdict: Verdict;
  requirements: RequirementReport[];
}

/** The requirements by verdict, without empty groups. */
export function groupByVerdict({ requirements }: Report): Group[] {
  return verdictsByGravity
    .map((verdict) => ({
      verdict,
      requirements: requirements.filter((requirement) => verdictOf(requirement) === verdict),
    }))
    .filter((group) => group.requirements.length > 0);
}

export function verdictOf({ outcome, expected_failure }: RequirementReport | CheckResult): Verdict {
  return expected_failure ? 'expected' : outcome;
}

/** How many requirements have a verdict. */
export function countOf(verdict: Verdict, { requirements }: Report): number {
  return requirements.filter((requirement) => verdictOf(requirement) === verdict).length;
}

/** The result of the run in a sentence. */
export function headlineOf(report: Report): string {
  const [failed, errors] = [countOf('failed', report), countOf('error', report)];
  const { stale = [], expired = [] } = report.expected_failures ?? {};
  const subject = report.target.kind === 'receiver' ? 'receiver' : 'deployment';
  if (failed > 0) return `The ${subject} breaks ${count(failed, 'promise')}`;
  if (report.aborted?.kind === 'interrupted') return 'The run was interrupted';
  if (report.aborted && ['usage', 'credentials'].includes(report.aborted.kind))
    return `The settings of the run are wrong; nothing is said of the ${subject}`;
  if (report.aborted) return `The ${subject} could not be tested; nothing is said of it`;
  if (errors > 0) return `${count(errors, 'error')} of the suite itself`;
  if (stale.length + expired.length > 0) return 'The file of expected failures is out of date';
  if ((report.shortfalls ?? []).length > 0) return 'Less was verified than was demanded';
  if (countOf('expected', report) > 0) return 'Every failure was expected';
  if (report.summary.passed + report.summary.partly === 0) return 'Nothing was verified';
  return 'Every requirement that was verified holds';
}

/** The sentence that a failure breaks, and how it is read, by name. */
export function promiseOf({ quote, reading, outcome }: RequirementReport): [string, string][] {
  return outcome === 'failed' ? presentRows({ sentence: quote, reading }) : [];
}

/** The checks that failed or ended in an error. */
export function unsuccessfulChecks({ checks }: RequirementReport): CheckResult[] {
  return checks.filter(({ outcome }) => outcome === 'failed' || outcome === 'error');
}

/** The evidence of a check, as pairs of name and text. */
export function evidenceOf(check: CheckResult): [string, string][] {
  const { outcome, reason, expected, actual, trace_id, call, others, timeline } = check;
  if (outcome !== 'failed') return presentRows({ error: reason });
  return presentRows({
    expected,
    actual,
    call: call ? `${call.method} ${call.path} (${call.operation}) answered with ${call.status}` : null,
    answer: call && !actual?.includes(call.answer) ? call.answer : null,
    others: others ? sayOthers(others) : null,
    times: timeline ? drawTimeline(timeline) : null,
    trace_id,
  });
}

/** "70 more answers, all of status 404: testSubscription 40, createSubscription 30". */
function sayOthers(others: readonly SimilarAnswers[]): string {
  const total = others.reduce((sum, one) => sum + one.count, 0);
  const [status, ...further] = new Set(others.map((one) => one.status));
  const isOne = further.length === 0;
  const each = others.map((one) => `${one.operation} ${isOne ? '' : `${one.status}: `}${one.count}`);
  const what = `${count(total, 'more answer')}${isOne ? `, ${total > 1 ? 'all ' : ''}of status ${status}` : ''}`;
  return `${what}: ${each.join(', ')}`;
}

/** The texts that are not null, with their names. */
export function presentRows(texts: Readonly<Record<string, string | null>>): [string, string][] {
  return Object.entries(texts).filter((row): row is [string, string] => row[1] !== null);
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
export function outdatedEntries({ expected_failures }: Report): { id: string; text: string }[] {
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

/** The longest value of a gap that is shown as a whole, in characters. */
const longestValue = 60;

/** The value that a profile or a default gives a gap, shortened; the JSON report has all of it. */
export function sayValue({ value }: GapReport): string {
  return shortenText(typeof value === 'string' ? value : writeJson(value), longestValue);
}

/** What was observed of a gap, shortened; the JSON report has all of it. */
export function sayObserved({ observed }: GapReport): string {
  if (observed === null) return '';
  return observed.length > 300 ? `${observed.slice(0, 300)}… and more` : observed;
}

/** What the outcomes of gaps are called. */
export const gapOutcomeNames: Readonly<Record<GapReport['outcome'], string>> = {
  agrees: 'as the profile or the default says',
  drift: 'otherwise (drift)',
  'not-observed': 'not observed',
};

/** The title of the warnings. */
export const warningsTitle = 'Advice that the receiver does not follow';

/** The command that was run. */
export function commandOf({ target }: Report): string {
  return target.kind === 'receiver' ? 'sitepub test-receiver' : 'sitepub test';
}

/** The word for the warnings of a report. */
export function warningWord({ target }: Report): string {
  return target.kind === 'receiver' ? 'warning' : 'drift warning';
}

/** How many gaps agree, drift, and were not observed. */
export function sayGapCounts({ gaps }: Report): string {
  return (['agrees', 'drift', 'not-observed'] as const)
    .map((outcome) => `${gaps.filter((gap) => gap.outcome === outcome).length} ${gapOutcomeNames[outcome]}`)
    .join(', ');
}

/** A leftover of a run: its kind and identifier, its site, and its target or name. */
export function sayLeftover({ what, id, site, target }: Leftover): string {
  const name = id === null || id === undefined ? `${what} of unknown identifier` : `${what} ${id}`;
  const place = site === null || site === undefined ? '' : ` on site ${site}`;
  return `${name}${place}${target === '' ? '' : `: ${target}`}`;
}

/** "2 requirements", "1 requirement". */
export function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`;
}

/** "3 requests in 1.2 s". */
export function sayRequests({ requests, duration_ms }: Pick<Report, 'requests' | 'duration_ms'>): string {
  return `${count(requests, 'request')} in ${(duration_ms / 1000).toFixed(1)} s`;
}

/** "2026-01-02 03:04:05 UTC". */
export function sayTime(iso: string): string {
  return `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`;
}
