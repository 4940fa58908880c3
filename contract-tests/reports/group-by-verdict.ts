// The grouping, order and wording that all report formats share.

import type { CheckOutcome, Outcome } from '../core/outcomes.ts';
import { writeJson } from '../core/parse-json.ts';
import { shortenText } from '../core/shorten-json.ts';
import type { Leftover } from '../deployment/created-resources.ts';
import type { GapReport } from '../deployment/gap-observations.ts';
import { acceptingLine, type ExpectedFailure } from './expected-failures.ts';
import type { CheckResult, Report, RequirementReport, SimilarAnswers } from './report.ts';
import { sayQuote } from './say-quote.ts';

/** An outcome as the reports show it: expected failures are separate. */
export type Verdict = Outcome | CheckOutcome | 'expected';

/** The shell line that sets SITEPUB_TOKEN for the curl lines; undefined if none needs it, or if no login worked. */
export function tokenLineFor({ requirements, token_line }: Report): string | undefined {
  const needsToken = ({ curl, outcome }: CheckResult) =>
    outcome === 'failed' && curl?.includes('$SITEPUB_TOKEN');
  return requirements.some(({ checks }) => checks.some(needsToken)) ? token_line : undefined;
}

/** Splits the notes: the seed of the generated cases is a plain fact, the others need attention. */
export function notesOf({ notes = [] }: Report): { drawn: string[]; remarkable: string[] } {
  const isDrawn = (note: string) => note.startsWith('generated cases were drawn with ');
  return { drawn: notes.filter(isDrawn), remarkable: notes.filter((note) => !isDrawn(note)) };
}

/** A sign and a word, so that colour is never the only distinction. */
export const signs: Readonly<Record<Verdict, { sign: string; word: string }>> = {
  failed: { sign: '✗', word: 'failed' },
  error: { sign: '!', word: 'suite error' },
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

export function countOf(verdict: Verdict, { requirements }: Report): number {
  return requirements.filter((requirement) => verdictOf(requirement) === verdict).length;
}

/** The result of the run in one line. */
export function headlineOf(report: Report): string {
  const [failed, errors] = [countOf('failed', report), countOf('error', report)];
  const { stale = [], expired = [] } = report.expected_failures ?? {};
  const subject = report.target.kind === 'receiver' ? 'receiver' : 'deployment';
  if (failed > 0) return `The ${subject} breaks ${count(failed, 'promise')}`;
  if (report.aborted?.kind === 'interrupted') return 'The run was interrupted';
  if (report.aborted && ['usage', 'credentials'].includes(report.aborted.kind))
    return 'Not tested: the settings of this run are wrong';
  if (report.aborted) return `Not tested: no verdict on the ${subject}`;
  if (errors > 0) return count(errors, 'suite error');
  if (stale.length + expired.length > 0) return 'The file of expected failures is outdated';
  if ((report.shortfalls ?? []).length > 0) return 'Not all conditions of this run were met';
  if (countOf('expected', report) > 0) return 'All failures were expected';
  if (report.summary.passed + report.summary.partly === 0) return 'Nothing was verified';
  return 'All verified requirements passed';
}

/** "documented in section 6.1", "implied in sections 4, 5". */
export function sayPlace({ level, section }: Pick<RequirementReport, 'level' | 'section'>): string {
  return `${level} in section${section.includes(',') ? 's' : ''} ${section}`;
}

/** The broken sentence of the interface document and the rule that fails it, as pairs of label and text. */
export function promiseOf({
  quote,
  reading,
  outcome,
}: Pick<RequirementReport, 'quote' | 'reading' | 'outcome'>): [string, string][] {
  return outcome === 'failed' ? presentRows({ promise: sayQuote(quote), rule: reading }) : [];
}

/** The checks that failed or ended in an error. */
export function unsuccessfulChecks({ checks }: RequirementReport): CheckResult[] {
  return checks.filter(({ outcome }) => outcome === 'failed' || outcome === 'error');
}

/** The evidence of a check, as pairs of label and text. */
export function evidenceOf(check: CheckResult): [string, string][] {
  const { outcome, reason, expected, actual, trace_id, call, others, timeline } = check;
  if (outcome !== 'failed') return presentRows({ error: reason });
  return presentRows({
    expected,
    actual,
    call: call ? `${call.method} ${call.path} (${call.operation}): HTTP ${call.status}` : null,
    answer: call && !actual?.includes(call.answer) ? call.answer : null,
    similar: others ? saySimilar(others) : null,
    times: timeline ? drawTimeline(timeline) : null,
    trace_id,
  });
}

/** "70 more answers, all HTTP 404: testSubscription 40, createSubscription 30". */
function saySimilar(others: readonly SimilarAnswers[]): string {
  const total = others.reduce((sum, one) => sum + one.count, 0);
  const [status, ...further] = new Set(others.map((one) => one.status));
  const isOne = further.length === 0;
  const each = others.map((one) => `${one.operation} ${isOne ? '' : `${one.status}: `}${one.count}`);
  const what = `${count(total, 'more answer')}${isOne ? `, ${total > 1 ? 'all ' : ''}HTTP ${status}` : ''}`;
  return `${what}: ${each.join(', ')}`;
}

/** Drops the texts that are null. */
export function presentRows(texts: Readonly<Record<string, string | null>>): [string, string][] {
  return Object.entries(texts).filter((row): row is [string, string] => row[1] !== null);
}

/** The lines for --expected-failures: one for the requirement, or one for each check that is not accepted yet. */
export function acceptingLines({ id, checks }: RequirementReport, { started_at }: Report): string[] {
  const failed = checks.filter(({ outcome }) => outcome === 'failed');
  const unexpected = failed.filter(({ expected_failure }) => !expected_failure);
  const ids = unexpected.length < failed.length ? unexpected.map((check) => check.id) : [id];
  return ids.map((one) => acceptingLine(one, started_at));
}

export function sayExpected({ reason, until }: ExpectedFailure): string {
  return until === null ? reason : `${reason} (until ${until})`;
}

/** A message for each entry of the file of expected failures that fails the run. */
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
      text: `${file}:${line}: the entry of ${id} expired after ${until}; remove it or set a later date`,
    })),
  ];
}

/** In characters. */
const longestValue = 60;

/** The value of a gap, shortened; the JSON report has all of it. */
export function sayValue({ value }: GapReport): string {
  return shortenText(typeof value === 'string' ? value : writeJson(value), longestValue);
}

/** The observed value of a gap, shortened; the JSON report has all of it. */
export function sayObserved({ observed }: GapReport): string {
  if (observed === null) return '';
  return observed.length > 300 ? `${observed.slice(0, 300)}… and more` : observed;
}

export const gapOutcomeNames: Readonly<Record<GapReport['outcome'], string>> = {
  agrees: 'matching the profile or the default',
  drift: 'drifting',
  'not-observed': 'not observed',
};

export const warningsTitle = 'Advice not followed by the receiver';

export function commandOf({ target }: Report): string {
  return target.kind === 'receiver' ? 'sitepub test-receiver' : 'sitepub test';
}

export function warningWord({ target }: Report): string {
  return target.kind === 'receiver' ? 'warning' : 'drift warning';
}

export function sayGapCounts({ gaps }: Report): string {
  return (['agrees', 'drift', 'not-observed'] as const)
    .map((outcome) => `${gaps.filter((gap) => gap.outcome === outcome).length} ${gapOutcomeNames[outcome]}`)
    .join(', ');
}

/** "subscription 7 on site 101: http://…". */
export function sayLeftover({ what, id, site, target }: Leftover): string {
  const name = id === null || id === undefined ? `${what} with unknown id` : `${what} ${id}`;
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

type Timeline = NonNullable<CheckResult['timeline']>;

/** The events of a timeline in one line: "0 s ● 500 ──── 61 s ● 500 ────────── 2161 s ○ nothing". */
export function drawTimeline(timeline: Timeline): string {
  return timeline.map((moment, index) => `${lineTo(timeline, index)}${sayMoment(moment)}`).join('');
}

/** On a logarithmic scale, because delays range from a second to half an hour. */
function lineTo(timeline: Timeline, index: number): string {
  const [before, moment] = [timeline[index - 1], timeline[index]];
  if (!before || !moment) return '';
  const minutes = Math.max(0, moment.after_s - before.after_s) / 60;
  return ` ${'─'.repeat(1 + Math.round(3 * Math.log2(1 + minutes)))} `;
}

function sayMoment({ after_s, what }: Timeline[number]): string {
  return `${after_s} s ${what.startsWith('nothing') ? '○' : '●'} ${what}`;
}
